/// The room at each side of something, in points; the counterpart of SwiftUI's `EdgeInsets`.
///
/// ```swift
/// let roomyAbove: Style<StateView.Settings> = {
///     $0.insets = EdgeInsets(top: 64, leading: 24, bottom: 24, trailing: 24)
/// }
/// ```
public struct EdgeInsets: Hashable, Sendable {
    /// Above.
    public var top: Double
    /// At the side where lines begin: left, or right for scripts that run from right to left.
    public var leading: Double
    /// Below.
    public var bottom: Double
    /// At the side where lines end.
    public var trailing: Double

    /// Each side on its own.
    public init(top: Double = 0, leading: Double = 0, bottom: Double = 0, trailing: Double = 0) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }

    /// The same at all sides.
    public init(_ points: Double) {
        self.init(top: points, leading: points, bottom: points, trailing: points)
    }

    /// The most that any side has.
    var greatest: Double { max(top, leading, bottom, trailing) }
}
