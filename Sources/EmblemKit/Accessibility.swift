import Artwork

/// The texts of a component for screen readers.
///
/// SwiftUI sets these texts with view modifiers. Here they become the `<title>` and `<desc>`
/// elements of an SVG document. A drawing without a label counts as decoration.
public struct Accessibility: Hashable, Sendable {
    /// The name of the thing shown, such as the name of a merchant.
    public var label: String?
    /// The purpose of the component.
    public var hint: String?
    /// The current value, such as an amount.
    public var value: String?

    /// Creates texts for a component. Each text is `nil` by default.
    public init(label: String? = nil, hint: String? = nil, value: String? = nil) {
        self.label = label
        self.hint = hint
        self.value = value
    }

    /// The text of `<desc>`: the value, then the hint, as a screen reader reads them.
    var summary: String? { Sketch.summary(value: value, hint: hint) }
}
