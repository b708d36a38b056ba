import Artwork
import Codecs
import Flags
import Raster
import Theming

/// The words that several commands allow for their options.
enum Vocabulary {
    static let layouts = EmblemLayout.allCases.map(\.rawValue)
    static let avatarLayouts = AvatarLayout.allCases.map(\.rawValue)
    /// Of all components; which of them there are depends on the component.
    static let allLayouts = ["small", "default", "medium", "large", "xLarge"]
    static let components = Component.allCases.map(\.rawValue)
    static let scales = ["1", "1.5", "2", "3", "4"]
    static let modes = ContentMode.allCases.map(\.rawValue)
    static let appearances = EmblemAppearance.allCases.map(\.rawValue)
    static let corners = CornerStyle.allCases.map(\.rawValue)
    static let badges = BadgeAppearance.allCases.map(\.rawValue)
    static let badgeCorners = BadgeCorner.allCases.map(\.rawValue)
    static let widths = ["square", "auto"]
    static let codecs = CodecChoice.allCases.map(\.rawValue)
    /// By their names, and by the extensions of their files.
    static let outputFormats =
        OutputFormat.allCases.flatMap { format in
            format.name == format.fileExtension
                ? [format.name] : [format.name, format.fileExtension]
        } + ["same"]
    /// Of the formats that lose something unless told otherwise.
    static let defaultQualities = OutputFormat.allCases.compactMap { format in
        guard case .lossy(let quality) = format.defaultQuality else { return String?.none }
        return "\(format.name) \(quality)"
    }.joined(separator: ", ")
    static let tints = ["auto", "always", "never"]
    static let points = FlagKind.decimal(0...1000)
}
