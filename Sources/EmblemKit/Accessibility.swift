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

    /// Returns the texts of a component with a badge: the label, value and hint of the badge follow
    /// those of the component.
    func with(_ badge: Badge?) -> Accessibility {
        guard let other = badge?.accessibility else { return self }
        func joined(_ path: KeyPath<Accessibility, String?>) -> String? {
            let parts = [self[keyPath: path], other[keyPath: path]].compactMap { $0 }
                .filter { !$0.isEmpty }
            return parts.isEmpty ? self[keyPath: path] : parts.joined(separator: ", ")
        }
        return Accessibility(
            label: joined(\.label), hint: joined(\.hint), value: joined(\.value))
    }
}

/// A component with texts for screen readers, which modifiers set as in SwiftUI.
public protocol AccessibleComponent {
    /// The texts for screen readers.
    var accessibility: Accessibility { get set }
}

extension AccessibleComponent {
    /// Returns the component with a label, such as the name of a merchant.
    public func accessibilityLabel(_ label: String) -> Self { setting(\.label, to: label) }

    /// Returns the component with a hint, such as the result of opening it.
    public func accessibilityHint(_ hint: String) -> Self { setting(\.hint, to: hint) }

    /// Returns the component with a value, such as an amount.
    public func accessibilityValue(_ value: String) -> Self { setting(\.value, to: value) }

    private func setting(
        _ path: WritableKeyPath<Accessibility, String?>, to text: String
    ) -> Self {
        var copy = self
        copy.accessibility[keyPath: path] = text
        return copy
    }
}

extension AsyncEmblem: AccessibleComponent {}
extension Avatar: AccessibleComponent {}
extension Badge: AccessibleComponent {}
