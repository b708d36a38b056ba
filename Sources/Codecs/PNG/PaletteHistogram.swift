/// The colours of a picture in cells fine enough for choosing a palette.
struct PaletteHistogram: Sendable {
    /// Opaque cells, then those that let something through.
    var cells: [PaletteCell]
    private let opaqueCount: Int

    private static let slotCount = 1 << 16
    private static let cellsLimit = 24_000

    /// Counts `count` premultiplied pixels; those that are fully transparent are left out.
    @unsafe
    init(_ pixels: UnsafeRawPointer, count: Int) {
        var bits: UInt32 = 8
        var found: [PaletteCell]?
        while found == nil {
            found = unsafe Self.cells(pixels, count: count, bits: bits)
            // Photographs have too many colours, so their last bits are put together.
            bits -= 1
        }
        let all = found ?? []
        cells = all.filter(\.isOpaque)
        opaqueCount = cells.count
        cells += all.filter { !$0.isOpaque }
    }

    /// The cells of colours equal in their first `bits`, or nil where there are too many; four
    /// bits of four channels always suffice.
    private static func cells(
        _ pixels: UnsafeRawPointer, count: Int, bits: UInt32
    ) -> [PaletteCell]? {
        let mask: UInt32 = (0xFF << (8 - bits) & 0xFF) * 0x01_0101
        var keys = [UInt32](repeating: 0, count: slotCount)
        var indices = [Int32](repeating: -1, count: slotCount)
        var sums: [PaletteSum] = []
        for index in 0..<count {
            let pixel = unsafe pixels.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
            if pixel >> 24 == 0 { continue }
            // Opaque and nearly opaque never share a cell.
            let isOpaque = pixel >> 24 == 255
            let key = pixel & (mask | (isOpaque ? 0xFF << 24 : mask << 24))
            var slot = Int((key &* 0x9E37_79B1) &>> 16)
            while indices[slot] >= 0, keys[slot] != key { slot = (slot + 1) & (slotCount - 1) }
            if indices[slot] < 0 {
                guard sums.count < cellsLimit || bits <= 3 else { return nil }
                keys[slot] = key
                indices[slot] = Int32(sums.count)
                sums.append(PaletteSum())
            }
            sums[Int(indices[slot])].add(
                PaletteCell(color: PaletteColor(pixel: pixel), weight: 1))
        }
        return sums.map { PaletteCell(color: $0.mean, weight: $0.weight) }
    }

    /// The boxes to begin with: what is opaque, and what is not.
    var classes: [PaletteBox] {
        [
            PaletteBox(cells, range: 0..<opaqueCount, isOpaque: true),
            PaletteBox(cells, range: opaqueCount..<cells.count, isOpaque: false),
        ].filter { !$0.range.isEmpty }
    }
}
