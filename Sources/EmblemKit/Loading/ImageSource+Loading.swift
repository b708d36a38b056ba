import Engine
import FoundationEssentials
import Transport

extension ImageSource {
    /// The size limit of a file in bytes.
    private static let bytesLimit = 20 << 20

    /// Loads the image and checks that it decodes.
    func loadChecked(with loader: any AsyncEmblemImageLoader) async throws -> Image {
        try await load(with: loader, unchecked: false).image.checked()
    }

    /// Loads the image, possibly without checking it.
    func loadUnchecked(with loader: any AsyncEmblemImageLoader) async throws -> HeldImage {
        try await load(with: loader, unchecked: true)
    }

    private func load(
        with loader: any AsyncEmblemImageLoader, unchecked: Bool
    ) async throws -> HeldImage {
        try Task.checkCancellation()
        switch self {
        case .captured(let image): return HeldImage(image: image)
        case .local(let name): return HeldImage(image: try Self.read(name))
        case .remote(nil): throw EmblemError.missingURL
        case .remote(.some(let url)):
            if unchecked, let ours = loader as? any UncheckedImageLoader {
                return try await ours.loadUnchecked(from: url)
            }
            return HeldImage(image: try await loader.loadImage(from: url))
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
                throw .failedToLoad(
                    EmblemError.Cause(
                        errorClass: ErrorClass.notFound.rawValue, status: nil,
                        reason: "there is no \(name)",
                        isRetryable: false))
            }
            return Image(icon: icon)
        }
        return Image(unlooked: try bytes(ofFile: name))
    }

    private static func bytes(ofFile name: String) throws(EmblemError) -> [UInt8] {
        do throws(IntakeError) {
            guard !name.isEmpty else { throw .badURL("the path is empty") }
            guard !name.utf8.contains(0) else { throw .badURL("the path contains a NUL") }
            return try FileIntake.read(FilePath(name), bytesLimit: bytesLimit).bytes
        } catch {
            throw EmblemError(error)
        }
    }
}
