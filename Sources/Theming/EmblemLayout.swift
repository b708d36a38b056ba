/// The four heights in which an emblem is made.
package enum EmblemLayout: String, CaseIterable, Hashable, Sendable {
    case small, medium, large, xLarge

    /// The last part of the layout's token paths, as in `theme.dimension.height.emblem.sm`.
    package var tokenName: String {
        switch self {
        case .small: "sm"
        case .medium: "md"
        case .large: "lg"
        case .xLarge: "xl"
        }
    }
}
