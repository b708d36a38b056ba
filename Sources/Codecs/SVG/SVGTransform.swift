import Glibc

/// An affine transform, as in a `transform` attribute or CSS property.
struct SVGTransform: Hashable, Sendable {
    var xx = 1.0
    var yx = 0.0
    var xy = 0.0
    var yy = 1.0
    var x = 0.0
    var y = 0.0

    static let identity = SVGTransform()

    /// Parses a list of functions; nil if it is malformed or needs the size of a box.
    init?(_ text: String) {
        self = .identity
        for part in text.split(separator: ")") where part.contains(where: { !$0.isWhitespace }) {
            let halves = part.split(separator: "(", maxSplits: 1)
            guard halves.count == 2, let values = Self.values(Array(halves[1].utf8)),
                let next = Self.function(
                    halves[0].filter { !$0.isWhitespace && $0 != "," }.lowercased(), values)
            else { return nil }
            self = after(next)
        }
        guard [xx, yx, xy, yy, x, y].allSatisfy(\.isFinite) else { return nil }
    }

    private init() {}

    private init(_ values: [Double]) {
        (xx, yx, xy, yy) = (values[0], values[1], values[2], values[3])
        (x, y) = (values[4], values[5])
    }

    /// The scale factor in the direction of least stretch.
    var leastStretch: Double {
        let most = max(hypot(xx, yx), hypot(xy, yy))
        return most > 0 ? abs(xx * yy - yx * xy) / most : 0
    }

    /// Whether the values are too large for inversion in single precision, which browsers use.
    var isBeyondInverting: Bool { [xx, yx, xy, yy].contains { abs($0) > 1e9 } }

    /// Returns the transform that applies `inner` first.
    private func after(_ inner: SVGTransform) -> SVGTransform {
        SVGTransform([
            xx * inner.xx + xy * inner.yx, yx * inner.xx + yy * inner.yx,
            xx * inner.xy + xy * inner.yy, yx * inner.xy + yy * inner.yy,
            xx * inner.x + xy * inner.y + x, yx * inner.x + yy * inner.y + y,
        ])
    }

    /// Returns the transform of a function such as `rotate`; nil if it is unknown or malformed.
    private static func function(_ name: String, _ values: [Double]) -> SVGTransform? {
        switch (name, values.count) {
        case ("matrix", 6): return SVGTransform(values)
        case ("translate", 1), ("translatex", 1): return SVGTransform([1, 0, 0, 1, values[0], 0])
        case ("translate", 2): return SVGTransform([1, 0, 0, 1, values[0], values[1]])
        case ("translatey", 1): return SVGTransform([1, 0, 0, 1, 0, values[0]])
        case ("scale", 1): return SVGTransform([values[0], 0, 0, values[0], 0, 0])
        case ("scale", 2): return SVGTransform([values[0], 0, 0, values[1], 0, 0])
        case ("scalex", 1): return SVGTransform([values[0], 0, 0, 1, 0, 0])
        case ("scaley", 1): return SVGTransform([1, 0, 0, values[0], 0, 0])
        case ("rotate", 1), ("rotate", 3):
            let (sine, cosine) = (sin(values[0] * .pi / 180), cos(values[0] * .pi / 180))
            let turn = SVGTransform([cosine, sine, -sine, cosine, 0, 0])
            guard values.count == 3 else { return turn }
            return SVGTransform([1, 0, 0, 1, values[1], values[2]]).after(turn)
                .after(SVGTransform([1, 0, 0, 1, -values[1], -values[2]]))
        case ("skewx", 1): return SVGTransform([1, 0, tan(values[0] * .pi / 180), 1, 0, 0])
        case ("skewy", 1): return SVGTransform([1, tan(values[0] * .pi / 180), 0, 1, 0, 0])
        default: return nil
        }
    }

    /// Returns the numbers between two brackets, in pixels and degrees.
    private static func values(_ bytes: [UInt8]) -> [Double]? {
        let text = bytes.span
        var values: [Double] = []
        var index = 0
        while true {
            while index < text.count, SVGCharacter.isSpace(text[index]) || text[index] == 0x2C {
                index += 1
            }
            guard index < text.count else { return values }
            guard let number = SVGNumber(text, from: index, to: text.count) else { return nil }
            index = number.range.upperBound
            var end = index
            while end < text.count, (text[end] | 0x20) >= 0x61 || text[end] == 0x25 { end += 1 }
            let unit = text.string(index..<end).lowercased()
            guard let factor = unitFactors[unit] else { return nil }
            values.append(number.value * factor)
            index = end
        }
    }

    /// The size of each unit in pixels or degrees.
    private static let unitFactors: [String: Double] = [
        "": 1, "px": 1, "deg": 1, "turn": 360, "grad": 0.9, "rad": 180 / .pi,
    ]
}
