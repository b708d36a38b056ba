import Engine
import FoundationEssentials
import System
import Transport

/// The source of an image.
///
/// On Apple platforms `local` names an image in an asset catalogue and `captured` holds a
/// `UIImage`. Here a name is a path or a built-in icon, and ``Image`` is a type of this library.
public enum ImageSource: Hashable, Sendable {
    /// A URL, loaded by the current image loader. `nil` fails with ``EmblemError/missingURL``.
    case remote(url: URL?)
    /// A file, by its path relative to the working directory. `icon:account-balance` and similar
    /// names are built-in icons; write `./icon:…` for a file with such a name.
    case local(name: String)
    /// An image in memory.
    case captured(image: Image)

    /// Returns the source of a built-in icon.
    public static func icon(_ icon: Emblem.Icon) -> ImageSource {
        .local(name: iconPrefix + icon.rawValue)
    }

    /// Returns the source of an image in memory, like `captured(image:)`.
    public static func image(_ image: Image) -> ImageSource {
        .captured(image: image)
    }

    /// Returns the source of an image file in memory, which is checked when it is drawn.
    public static func data(_ data: Data) -> ImageSource {
        .captured(image: Image(encoded: data))
    }

    static let iconPrefix = "icon:"

    var url: URL? {
        if case .remote(let url) = self { url } else { nil }
    }
}

extension ImageSource {
    /// The size limit of a file in bytes.
    private static let bytesLimit = 20 << 20

    /// Loads the image with the loader of the program, and decodes it once to check it.
    ///
    /// - Throws: The error of the loader; ``EmblemError``; `CancellationError` if the task is
    ///   cancelled.
    public func load() async throws -> Image {
        let loading = SourceLoading(nil, timeout: AsyncEmblem(source: self).timeout)
        return try await load(loading).image.checked()
    }

    /// Loads the image, possibly without checking it.
    ///
    /// - Parameter id: The id of the item, for the loader.
    func load(_ loading: SourceLoading, id: String? = nil) async throws -> HeldImage {
        try Task.checkCancellation()
        switch self {
        case .captured(let image):
            if case .missing(let error) = image.content { throw error }
            return HeldImage(image: image)
        case .local(let name): return HeldImage(image: try Self.read(name))
        case .remote(nil): throw EmblemError.missingURL
        case .remote(.some(let url)): return try await loading.load(url, id: id)
        }
    }

    /// Returns a built-in icon by its name without prefix, or the image in a file.
    static func named(_ name: String) throws(EmblemError) -> Image {
        if let icon = Emblem.Icon(rawValue: name) { return Image(icon: icon) }
        return try read(name)
    }

    private static func read(_ name: String) throws(EmblemError) -> Image {
        if name.hasPrefix(iconPrefix) {
            guard let icon = Emblem.Icon(rawValue: String(name.dropFirst(iconPrefix.count))) else {
                throw .notFound("there is no \(name)")
            }
            return Image(icon: icon)
        }
        return Image(encoded: try bytes(ofFile: name))
    }

    private static func bytes(ofFile name: String) throws(EmblemError) -> [UInt8] {
        try rethrowing(as: EmblemError.init) { () throws(ItemFailure) in
            guard !name.isEmpty else { throw ItemFailure(.badURL, "the path is empty") }
            guard !name.utf8.contains(0) else {
                throw ItemFailure(.badURL, "the path contains a NUL")
            }
            return try FileIntake.read(FilePath(name), bytesLimit: bytesLimit).bytes
        }
    }
}

extension EmblemError {
    static func notFound(_ reason: String) -> EmblemError {
        .failedToLoad(Cause(errorClass: ErrorClass.notFound.rawValue, reason: reason))
    }
}
