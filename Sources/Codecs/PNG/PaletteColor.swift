/// A premultiplied colour as a point, for measuring distances.
struct PaletteColor: Hashable, Sendable {
    var red: Int32
    var green: Int32
    var blue: Int32
    var alpha: Int32

    init(red: Int32, green: Int32, blue: Int32, alpha: Int32) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// A pixel with red in the lowest byte.
    init(pixel: UInt32) {
        red = Int32(pixel & 0xFF)
        green = Int32(pixel >> 8 & 0xFF)
        blue = Int32(pixel >> 16 & 0xFF)
        alpha = Int32(pixel >> 24)
    }

    var pixel: UInt32 {
        UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | UInt32(alpha) << 24
    }

    /// One of the four axes along which boxes are cut.
    subscript(axis: Int) -> Int32 {
        switch axis {
        case 0: red
        case 1: green
        case 2: blue
        default: alpha
        }
    }

    var sum: Int32 { red &+ green &+ blue &+ alpha }

    @inline(__always)
    func squareDistance(to other: PaletteColor) -> Int32 {
        let red = red &- other.red
        let green = green &- other.green
        let blue = blue &- other.blue
        let alpha = alpha &- other.alpha
        return red &* red &+ green &* green &+ blue &* blue &+ alpha &* alpha
    }
}

/// Colours near each other that are treated as one, with the number of their pixels.
struct PaletteCell: Sendable {
    var color: PaletteColor
    var weight: Int

    var isOpaque: Bool { color.alpha == 255 }
}

/// The weighted sum of cells, and what can be told from it.
struct PaletteSum: Sendable {
    private(set) var weight = 0
    private var sums = SIMD4<Int>()
    private var squares = SIMD4<Int>()

    mutating func add(_ cell: PaletteCell) {
        let point = SIMD4(
            Int(cell.color.red), Int(cell.color.green), Int(cell.color.blue),
            Int(cell.color.alpha))
        weight &+= cell.weight
        sums = sums &+ point &* cell.weight
        squares = squares &+ point &* point &* cell.weight
    }

    /// The nearest whole colour; only where there is weight.
    var mean: PaletteColor {
        func axis(_ axis: Int) -> Int32 { Int32((sums[axis] * 2 + weight) / (weight * 2)) }
        return PaletteColor(red: axis(0), green: axis(1), blue: axis(2), alpha: axis(3))
    }

    /// The sum of squared distances from the mean along an axis.
    func error(along axis: Int) -> Int {
        guard weight > 0 else { return 0 }
        // From twelve million pixels on a square of their sum has more than 63 bits.
        let sum = UInt(sums[axis])
        let mean = UInt(weight).dividingFullWidth(sum.multipliedFullWidth(by: sum)).quotient
        return max(0, squares[axis] - Int(mean))
    }
}
