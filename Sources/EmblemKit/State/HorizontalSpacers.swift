/// The space at each side of a button of full width, in points.
///
/// A number literal is accepted: `horizontalSpacers: 24`.
public struct HorizontalSpacers: Hashable, Sendable {
    /// The space at the left and at the right, in points.
    public var value: Double

    /// No space: the button extends from edge to edge.
    public static let zero = HorizontalSpacers(value: 0)

    /// Creates spacers.
    ///
    /// - Parameter value: The space at the left and at the right, in points.
    public init(value: Double) {
        self.value = value
    }
}

extension HorizontalSpacers: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    public init(integerLiteral value: Int) {
        self.init(value: Double(value))
    }

    public init(floatLiteral value: Double) {
        self.init(value: value)
    }
}
