import Raster

/// Reduces an image to at most 256 colours, with integers and without randomness.
///
/// Distances are between premultiplied colours, which are the visible ones. Opaque pixels stay
/// opaque and transparent pixels transparent. Boxes of colours are split where the error is largest
/// until there are enough; a few rounds of k-means then move their means.
enum PaletteQuantizer {
    static func reduce(_ picture: borrowing PixelBuffer) -> PixelBuffer {
        let count = picture.size.area
        var histogram = unsafe picture.withUnsafePixels { pixels in
            unsafe PaletteHistogram(UnsafeRawPointer(pixels), count: count)
        }
        var boxes = histogram.initialBoxes
        // An entry is reserved for transparent pixels, which belong to no box.
        while boxes.count < 255 {
            guard let worst = boxes.indices.max(by: { boxes[$0].error < boxes[$1].error }),
                boxes[worst].error > 0
            else { break }
            let (low, high) = boxes[worst].split(&histogram.cells)
            boxes[worst] = low
            boxes.append(high)
        }
        let groups = boxes.map { ($0.mean, $0.isOpaque) }
        let opaque = refine(groups.filter(\.1).map(\.0), histogram.cells, isOpaque: true)
        let veiled = refine(groups.filter { !$0.1 }.map(\.0), histogram.cells, isOpaque: false)
        return paint(picture, opaque: opaque, veiled: veiled)
    }

    /// Moves each colour to the mean of its nearest cells, a few times.
    private static func refine(
        _ colors: [PaletteColor], _ cells: [PaletteCell], isOpaque: Bool
    ) -> PaletteSearch {
        var search = PaletteSearch(colors)
        guard !colors.isEmpty else { return search }
        let cells = cells.filter { $0.isOpaque == isOpaque }
        for _ in 0..<3 {
            var sums = [PaletteSum](repeating: PaletteSum(), count: search.colors.count)
            for cell in cells {
                sums[search.nearest(to: cell.color)].add(cell)
            }
            let moved = zip(sums, search.colors).map { $0.weight > 0 ? $0.mean : $1 }
            if moved == search.colors { break }
            search = PaletteSearch(moved)
        }
        return search
    }

    private static func paint(
        _ picture: borrowing PixelBuffer, opaque: PaletteSearch, veiled: PaletteSearch
    ) -> PixelBuffer {
        var result = PixelBuffer(size: picture.size)
        let count = picture.size.area
        unsafe picture.withUnsafePixels { pixels in
            let source = unsafe UnsafeRawPointer(pixels)
            unsafe result.withUnsafeMutablePixels { pixels in
                let target = UnsafeMutableRawPointer(pixels)
                var known = [UInt64](repeating: 0, count: 4096)
                for index in 0..<count {
                    let pixel = unsafe source.loadUnaligned(
                        fromByteOffset: index &* 4, as: UInt32.self)
                    if pixel >> 24 == 0 { continue }
                    let slot = Int((pixel &* 0x9E37_79B1) &>> 20)
                    if known[slot] >> 32 != UInt64(pixel) {
                        let search = pixel >> 24 == 255 ? opaque : veiled
                        let color = PaletteColor(pixel: pixel)
                        let found = search.colors[search.nearest(to: color)].pixel
                        known[slot] = UInt64(pixel) << 32 | UInt64(found)
                    }
                    unsafe target.storeBytes(
                        of: UInt32(truncatingIfNeeded: known[slot]), toByteOffset: index &* 4,
                        as: UInt32.self)
                }
            }
        }
        return result
    }
}

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

    init(pixel: UInt32) {
        red = Int32(pixel & 0xFF)
        green = Int32(pixel >> 8 & 0xFF)
        blue = Int32(pixel >> 16 & 0xFF)
        alpha = Int32(pixel >> 24)
    }

    var pixel: UInt32 {
        UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | UInt32(alpha) << 24
    }

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

/// A group of similar colours that are treated as one, with their pixel count.
struct PaletteCell: Sendable {
    var color: PaletteColor
    var weight: Int

    var isOpaque: Bool { color.alpha == 255 }
}

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

    /// The mean, rounded; requires a weight above 0.
    var mean: PaletteColor {
        func axis(_ axis: Int) -> Int32 { Int32((sums[axis] * 2 + weight) / (weight * 2)) }
        return PaletteColor(red: axis(0), green: axis(1), blue: axis(2), alpha: axis(3))
    }

    /// Returns the sum of squared distances from the mean along an axis.
    func error(along axis: Int) -> Int {
        guard weight > 0 else { return 0 }
        // The square of the sum has double width, because it exceeds 63 bits above twelve million
        // pixels.
        let sum = UInt(sums[axis])
        let mean = UInt(weight).dividingFullWidth(sum.multipliedFullWidth(by: sum)).quotient
        return max(0, squares[axis] - Int(mean))
    }
}

/// The colours of an image in cells fine enough for choosing a palette.
struct PaletteHistogram: Sendable {
    /// The opaque cells, followed by the translucent cells.
    var cells: [PaletteCell]
    private let opaqueCount: Int

    private static let slotCount = 1 << 16
    private static let cellsLimit = 24_000

    /// Counts `count` premultiplied pixels; ignores fully transparent pixels.
    @unsafe
    init(_ pixels: UnsafeRawPointer, count: Int) {
        var bits: UInt32 = 8
        var found: [PaletteCell]?
        while found == nil {
            found = unsafe Self.cells(pixels, count: count, bits: bits)
            // Photographs have too many colours, so similar colours are merged by dropping low
            // bits.
            bits -= 1
        }
        let all = found ?? []
        cells = all.filter(\.isOpaque)
        opaqueCount = cells.count
        cells += all.filter { !$0.isOpaque }
    }

    /// Returns the cells of colours that are equal in the highest `bits` bits of each channel, or
    /// nil if there are too many. Four bits always suffice: premultiplied colours of four bits per
    /// channel form fewer than 24,000 cells.
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
            // Opaque and nearly opaque colours never share a cell.
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

    /// The initial boxes: one of all opaque colours and one of all translucent colours.
    var initialBoxes: [PaletteBox] {
        [
            PaletteBox(cells, range: 0..<opaqueCount, isOpaque: true),
            PaletteBox(cells, range: opaqueCount..<cells.count, isOpaque: false),
        ].filter { !$0.range.isEmpty }
    }
}

/// A group of cells that becomes a palette colour unless it is split.
struct PaletteBox: Sendable {
    let range: Range<Int>
    let isOpaque: Bool
    let mean: PaletteColor
    /// The squared error along the worst axis, which is the gain of a split; 0 for a single colour.
    let error: Int
    private let axis: Int

    init(_ cells: [PaletteCell], range: Range<Int>, isOpaque: Bool) {
        var sum = PaletteSum()
        for cell in cells[range] { sum.add(cell) }
        let errors = (0..<4).map { sum.error(along: $0) }
        let worst = (0..<4).max { errors[$0] < errors[$1] } ?? 0
        self.range = range
        self.isOpaque = isOpaque
        mean = sum.weight > 0 ? sum.mean : PaletteColor(pixel: 0)
        axis = worst
        let first = cells[range].first?.color
        error = cells[range].allSatisfy { $0.color == first } ? 0 : errors[worst]
    }

    /// Splits at the mean of the worst axis and groups the cells of each side.
    func split(_ cells: inout [PaletteCell]) -> (low: PaletteBox, high: PaletteBox) {
        let cut = mean[axis]
        // Uses a buffer, because an array slice would be copied.
        let middle = unsafe cells.withUnsafeMutableBufferPointer { [axis, range] cells in
            let middle = unsafe cells[range].partition { $0.color[axis] > cut }
            // If no value is above the rounded mean, splits off the greatest value instead.
            return middle < range.upperBound
                ? middle : unsafe cells[range].partition { $0.color[axis] >= cut }
        }
        return (
            PaletteBox(cells, range: range.lowerBound..<middle, isOpaque: isOpaque),
            PaletteBox(cells, range: middle..<range.upperBound, isOpaque: isOpaque)
        )
    }
}

struct PaletteSearch: Sendable {
    /// The colours, ordered by the sum of their channels.
    let colors: [PaletteColor]
    private let sums: [Int32]

    init(_ colors: [PaletteColor]) {
        self.colors = colors.sorted { ($0.sum, $0.pixel) < ($1.sum, $1.pixel) }
        sums = self.colors.map(\.sum)
    }

    /// Returns the index in `colors` of the nearest colour; `colors` must not be empty.
    ///
    /// Colours whose sums differ by s are at least s / 2 apart. The search therefore starts at the
    /// colour's own sum, goes outwards, and ends when that bound exceeds the best distance.
    func nearest(to color: PaletteColor) -> Int {
        let sum = color.sum
        var high = sums.partitioningIndex { $0 >= sum }
        var low = high - 1
        var best = 0
        var distance = Int32.max
        while low >= 0 || high < sums.count {
            var isDone = true
            if low >= 0 {
                let gap = sum &- sums[low]
                if gap &* gap / 4 <= distance {
                    let found = color.squareDistance(to: colors[low])
                    if found < distance { (best, distance) = (low, found) }
                    low -= 1
                    isDone = false
                } else {
                    low = -1
                }
            }
            if high < sums.count {
                let gap = sums[high] &- sum
                if gap &* gap / 4 <= distance {
                    let found = color.squareDistance(to: colors[high])
                    if found < distance { (best, distance) = (high, found) }
                    high += 1
                    isDone = false
                } else {
                    high = sums.count
                }
            }
            if isDone { break }
        }
        return best
    }
}

extension [Int32] {
    /// Returns the first index whose element satisfies `isAfter`; all elements that satisfy it must
    /// be at the end.
    fileprivate func partitioningIndex(_ isAfter: (Int32) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
