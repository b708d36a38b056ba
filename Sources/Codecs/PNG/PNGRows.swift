import Raster

/// Takes the rows of the image data one after another and places their pixels in a picture.
@safe
struct PNGRows: ~Copyable {
    private let header: PNGHeader
    private let samples: PNGSamples
    private let passes: [PNGPass]
    private var passIndex = 0
    private var rowIndex = 0
    private var alphas = UInt32.max
    /// Three unfiltered rows and a row of zeros, in one piece of memory.
    private let rows: UnsafeMutableRawPointer
    private let rowStride: Int
    /// The one of the three to be written next.
    private var free = 0
    /// The row above the next one, before conversion.
    private var above: UnsafeRawPointer
    /// One converted row of a pass whose pixels do not lie side by side.
    private let scattered: UnsafeMutableRawPointer?

    /// The pixels of a row overwrite the bytes of this one and earlier ones.
    private let isInPlace: Bool

    init(header: PNGHeader, samples: PNGSamples, isInPlace: Bool = false) {
        self.header = header
        self.isInPlace = isInPlace
        self.samples = samples
        passes = PNGPass.all(of: header)
        rowStride = header.rowBytes(width: header.size.width) + PNGFilter.slack
        unsafe rows = .allocate(byteCount: rowStride * 4, alignment: 16)
        unsafe rows.initializeMemory(as: UInt8.self, repeating: 0, count: rowStride * 4)
        unsafe above = UnsafeRawPointer(rows + rowStride * 3)
        unsafe scattered =
            header.isInterlaced
            ? .allocate(byteCount: header.size.width * 4, alignment: 16) : nil
    }

    deinit {
        unsafe rows.deallocate()
        unsafe scattered?.deallocate()
    }

    /// Every row has been taken.
    var isComplete: Bool { passIndex == passes.count }
    /// Every pixel taken is opaque.
    var isOpaque: Bool { samples.isSurelyOpaque || alphas >> 24 == 255 }

    /// Takes the next row, filter byte first, and writes its pixels; where all rows lie one after
    /// the other (`hasMore`), the one after it as well if both are done sooner together. `row` must
    /// be followed by `PNGFilter.slack` readable bytes and stay as it is until the row after it was
    /// taken. Returns the bytes that were.
    @discardableResult @unsafe
    mutating func take(
        _ row: UnsafeRawPointer, hasMore: Bool = false,
        into picture: UnsafeMutablePointer<UInt8>
    ) throws(DecodeError) -> Int {
        let pass = passes[passIndex]
        guard let filter = unsafe PNGFilter(rawValue: row.load(as: UInt8.self)) else {
            throw .corrupt("a row has an unknown filter")
        }
        let count = header.rowBytes(width: pass.size.width)
        let picture = UnsafeMutableRawPointer(picture)
        let lower = unsafe row + count + 1
        var taken = count + 1
        if filter == .none, !isInPlace {
            unsafe above = row + 1
        } else if hasMore, filter == .paeth, header.filterStep <= 4,
            rowIndex + 1 < pass.size.height,
            unsafe lower.load(as: UInt8.self) == PNGFilter.paeth.rawValue
        {
            let results = unsafe (upper: nextFree(), lower: nextFree())
            unsafe PNGFilter.undoPaeth(
                row + 1, lower + 1, above: above, results: results, count: count,
                step: header.filterStep)
            unsafe above = UnsafeRawPointer(results.upper)
            unsafe place(pass, in: picture)
            rowIndex += 1
            taken *= 2
            unsafe above = UnsafeRawPointer(results.lower)
        } else {
            let result = unsafe nextFree()
            unsafe filter.undo(
                row + 1, above: above, result: result, count: count, step: header.filterStep)
            unsafe above = UnsafeRawPointer(result)
        }
        unsafe place(pass, in: picture)
        rowIndex += 1
        if rowIndex == pass.size.height {
            rowIndex = 0
            passIndex += 1
            unsafe above = UnsafeRawPointer(rows + rowStride * 3)
        }
        return taken
    }

    private mutating func nextFree() -> UnsafeMutableRawPointer {
        let result = unsafe rows + free * rowStride
        free = (free + 1) % 3
        return unsafe result
    }

    /// Converts the row just unfiltered and puts its pixels where they belong.
    private mutating func place(_ pass: PNGPass, in picture: UnsafeMutableRawPointer) {
        let line = (pass.firstRow + rowIndex * pass.rowStep) * header.size.width
        let target = unsafe picture + (line + pass.firstColumn) * 4
        guard pass.columnStep > 1, let scattered = unsafe scattered else {
            alphas &= unsafe samples.convert(above, to: target, count: pass.size.width)
            return
        }
        alphas &= unsafe samples.convert(above, to: scattered, count: pass.size.width)
        let stride = pass.columnStep * 4
        for column in 0..<pass.size.width {
            unsafe target.storeBytes(
                of: scattered.load(fromByteOffset: column &* 4, as: UInt32.self),
                toByteOffset: column &* stride, as: UInt32.self)
        }
    }
}
