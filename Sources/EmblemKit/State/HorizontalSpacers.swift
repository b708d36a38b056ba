/// The room at either side of a button of full width, in points.
///
/// A number will do where one is written out: `horizontalSpacers: 24`.
public struct HorizontalSpacers: Hashable, Sendable {
    /// In points, at the left and at the right.
    public var value: Double

    /// From edge to edge.
    public static let zero = HorizontalSpacers(value: 0)

    /// - Parameter value: in points, at the left and at the right.
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
