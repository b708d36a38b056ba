import Glibc

/// Text of an SVG drawing: numbers with two decimal places, points, polygons.
///
/// The rounding hides the last bit of sines, which depends on the C library.
enum Markup {
    /// Formats a number with at most two decimal places and no trailing zeros.
    static func number(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let whole = abs(hundredths) / 100
        let rest = abs(hundredths) % 100
        let sign = hundredths < 0 ? "-" : ""
        if rest == 0 { return "\(sign)\(whole)" }
        if rest % 10 == 0 { return "\(sign)\(whole).\(rest / 10)" }
        return "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }

    /// Returns the point of a circle at an angle in degrees, clockwise from the right.
    static func onCircle(
        _ x: Double, _ y: Double, _ radius: Double, degrees: Double
    ) -> (x: Double, y: Double) {
        let angle = degrees * .pi / 180
        return (x + radius * cos(angle), y + radius * sin(angle))
    }

    static func polygon(_ points: [(x: Double, y: Double)]) -> String {
        var path = ""
        for (index, point) in points.enumerated() {
            path += "\(index == 0 ? "M" : "L")\(number(point.x)) \(number(point.y))"
        }
        return path + "Z"
    }

    static func circle(_ x: Double, _ y: Double, _ radius: Double) -> String {
        ellipse(x, y, radius, radius)
    }

    static func ellipse(_ x: Double, _ y: Double, _ rx: Double, _ ry: Double) -> String {
        let radii = "\(number(rx)) \(number(ry)) 0 1 0"
        return "M\(number(x - rx)) \(number(y))A\(radii) \(number(x + rx)) \(number(y))"
            + "A\(radii) \(number(x - rx)) \(number(y))Z"
    }

    static func box(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, round: Double = 0
    ) -> String {
        let r = min(round, width / 2, height / 2)
        if r <= 0 {
            return "M\(number(x)) \(number(y))H\(number(x + width))V\(number(y + height))"
                + "H\(number(x))Z"
        }
        let arc = "A\(number(r)) \(number(r)) 0 0 1"
        return "M\(number(x + r)) \(number(y))H\(number(x + width - r))"
            + "\(arc) \(number(x + width)) \(number(y + r))V\(number(y + height - r))"
            + "\(arc) \(number(x + width - r)) \(number(y + height))H\(number(x + r))"
            + "\(arc) \(number(x)) \(number(y + height - r))V\(number(y + r))"
            + "\(arc) \(number(x + r)) \(number(y))Z"
    }

    /// Returns a star, or a regular polygon if both radii are equal.
    static func star(
        _ x: Double, _ y: Double, points: Int, outer: Double, inner: Double, turn: Double = -90
    ) -> String {
        var corners: [(x: Double, y: Double)] = []
        let step = 180.0 / Double(points)
        for index in 0..<(points * 2) {
            let radius = index.isMultiple(of: 2) ? outer : inner
            corners.append(onCircle(x, y, radius, degrees: turn + step * Double(index)))
        }
        return polygon(corners)
    }
}
