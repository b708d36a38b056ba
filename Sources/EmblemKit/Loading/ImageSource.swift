import FoundationEssentials

/// Where a picture comes from.
///
/// On Apple's systems `local` names a picture in an asset catalogue and `captured` holds a
/// `UIImage`; here a name is a path or a built-in icon, and ``Image`` is a value of ours.
public enum ImageSource: Hashable, Sendable {
    /// Loaded by the image loader in force. No URL at all is ``EmblemError/missingURL``.
    case remote(url: URL?)
    /// A file, its path as the working directory sees it; `icon:account-balance` and its like are
    /// built-in icons (a file of such a name is written `./icon:…`).
    case local(name: String)
    /// A picture in memory.
    case captured(image: Image)

    /// A built-in icon.
    public static func icon(_ icon: Emblem.Icon) -> ImageSource {
        .local(name: iconPrefix + icon.rawValue)
    }

    /// A picture in memory, in the words of those who say it everywhere.
    public static func image(_ image: Image) -> ImageSource {
        .captured(image: image)
    }

    static let iconPrefix = "icon:"

    /// The URL of a remote source.
    var url: URL? {
        if case .remote(let url) = self { url } else { nil }
    }
}
