/// How bold letters are.
package enum TextWeight: Int, CaseIterable, Hashable, Sendable {
    case regular = 400
    case medium = 500
    case semibold = 600
    case bold = 700
}

/// Where lines stand between the edges of their block.
package enum TextAlignment: Hashable, Sendable {
    /// Where reading begins: left, and right in scripts that run to the left.
    case leading
    case center
    /// Where reading ends.
    case trailing
}

/// Which way a text runs.
package enum TextDirection: Hashable, Sendable {
    case leftToRight, rightToLeft
}

/// The look of a text, in points.
package struct TextStyle: Hashable, Sendable {
    /// Beyond these no text can be read, or drawn.
    package static let sizes = 1.0...512.0

    package var size: Double
    package var weight: TextWeight
    /// The distance from one baseline to the next, in whole points; the room of a single line.
    package var lineHeight: Double

    /// A line height of nil is five quarters of the size.
    package init(size: Double, weight: TextWeight = .regular, lineHeight: Double? = nil) {
        // What is no number fails every comparison.
        func bounded(_ value: Double, _ range: ClosedRange<Double>) -> Double {
            value >= range.lowerBound ? min(value, range.upperBound) : range.lowerBound
        }
        self.size = bounded(size, Self.sizes)
        self.weight = weight
        self.lineHeight = bounded(lineHeight ?? self.size * 1.25, 1...1024).rounded(.up)
    }

    /// The share of the size that a capital of Inter is high.
    static let capitalShare = 1490.0 / 2048

    /// The height of capitals.
    package var capHeight: Double { size * Self.capitalShare }

    /// Where the baseline stands in the room of a line: capitals have as much above as below, in
    /// whole points, so that their feet are sharp at every scale. A page laid out by CSS puts it
    /// there too, as Inter's ascent and descent lie evenly around its capitals.
    package var baseline: Double { ((lineHeight + capHeight) / 2).rounded() }
}
