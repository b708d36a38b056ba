import Artwork
import Flags
import Notation
import Theming

/// The words that several commands allow for their options.
enum Vocabulary {
    static let layouts = EmblemLayout.allCases.map(\.rawValue)
    static let avatarLayouts = AvatarLayout.allCases.map(\.rawValue)
    /// Of all components; which of them there are depends on the component.
    static let allLayouts = ["small", "default", "medium", "large", "xLarge"]
    static let components = Component.allCases.map(\.rawValue)
    static let scales = ["1", "1.5", "2", "3", "4"]
    static let badges = BadgeAppearance.allCases.map(\.rawValue)
    static let points = ValueKind.decimal(0...1000)
}
