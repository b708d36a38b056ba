/// What a component says to those who do not see it.
///
/// On Apple's systems these are modifiers of a view; here they become `<title>` and `<desc>` of an
/// SVG. Without a label a drawing counts as decoration.
public struct Accessibility: Hashable, Sendable {
    /// What is shown, such as the name of a merchant.
    public var label: String?
    /// What it is good for.
    public var hint: String?
    /// What it stands at, such as an amount.
    public var value: String?

    /// Says nothing unless told to.
    public init(label: String? = nil, hint: String? = nil, value: String? = nil) {
        self.label = label
        self.hint = hint
        self.value = value
    }

    /// Value and hint in the order in which they are read out.
    var summary: String? {
        let parts = [value, hint].compactMap { $0 }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
