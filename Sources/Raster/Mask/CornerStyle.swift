/// The curve of a rounded corner.
package enum CornerStyle: String, CaseIterable, Sendable {
    /// A quarter of a circle.
    case circular
    /// A corner whose curvature grows from nothing and falls back to nothing, as on the icons of
    /// phones: the curve |u|³ + |v|³ = e³, which meets the straight edge without a step in
    /// curvature.
    ///
    /// Its reach e is chosen so that it cuts off as much along the diagonal as the circle of the
    /// same radius; where the sides are too short for that, the reach ends at their middle.
    case continuous
}
