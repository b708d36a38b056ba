/// The distinct colours of a picture, as long as they are few enough for a palette.
struct PNGColors: Sendable {
    /// In no order before they are sorted; red in the lowest byte.
    private(set) var colors: [UInt32] = []
    /// Slots of an open hash table: the index in `colors` plus one.
    private var slots = [UInt16](repeating: 0, count: Self.slotCount)

    private static let slotCount = 1024
    /// No part of usual widths, so that samples do not stand in columns.
    private static let sampleStep = 13

    /// Collects the colours, or nil where there are more than 256.
    init?(_ pixels: borrowing PNGStraightPixels) {
        // Most pictures have too many for a palette, which some of their pixels say sooner than all.
        guard collect(pixels, stride(from: 0, to: pixels.count, by: Self.sampleStep)),
            collect(pixels, 0..<pixels.count)
        else { return nil }
    }

    private mutating func collect(
        _ pixels: borrowing PNGStraightPixels, _ indices: some Sequence<Int>
    ) -> Bool {
        var last: UInt32?
        for index in indices {
            let color = unsafe pixels.base[index]
            if color == last { continue }
            last = color
            guard insert(color) else { return false }
        }
        return true
    }

    private mutating func insert(_ color: UInt32) -> Bool {
        var slot = Self.slot(of: color)
        while slots[slot] != 0 {
            if colors[Int(slots[slot]) - 1] == color { return true }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        guard colors.count < 256 else { return false }
        colors.append(color)
        slots[slot] = UInt16(colors.count)
        return true
    }

    /// The index of a colour that was collected.
    func index(of color: UInt32) -> UInt8 {
        var slot = Self.slot(of: color)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if colors[index] == color { return UInt8(truncatingIfNeeded: index) }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        return 0
    }

    /// Puts the colours into the order in which a palette is best written: those with alpha
    /// first, so that few alphas are stored, then by brightness.
    mutating func sort() {
        colors.sort { Self.rank($0) < Self.rank($1) }
        slots = [UInt16](repeating: 0, count: Self.slotCount)
        for (index, color) in colors.enumerated() {
            var slot = Self.slot(of: color)
            while slots[slot] != 0 { slot = (slot + 1) & (Self.slotCount - 1) }
            slots[slot] = UInt16(index + 1)
        }
    }

    /// Opaque or not, then luma, then the colour itself so that the order is total.
    private static func rank(_ color: UInt32) -> UInt64 {
        let red = UInt64(color & 0xFF)
        let green = UInt64(color >> 8 & 0xFF)
        let blue = UInt64(color >> 16 & 0xFF)
        let luma = red * 54 + green * 183 + blue * 19
        return (color >> 24 == 255 ? 1 << 63 : 0) | luma << 40 | UInt64(color)
    }

    private static func slot(of color: UInt32) -> Int {
        Int((color &* 0x9E37_79B1) &>> 22)
    }
}
