/// Sine and cosine from IEEE's exact operations only.
///
/// Those of the C library may differ in their last bit from one processor to the next; these
/// cannot, so neither can what is computed from them.
enum ExactSine {
    /// The sine of an angle in 0...π.
    @inline(__always)
    static func sine(_ angle: Double) -> Double {
        let t = angle > Double.pi / 2 ? Double.pi - angle : angle
        let s = t * t
        // Taylor's series, to the term of t¹⁷; the next one is below 5e-14 at π/2.
        var sum = 1.0 / 355_687_428_096_000
        sum = sum * s - 1.0 / 1_307_674_368_000
        sum = sum * s + 1.0 / 6_227_020_800
        sum = sum * s - 1.0 / 39_916_800
        sum = sum * s + 1.0 / 362_880
        sum = sum * s - 1.0 / 5_040
        sum = sum * s + 1.0 / 120
        sum = sum * s - 1.0 / 6
        return t * (sum * s + 1)
    }

    /// The cosine of `numerator`/`denominator` half turns, both whole and not negative.
    static func cosine(halfTurns numerator: Int, of denominator: Int) -> Double {
        let turn = 2 * denominator
        let rest = numerator % turn
        // cos(2π - t) = cos t, and cos t = sin(π/2 - t) = -sin(t - π/2).
        let folded = min(rest, turn - rest)
        let quarter = denominator - 2 * folded
        let size = sine(Double(abs(quarter)) / Double(turn) * Double.pi)
        return quarter < 0 ? -size : size
    }
}
