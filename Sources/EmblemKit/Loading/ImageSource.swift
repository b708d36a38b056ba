import FoundationEssentials

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

    static let iconPrefix = "icon:"

    /// The URL of a remote source.
    var url: URL? {
        if case .remote(let url) = self { url } else { nil }
    }
}
