import CLibDeflate
import Raster

/// Converts inflated image data, which is not interlaced, row by row to the pixels of the image.
@safe
struct PNGRows: ~Copyable {
    private let header: PNGHeader
    private let samples: PNGSamples
    /// The AND of all converted pixels. Its highest byte is 255 if all of them are opaque.
    private var alphas = UInt32.max
    /// Three unfiltered rows and a row of zeros, in one allocation.
    private let rows: UnsafeMutableRawPointer
    private let rowStride: Int
    /// The index of the row buffer that is written next.
    private var free = 0
    /// The previous row, before conversion.
    private var above: UnsafeRawPointer
    /// Whether the inflated rows are stored in the memory of the image, so that the pixels of a row
    /// overwrite the inflated bytes of that row and of earlier ones.
    private let isInPlace: Bool

    init(header: PNGHeader, samples: PNGSamples, isInPlace: Bool = false) {
        self.header = header
        self.isInPlace = isInPlace
        self.samples = samples
        rowStride = header.rowBytes(width: header.size.width) + PNGFilter.slack
        unsafe rows = .allocate(byteCount: rowStride * 4, alignment: 16)
        unsafe rows.initializeMemory(as: UInt8.self, repeating: 0, count: rowStride * 4)
        unsafe above = UnsafeRawPointer(rows + rowStride * 3)
    }

    deinit {
        unsafe rows.deallocate()
    }

    var isOpaque: Bool { samples.isSurelyOpaque || alphas >> 24 == 255 }

    /// Converts all rows, each with its filter byte first. `PNGFilter.slack` readable bytes follow
    /// the data. Two consecutive rows with the Paeth filter are converted together, which is
    /// faster.
    @unsafe
    mutating func convert(
        _ data: UnsafeRawPointer, into picture: UnsafeMutablePointer<UInt8>
    ) throws(DecodeError) {
        let (width, height) = (header.size.width, header.size.height)
        let count = header.rowBytes(width: width)
        var row = unsafe data
        var target = UnsafeMutableRawPointer(picture)
        var index = 0
        while index < height {
            guard let filter = unsafe PNGFilter(rawValue: row.load(as: UInt8.self)) else {
                throw .corrupt("a row has an unknown filter")
            }
            let lower = unsafe row + count + 1
            if filter == .none, !isInPlace {
                unsafe above = row + 1
            } else if filter == .paeth, header.filterStep <= 4, index + 1 < height,
                unsafe lower.load(as: UInt8.self) == PNGFilter.paeth.rawValue
            {
                let results = unsafe (upper: nextFree(), lower: nextFree())
                unsafe PNGFilter.undoPaeth(
                    row + 1, lower + 1, above: above, results: results, count: count,
                    step: header.filterStep)
                alphas &= unsafe samples.convert(results.upper, to: target, count: width)
                unsafe above = UnsafeRawPointer(results.lower)
                unsafe row = lower
                unsafe target += width * 4
                index += 1
            } else {
                let result = unsafe nextFree()
                unsafe filter.undo(
                    row + 1, above: above, result: result, count: count, step: header.filterStep)
                unsafe above = UnsafeRawPointer(result)
            }
            alphas &= unsafe samples.convert(above, to: target, count: width)
            unsafe row += count + 1
            unsafe target += width * 4
            index += 1
        }
    }

    private mutating func nextFree() -> UnsafeMutableRawPointer {
        let result = unsafe rows + free * rowStride
        free = (free + 1) % 3
        return unsafe result
    }
}

/// The conversion of unfiltered bytes to RGBA pixels, chosen once per image.
///
/// Grey samples and palette indices use a table of premultiplied sRGB pixels. Other pixels are
/// computed, and premultiplied while the row is in the cache.
struct PNGSamples: Sendable {
    private let header: PNGHeader
    /// The premultiplied sRGB pixels by sample or palette index; red is in the lowest byte.
    private var table: [UInt32] = []
    /// The transparent colour of an RGB image, as an opaque pixel.
    private var key: UInt32?
    /// Whether `convert` writes straight pixels, because a profile must be applied before they are
    /// premultiplied.
    let writesStraightPixels: Bool
    /// Whether no pixel can have alpha.
    let isSurelyOpaque: Bool

    init(layout: PNGLayout, bytes: Span<UInt8>, transform: ColorTransform?) {
        header = layout.header
        let depth = header.bitDepth
        isSurelyOpaque = !header.colorType.hasAlphaSample && layout.transparency == nil
        let body = bytes.extracting(layout.transparency ?? 0..<0)
        switch header.colorType {
        case .palette:
            table = Self.finished(Self.paletteTable(of: layout, bytes: bytes), transform)
        case .grey:
            // Bits above the sample depth are ignored, as in other decoders.
            let key = body.isEmpty ? nil : body.bigEndian16(at: 0) & (1 << depth - 1)
            table = Self.finished(Self.greyTable(depth: depth, key: key), transform)
        case .rgb where !body.isEmpty:
            key =
                UInt32(body[1]) | UInt32(body[3]) << 8 | UInt32(body[5]) << 16 | 0xFF00_0000
        default: break
        }
        writesStraightPixels = table.isEmpty && transform != nil
    }

    /// Converts straight pixels to sRGB and premultiplies them.
    private static func finished(_ pixels: [UInt32], _ transform: ColorTransform?) -> [UInt32] {
        var result = pixels
        unsafe result.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            unsafe transform?.convert(
                base.assumingMemoryBound(to: UInt8.self), pixelCount: pixels.count)
            _ = unsafe Premultiplication.row(base, result: base, count: pixels.count)
        }
        return result
    }

    /// Returns straight pixels; an index beyond the palette is opaque black, as in libpng.
    private static func paletteTable(of layout: PNGLayout, bytes: Span<UInt8>) -> [UInt32] {
        var table = [UInt32](repeating: 0xFF00_0000, count: 256)
        guard let range = layout.palette else { return table }
        let body = bytes.extracting(range)
        let entries = min(body.count / 3, 1 << layout.header.bitDepth)
        for index in 0..<entries {
            table[index] =
                UInt32(body[index * 3]) | UInt32(body[index * 3 + 1]) << 8
                | UInt32(body[index * 3 + 2]) << 16 | 0xFF00_0000
        }
        if let range = layout.transparency {
            let alphas = bytes.extracting(range)
            for index in 0..<min(alphas.count, entries) {
                table[index] = table[index] & 0x00FF_FFFF | UInt32(alphas[index]) << 24
            }
        }
        return table
    }

    private static func greyTable(depth: Int, key: Int?) -> [UInt32] {
        let greatest = (1 << depth) - 1
        return (0..<256).map { sample in
            if sample == key { return 0 }
            return UInt32(min(sample, greatest) * (255 / greatest)) * 0x01_0101 | 0xFF00_0000
        }
    }

    /// Writes `count` pixels from the bytes of a row and returns the AND of their alphas in the
    /// highest byte. Up to four bytes past the row are read.
    @unsafe
    func convert(_ row: UnsafeRawPointer, to result: UnsafeMutableRawPointer, count: Int) -> UInt32
    {
        switch header.colorType {
        case .palette, .grey:
            return unsafe header.bitDepth == 8
                ? lookUp(row, result, count) : lookUpBits(row, result, count)
        case .rgb:
            unsafe rgb(row, result, count)
        case .rgba:
            if writesStraightPixels {
                unsafe result.copyMemory(from: row, byteCount: count * 4)
            } else {
                return unsafe Premultiplication.row(row, result: result, count: count)
            }
        case .greyAlpha:
            unsafe greyAlpha(row, result, count)
        }
        if writesStraightPixels { return 0 }
        return isSurelyOpaque
            ? .max : unsafe Premultiplication.row(result, result: result, count: count)
    }

    private func lookUp(
        _ row: UnsafeRawPointer, _ result: UnsafeMutableRawPointer, _ count: Int
    ) -> UInt32 {
        unsafe table.withUnsafeBufferPointer { table in
            var alphas = UInt32.max
            for index in 0..<count {
                let sample = unsafe row.load(fromByteOffset: index, as: UInt8.self)
                let pixel = unsafe table[Int(sample)]
                alphas &= pixel
                unsafe result.storeBytes(of: pixel, toByteOffset: index &* 4, as: UInt32.self)
            }
            return alphas
        }
    }

    private func lookUpBits(
        _ row: UnsafeRawPointer, _ result: UnsafeMutableRawPointer, _ count: Int
    ) -> UInt32 {
        let depth = header.bitDepth
        let mask = UInt8(truncatingIfNeeded: (1 << depth) - 1)
        return unsafe table.withUnsafeBufferPointer { table in
            var alphas = UInt32.max
            for index in 0..<count {
                let bit = index &* depth
                let byte = unsafe row.load(fromByteOffset: bit &>> 3, as: UInt8.self)
                let shift = UInt8(truncatingIfNeeded: 8 &- depth &- bit & 7)
                let pixel = unsafe table[Int(byte &>> shift & mask)]
                alphas &= pixel
                unsafe result.storeBytes(of: pixel, toByteOffset: index &* 4, as: UInt32.self)
            }
            return alphas
        }
    }

    private func rgb(
        _ row: UnsafeRawPointer, _ result: UnsafeMutableRawPointer, _ count: Int
    ) {
        for index in 0..<count {
            let pixel =
                unsafe row.loadUnaligned(fromByteOffset: index &* 3, as: UInt32.self) | 0xFF00_0000
            unsafe result.storeBytes(of: pixel, toByteOffset: index &* 4, as: UInt32.self)
        }
        guard let key else { return }
        for index in 0..<count
        where unsafe result.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self) == key {
            unsafe result.storeBytes(of: 0, toByteOffset: index &* 4, as: UInt32.self)
        }
    }

    private func greyAlpha(
        _ row: UnsafeRawPointer, _ result: UnsafeMutableRawPointer, _ count: Int
    ) {
        for index in 0..<count {
            let grey = unsafe row.load(fromByteOffset: index &* 2, as: UInt8.self)
            let alpha = unsafe row.load(fromByteOffset: index &* 2 &+ 1, as: UInt8.self)
            let pixel = UInt32(grey) &* 0x01_0101 | UInt32(alpha) &<< 24
            unsafe result.storeBytes(of: pixel, toByteOffset: index &* 4, as: UInt32.self)
        }
    }
}
