/// How large a reader wants text, in the steps of Dynamic Type.
package enum TextSize: String, CaseIterable, Hashable, Sendable {
    case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
    case accessibility1, accessibility2, accessibility3, accessibility4, accessibility5

    /// The size of running text in this step, in points.
    private var body: Double {
        switch self {
        case .xSmall: 14
        case .small: 15
        case .medium: 16
        case .large: 17
        case .xLarge: 19
        case .xxLarge: 21
        case .xxxLarge: 23
        case .accessibility1: 28
        case .accessibility2: 33
        case .accessibility3: 40
        case .accessibility4: 47
        case .accessibility5: 53
        }
    }

    /// What text sizes are multiplied by; 1 for `large`, where everybody starts.
    package var factor: Double { body / 17 }
}

extension TextStyle {
    /// The style at another size of text, in whole points.
    package func scaled(to size: TextSize) -> TextStyle {
        TextStyle(
            size: (self.size * size.factor).rounded(), weight: weight,
            lineHeight: (lineHeight * size.factor).rounded())
    }
}
