/// The space at each side of a component, in points. Corresponds to SwiftUI's `EdgeInsets`.
///
/// ```swift
/// let roomyAbove: Style<StateView.Settings> = {
///     $0.insets = EdgeInsets(top: 64, leading: 24, bottom: 24, trailing: 24)
/// }
/// ```
public struct EdgeInsets: Hashable, Sendable {
    /// The space above.
    public var top: Double
    /// The space at the start of lines: left, or right for scripts that run from right to left.
    public var leading: Double
    /// The space below.
    public var bottom: Double
    /// The space at the end of lines.
    public var trailing: Double

    /// Creates insets with a value for each side.
    public init(top: Double = 0, leading: Double = 0, bottom: Double = 0, trailing: Double = 0) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }

    /// Creates insets with the same value for all sides.
    public init(_ points: Double) {
        self.init(top: points, leading: points, bottom: points, trailing: points)
    }

    /// The largest of the four values.
    var greatest: Double { max(top, leading, bottom, trailing) }
}
