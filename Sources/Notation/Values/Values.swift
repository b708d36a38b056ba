/// `1/4`: this run does the first of four parts.
package struct Shard: Hashable, Sendable {
    /// Counted from one.
    package var index: Int
    /// How many parts there are.
    package var count: Int

    /// Part `index` of `count`.
    package init(index: Int, count: Int) {
        self.index = index
        self.count = count
    }
}

/// How well pictures are kept.
package enum QualityValue: Hashable, Sendable {
    case lossy(Int)
    case lossless
}

/// How far something stays away from an edge.
package enum InsetValue: Hashable, Sendable {
    case points(Double)
    /// Of the height, in hundredths.
    case percent(Double)
    /// As little as is safe.
    case safe
    /// A fixed share from the round outline.
    case round
}

/// How many items may fail before a run counts as failed.
package enum Tolerance: Hashable, Sendable {
    case count(Int)
    case percent(Double)

    /// `failures` of `total` are more than this allows.
    package func isPassed(by failures: Int, of total: Int) -> Bool {
        switch self {
        case .count(let limit): failures > limit
        case .percent(let share): Double(failures) * 100 > share * Double(total)
        }
    }
}

/// A colour as it was typed; opaque unless it had eight digits.
package struct HexColor: Hashable, Sendable {
    /// 0 to 255.
    package var red: UInt8
    /// 0 to 255.
    package var green: UInt8
    /// 0 to 255.
    package var blue: UInt8
    /// 0 to 255; 255 hides what is behind.
    package var alpha: UInt8

    /// Four channels, the last one opaque unless given.
    package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }
}
