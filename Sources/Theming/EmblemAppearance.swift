/// What an emblem means, which decides its three colours.
package enum EmblemAppearance: String, CaseIterable, Hashable, Sendable {
    case brand, info, success, warning, danger
    case category1, category2, category3, category4, category5
    case category6, category7, category8, category9, category10

    /// The appearance's part of a token path, as in `theme.color.emblem.category-1.background`.
    package var tokenName: String {
        let prefix = "category"
        guard rawValue.hasPrefix(prefix) else { return rawValue }
        return prefix + "-" + rawValue.dropFirst(prefix.count)
    }
}
