/// The cubic kernel of Mitchell and Netravali with B = C = 1/3, for enlarging.
///
/// Lanczos rings where it enlarges: beside the edge of a flat colour it goes beyond it by an eighth
/// of the step, and the waves of both directions cross as blotches. This kernel goes beyond by less
/// than 4 % of the step and comes back at once. It does not quite keep the source's own values,
/// which is why an axis that keeps its length is left to Lanczos: that copies it.
enum Cubic {
    /// How far the kernel reaches, in pixels of the source.
    static let radius = 2.0

    /// The kernel at distance `x`: piecewise polynomials of D. Mitchell and A. Netravali,
    /// "Reconstruction Filters in Computer Graphics" (1988), over a common denominator of 18.
    static func weight(at x: Double) -> Double {
        let distance = abs(x)
        if distance < 1 { return ((21 * distance - 36) * distance * distance + 16) / 18 }
        if distance < radius {
            return (((36 - 7 * distance) * distance - 60) * distance + 32) / 18
        }
        return 0
    }
}
