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

/// PNG image data before compression: the filter byte and the differences of each row.
@safe
struct PNGFilteredRows: ~Copyable {
    enum Choice: Hashable, Sendable {
        case fixed(PNGFilter)
        /// For each row the filter with the smallest sum of differences.
        case smallest
        /// For each row the filter with the fewest different pairs of adjacent bytes. Slower, and
        /// often better for logos.
        case fewestPairs
    }

    enum Share: Sendable {
        case all
        /// Two of every eight rows.
        case sample
        /// Two of every 32 rows.
        case sparse

        private var period: Int {
            switch self {
            case .all: 2
            case .sample: 8
            case .sparse: 32
            }
        }

        func includes(_ row: Int) -> Bool { row % period < 2 }

        /// Returns the number of included rows among the first `height`.
        func count(of height: Int) -> Int { height / period * 2 + min(height % period, 2) }
    }

    let count: Int
    /// The bytes of a row, with its filter byte.
    let filteredRowBytes: Int
    /// The bytes of a pixel, or 1 if a pixel is smaller than a byte.
    let step: Int
    let base: UnsafeMutableRawPointer

    init(
        _ rows: borrowing PNGPackedRows, choice: Choice, share: Share = .all
    ) {
        filteredRowBytes = rows.rowBytes + 1
        step = rows.step
        let chosen = (0..<rows.height).lazy.filter(share.includes)
        count = filteredRowBytes * share.count(of: rows.height)
        unsafe base = .allocate(byteCount: count + PNGFilter.slack, alignment: 16)
        var target = unsafe base
        switch choice {
        case .fixed(let filter):
            for row in chosen {
                unsafe target.storeBytes(of: filter.rawValue, as: UInt8.self)
                unsafe filter.apply(
                    rows.row(row), above: rows.row(row - 1), result: target + 1,
                    count: rows.rowBytes, step: rows.step)
                unsafe target += filteredRowBytes
            }
        case .smallest, .fewestPairs:
            let scratch = UnsafeMutableRawPointer.allocate(
                byteCount: rows.rowBytes + PNGFilter.slack, alignment: 16)
            defer { unsafe scratch.deallocate() }
            for row in chosen {
                unsafe Self.filter(rows, row: row, choice, scratch: scratch, to: target)
                unsafe target += filteredRowBytes
            }
        }
    }

    deinit {
        unsafe base.deallocate()
    }

    private static func filter(
        _ rows: borrowing PNGPackedRows, row: Int, _ choice: Choice,
        scratch: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer
    ) {
        let source = unsafe rows.row(row)
        let above = unsafe rows.row(row - 1)
        let filter =
            unsafe choice == .fewestPairs
            ? PNGFilter.withFewestPairs(
                source, above: above, scratch: scratch, count: rows.rowBytes, step: rows.step)
            : PNGFilter.smallest(source, above: above, count: rows.rowBytes, step: rows.step)
        unsafe target.storeBytes(of: filter.rawValue, as: UInt8.self)
        unsafe filter.apply(
            source, above: above, result: target + 1, count: rows.rowBytes, step: rows.step)
    }
}

extension PNGFilteredRows {
    /// Returns an estimate of the compressed size in bits, for comparing encodings of the same
    /// image.
    ///
    /// Groups of four bytes that occurred before cost little, because they become part of a match.
    /// The cost of a new group is derived from the byte counts. The test for earlier groups has no
    /// branch, because half of the branches would be mispredicted.
    func guessedSize() -> Int {
        let slots = 4096
        let most = 1024
        let room = slots + most + LiteralCounts.valueCount
        return unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: room) { memory in
            guard let seen = memory.baseAddress, count > 4 else { return 0 }
            // An empty slot equals a group of four zeros, which also costs almost nothing.
            unsafe seen.initialize(repeating: 0, count: room)
            let fresh = unsafe seen + slots
            var literals = unsafe LiteralCounts(zeros: fresh + most)
            var known = 0
            var offset = 1
            while offset &+ 4 <= count {
                let groups = min(most, (count &- 4 &- offset) / step &+ 1)
                var new = 0
                // Adds `step` to the offset itself, because `stride` with a variable step takes
                // three times as long.
                for _ in 0..<groups {
                    let group = unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                    let slot = unsafe seen + Int((group &* 0x9E37_79B1) &>> 20)
                    unsafe fresh[new] = group
                    new &+= unsafe slot.pointee == group ? 0 : 1
                    unsafe slot.pointee = group
                    offset &+= step
                }
                known &+= groups &- new
                for index in 0..<new { unsafe literals.add(fresh[index], bytes: step) }
            }
            return 3 * known + literals.bits
        }
    }
}

/// The count of each byte among the literals. The counts are in a borrowed buffer, because an
/// inline array would be copied for each group.
@safe
private struct LiteralCounts {
    static let valueCount = 256

    private let counts: UnsafeMutablePointer<UInt32>
    private var total = 0

    @unsafe
    init(zeros: UnsafeMutablePointer<UInt32>) {
        unsafe counts = zeros
    }

    /// Adds the first `bytes` bytes of a group, at most four.
    mutating func add(_ group: UInt32, bytes: Int) {
        var group = group
        for _ in 0..<min(bytes, 4) {
            unsafe counts[Int(group & 0xFF)] &+= 1
            group &>>= 8
        }
        total &+= min(bytes, 4)
    }

    /// The size in bits with optimal code lengths.
    var bits: Int {
        let whole = Self.log2(total)
        var sum = 0
        for value in 0..<Self.valueCount {
            let count = unsafe Int(counts[value])
            sum += count * (whole - Self.log2(count))
        }
        return sum / 256
    }

    /// Returns the logarithm in 256ths by linear interpolation, the same on every processor.
    private static func log2(_ number: Int) -> Int {
        guard number > 0 else { return 0 }
        let exponent = Int.bitWidth - 1 - number.leadingZeroBitCount
        return exponent * 256 + ((number - 1 << exponent) * 256) >> exponent
    }
}
