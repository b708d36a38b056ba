package enum QualityValue: Hashable, Sendable {
    case lossy(Int)
    case lossless
}

package enum InsetValue: Hashable, Sendable {
    case points(Double)
    /// A percentage of the height.
    case percent(Double)
    case safe
}

/// A point of a picture: shares of the width from the left and of the height from the top.
package struct PointValue: Hashable, Sendable {
    package let x: Double
    package let y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// The number of items that may fail before a run counts as failed.
package enum Tolerance: Hashable, Sendable {
    case count(Int)
    case percent(Double)

    package func isExceeded(by failures: Int, of total: Int) -> Bool {
        switch self {
        case .count(let limit): failures > limit
        case .percent(let share): Double(failures) * 100 > share * Double(total)
        }
    }
}

/// A colour from a command line; opaque unless it has eight digits.
package struct HexColor: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8
    package var alpha: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }
}
