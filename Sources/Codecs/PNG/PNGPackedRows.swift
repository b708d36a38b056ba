import Raster

/// The distinct colours of an image, if there are few enough for a palette.
struct PNGColors: Sendable {
    /// The colours, unordered unless sorted; red is in the lowest byte.
    private(set) var colors: [UInt32] = []
    /// The slots of an open hash table: the index in `colors` plus one; 0 for an empty slot.
    private var slots = [UInt16](repeating: 0, count: Self.slotCount)

    private static let slotCount = 1024
    /// The step between sampled pixels. It does not divide common widths, so that the samples do
    /// not form columns.
    private static let sampleStep = 13

    /// Collects the colours; nil if there are more than 256.
    init?(_ pixels: borrowing PNGStraightPixels) {
        // Most images have too many colours, and a sample of pixels usually shows that.
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

    func index(of color: UInt32) -> UInt8 {
        var slot = Self.slot(of: color)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if colors[index] == color { return UInt8(truncatingIfNeeded: index) }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        return 0
    }

    /// Returns the colours ordered by brightness, translucent colours first, so that few alphas are
    /// stored.
    func sorted() -> PNGColors {
        PNGColors(ordered: colors.sorted { Self.rank($0) < Self.rank($1) })
    }

    /// Returns the colours ordered by falling number of pixels, translucent colours first.
    func sorted(byUseIn pixels: borrowing PNGStraightPixels) -> PNGColors {
        var uses = [Int](repeating: 0, count: colors.count)
        for pixel in 0..<pixels.count { unsafe uses[Int(index(of: pixels.base[pixel]))] += 1 }
        let order = colors.indices.sorted { one, other in
            let (first, second) = (colors[one], colors[other])
            guard (first >> 24 == 255) == (second >> 24 == 255) else { return second >> 24 == 255 }
            return uses[one] == uses[other] ? first < second : uses[one] > uses[other]
        }
        return PNGColors(ordered: order.map { colors[$0] })
    }

    private init(ordered colors: [UInt32]) {
        self.colors = colors
        for (index, color) in colors.enumerated() {
            var slot = Self.slot(of: color)
            while slots[slot] != 0 { slot = (slot + 1) & (Self.slotCount - 1) }
            slots[slot] = UInt16(index + 1)
        }
    }

    /// Orders by opacity, then luma, then the colour itself, so that the order is total.
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

/// The rows of an image in the samples of one colour type, ready for filtering.
///
/// Eight zeros precede each row, zeros follow it, and a row of zeros precedes the first one. The
/// kernels therefore need no special case at the edges.
@safe
struct PNGPackedRows: ~Copyable {
    let rowBytes: Int
    let width: Int
    let height: Int
    let step: Int
    private let base: UnsafeMutableRawPointer
    /// The distance between rows in bytes.
    let stride: Int

    private static let margin = 8

    /// Packs straight pixels in the format of `header`; palette indices come from `colors`.
    init(_ pixels: borrowing PNGStraightPixels, header: PNGHeader, colors: PNGColors?) {
        rowBytes = header.rowBytes(width: header.size.width)
        width = header.size.width
        height = header.size.height
        step = header.filterStep
        stride = (rowBytes + Self.margin + PNGFilter.slack + 15) / 16 * 16
        unsafe base = .allocate(byteCount: stride * (height + 1), alignment: 16)
        unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: stride * (height + 1))
        for row in 0..<height {
            let source = unsafe pixels.base + row * width
            let target = unsafe UnsafeMutableRawPointer(mutating: self.row(row))
            if let colors {
                unsafe Self.packIndices(
                    source, target, width: width, depth: header.bitDepth, colors: colors)
            } else {
                unsafe Self.pack(source, target, width: width, type: header.colorType)
            }
        }
    }

    deinit {
        unsafe base.deallocate()
    }

    /// Returns the bytes of a row; index -1 is the row of zeros.
    @unsafe
    func row(_ index: Int) -> UnsafeRawPointer {
        unsafe UnsafeRawPointer(base + (index + 1) * stride + Self.margin)
    }

    private static func pack(
        _ source: UnsafePointer<UInt32>, _ target: UnsafeMutableRawPointer, width: Int,
        type: PNGHeader.ColorType
    ) {
        switch type {
        case .rgba:
            unsafe target.copyMemory(from: source, byteCount: width * 4)
        case .rgb:
            // The next pixel overwrites the fourth byte; the surplus of the last pixel is cleared
            // below.
            for column in 0..<width {
                unsafe target.storeBytes(
                    of: source[column], toByteOffset: column &* 3, as: UInt32.self)
            }
            unsafe target.storeBytes(of: 0, toByteOffset: width * 3, as: UInt8.self)
        case .greyAlpha:
            for column in 0..<width {
                let pixel = unsafe source[column]
                let packed = UInt16(truncatingIfNeeded: pixel &>> 16 & 0xFF00 | pixel & 0xFF)
                unsafe target.storeBytes(of: packed, toByteOffset: column &* 2, as: UInt16.self)
            }
        case .grey, .palette:
            for column in 0..<width {
                let grey = unsafe UInt8(truncatingIfNeeded: source[column])
                unsafe target.storeBytes(of: grey, toByteOffset: column, as: UInt8.self)
            }
        }
    }

    private static func packIndices(
        _ source: UnsafePointer<UInt32>, _ target: UnsafeMutableRawPointer, width: Int,
        depth: Int, colors: PNGColors
    ) {
        var last: UInt32 = 0
        var index = colors.index(of: last)
        for column in 0..<width {
            let color = unsafe source[column]
            if color != last {
                last = color
                index = colors.index(of: color)
            }
            let bit = column * depth
            let byte = unsafe target.load(fromByteOffset: bit >> 3, as: UInt8.self)
            let shifted = index << UInt8(8 - depth - bit & 7)
            unsafe target.storeBytes(
                of: byte | shifted, toByteOffset: bit >> 3, as: UInt8.self)
        }
    }
}
