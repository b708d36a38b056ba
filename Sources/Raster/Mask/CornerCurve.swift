/// The curve of a corner, within a square of side `reach`: v falls from `reach` to 0 as u goes from
/// 0 to `reach`. Both are distances from the square's innermost point, towards the edges of the
/// shape.
///
/// Only exact IEEE operations are used, so that a mask is the same on every processor.
struct CornerCurve {
    let style: CornerStyle
    /// The length along each edge, in pixels.
    let reach: Double

    init(style: CornerStyle, radius: Double, limit: Double) {
        self.style = style
        let wanted = style == .circular ? radius : radius * CornerCurve.continuousReach
        reach = min(wanted, limit)
    }

    /// The reach of a continuous corner as a multiple of its radius, (1 - √½) / (1 - ∛½). With it
    /// both styles cross the diagonal at the same point.
    static let continuousReach = (1 - 0.5.squareRoot()) / (1 - cubeRoot(0.5))

    /// Returns the curve's height at `u`. The function is its own inverse.
    func height(at u: Double) -> Double {
        guard u > 0 else { return reach }
        guard u < reach else { return 0 }
        switch style {
        case .circular:
            return ((reach - u) * (reach + u)).squareRoot()
        case .continuous:
            let share = u / reach
            return reach * CornerCurve.cubeRoot(1 - share * share * share)
        }
    }

    /// Returns the area of the part of the box u × v that lies under the curve.
    ///
    /// Exchanging the two ranges gives the same result to the last bit.
    func area(_ u: ClosedRange<Double>, _ v: ClosedRange<Double>) -> Double {
        if (v.lowerBound, v.upperBound) < (u.lowerBound, u.upperBound) { return area(v, u) }
        let top = min(v.upperBound, reach)
        let right = min(u.upperBound, reach)
        guard top > v.lowerBound, right > u.lowerBound else { return 0 }

        // Left of `full` the curve is above the box, right of `empty` below it.
        let full = min(max(height(at: top), u.lowerBound), right)
        let empty = min(max(height(at: v.lowerBound), full), right)
        var sum = (full - u.lowerBound) * (top - v.lowerBound)
        guard empty > full else { return sum }
        // Each interval is half as long as the one before, because a circle falls steeply at its
        // outer end.
        var start = full
        for _ in 0..<8 {
            let end = (start + empty) / 2
            sum += integral(from: start, to: end, above: v.lowerBound)
            start = end
        }
        return sum + integral(from: start, to: empty, above: v.lowerBound)
    }

    /// Gauss-Legendre quadrature with three points.
    private func integral(from start: Double, to end: Double, above floor: Double) -> Double {
        let middle = (start + end) / 2
        let half = (end - start) / 2
        let offset = half * 0.6.squareRoot()
        let outer = height(at: middle - offset) + height(at: middle + offset) - 2 * floor
        return half * (outer * 5 + (height(at: middle) - floor) * 8) / 9
    }

    static func cubeRoot(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        var root = 1.0
        while true {
            let next = root - (root - value / (root * root)) / 3
            // The estimates fall from above until rounding stops them.
            guard next < root else { return root }
            root = next
        }
    }
}
