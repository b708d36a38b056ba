import Flags
import Raster
import Theming

/// The words that several commands allow for their options.
enum Vocabulary {
    static let layouts = EmblemLayout.allCases.map(\.rawValue)
    static let scales = ["1", "1.5", "2", "3", "4"]
    static let modes = ContentMode.allCases.map(\.rawValue)
    static let appearances = EmblemAppearance.allCases.map(\.rawValue)
    static let corners = CornerStyle.allCases.map(\.rawValue)
    static let widths = ["square", "auto"]
    static let tints = ["auto", "always", "never"]
    static let points = FlagKind.decimal(0...1000)
}
