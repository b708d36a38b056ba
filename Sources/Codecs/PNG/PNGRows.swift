import Raster

/// Takes the rows of the image data one after another and places their pixels in a picture.
///
/// Both ways of inflating end here, so both give the same pixels and refuse the same rows.
@safe
struct PNGRows: ~Copyable {
    private let header: PNGHeader
    private let samples: PNGSamples
    private let passes: [PNGPass]
    private var passIndex = 0
    private var rowIndex = 0
    private var alphas = UInt32.max
    /// Two unfiltered rows and a row of zeros, in one piece of memory.
    private let rows: UnsafeMutableRawPointer
    private let rowStride: Int
    private var useSecond = false
    /// The row above the next one, before conversion.
    private var above: UnsafeRawPointer
    /// One converted row of a pass whose pixels do not lie side by side.
    private let scattered: UnsafeMutableRawPointer?

    init(header: PNGHeader, samples: PNGSamples) {
        self.header = header
        self.samples = samples
        passes = PNGPass.all(of: header)
        rowStride = header.rowBytes(width: header.size.width) + PNGFilter.slack
        unsafe rows = .allocate(byteCount: rowStride * 3, alignment: 16)
        unsafe rows.initializeMemory(as: UInt8.self, repeating: 0, count: rowStride * 3)
        unsafe above = UnsafeRawPointer(rows + rowStride * 2)
        unsafe scattered =
            header.isInterlaced
            ? .allocate(byteCount: header.size.width * 4, alignment: 16) : nil
    }

    deinit {
        unsafe rows.deallocate()
        unsafe scattered?.deallocate()
    }

    /// Bytes held for a picture of this header.
    static func memoryCost(of header: PNGHeader) -> Int {
        (header.rowBytes(width: header.size.width) + PNGFilter.slack) * 3
            + (header.isInterlaced ? header.size.width * 4 : 0)
    }

    /// Every row has been taken.
    var isComplete: Bool { passIndex == passes.count }
    /// At least one row has been taken.
    var hasAny: Bool { passIndex > 0 || rowIndex > 0 }
    /// Every pixel taken is opaque.
    var isOpaque: Bool { samples.isSurelyOpaque || alphas >> 24 == 255 }
    /// Bytes of the next row with its filter byte, 0 when there is none.
    var nextByteCount: Int {
        isComplete ? 0 : header.rowBytes(width: passes[passIndex].size.width) + 1
    }

    /// Takes the next row, filter byte first, and writes its pixels. `row` must be followed by
    /// `PNGFilter.slack` readable bytes and stay as it is until the row after it was taken.
    @unsafe
    mutating func take(
        _ row: UnsafeRawPointer, into picture: UnsafeMutablePointer<UInt8>
    ) throws(DecodeError) {
        let pass = passes[passIndex]
        guard let filter = unsafe PNGFilter(rawValue: row.load(as: UInt8.self)) else {
            throw .corrupt("a row has an unknown filter")
        }
        let count = header.rowBytes(width: pass.size.width)
        if filter == .none {
            unsafe above = row + 1
        } else {
            let result = unsafe rows + (useSecond ? rowStride : 0)
            unsafe filter.undo(
                row + 1, above: above, result: result, count: count, step: header.filterStep)
            unsafe above = UnsafeRawPointer(result)
            useSecond.toggle()
        }
        unsafe place(pass, in: UnsafeMutableRawPointer(picture))
        rowIndex += 1
        if rowIndex == pass.size.height {
            rowIndex = 0
            passIndex += 1
            unsafe above = UnsafeRawPointer(rows + rowStride * 2)
        }
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
