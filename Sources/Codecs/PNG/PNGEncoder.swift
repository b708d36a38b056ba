import Digest
import Raster

/// Writes PNG with the smallest colour type that holds the image, and no metadata.
package enum PNGEncoder {
    /// Encodes losslessly, or, with `palette`, in at most 256 colours chosen for the image.
    ///
    /// Decoding restores the same premultiplied pixels. The same pixels and effort give the same
    /// bytes. With `codecs` of `.system`, the effort has no effect.
    package static func encode(
        _ picture: borrowing PixelBuffer, palette: Bool, effort: EncodeEffort = .standard,
        codecs: CodecChoice = .fast, kernel: KernelChoice = .best
    ) throws(EncodeError) -> [UInt8] {
        let edge = OutputFormat.png.edgeLimit
        guard picture.width <= edge, picture.height <= edge else {
            throw .tooLarge(.png, picture.size)
        }
        let pixels = PNGStraightPixels(picture)
        let colors = PNGColors(pixels)
        guard palette, colors == nil else {
            return try write(
                pixels, colors: colors, effort: effort, codecs: codecs, kernel: kernel)
        }
        let reduced = PNGStraightPixels(PaletteQuantizer.reduce(picture))
        return try write(
            reduced, colors: PNGColors(reduced), effort: effort, codecs: codecs, kernel: kernel)
    }

    private static func write(
        _ pixels: borrowing PNGStraightPixels, colors: PNGColors?, effort: EncodeEffort,
        codecs: CodecChoice, kernel: KernelChoice
    ) throws(EncodeError) -> [UInt8] {
        guard codecs == .fast else { return try throughLibrary(pixels, colors: colors) }
        return switch effort {
        case .fast: try quickest(pixels, colors: colors, kernel: kernel)
        case .standard: try smallest(pixels, colors: colors, kernel: kernel)
        case .small: try searched(pixels, colors: colors, kernel: kernel)
        }
    }

    /// Encodes the smallest colour type with libpng and its default filters and effort.
    private static func throughLibrary(
        _ pixels: borrowing PNGStraightPixels, colors: PNGColors?
    ) throws(EncodeError) -> [UInt8] {
        let type = pixels.colorType
        if let colors = colors?.sorted(), type != .grey || colors.colors.count <= 16 {
            let header = PNGHeader(indexed: pixels.size, colors: colors.colors.count)
            let rows = PNGPackedRows(pixels, header: header, colors: colors)
            return try PNGLibrary.encode(rows, header: header, palette: colors.colors)
        }
        let header = PNGHeader(unindexed: pixels)
        let rows = PNGPackedRows(pixels, header: header, colors: nil)
        return try PNGLibrary.encode(rows, header: header, palette: [])
    }

    /// The pixel count up to which several encodings are tried: estimates are less accurate for
    /// small images, and trials cost little.
    private static let smallArea = 4096

    /// Estimates the possible encodings and compresses the best. For a small image it compresses
    /// all encodings that could be the best.
    private static func smallest(
        _ pixels: borrowing PNGStraightPixels, colors: PNGColors?, kernel: KernelChoice
    ) throws(EncodeError) -> [UInt8] {
        let header = PNGHeader(unindexed: pixels)
        var file: [UInt8] = []
        // Eight-bit indices are as long as grey samples, so a grey image uses a palette only up to
        // 16 colours.
        if let colors, pixels.count > smallArea,
            header.colorType != .grey || colors.colors.count <= 16
        {
            try PNGCandidate(pixels, colors: colors.sorted()).write(smallest: &file)
            return file
        }
        let rows = PNGPackedRows(pixels, header: header, colors: nil)
        guard pixels.count > smallArea else {
            try tryAll(pixels, rows, header: header, colors: colors, kernel: kernel, to: &file)
            return file
        }
        let strategy = PNGStrategy.best(of: rows, kernel: kernel)
        try PNGCandidate(rows, header: header, strategy: strategy, kernel: kernel).write(
            smallest: &file)
        return file
    }

    /// Encodes a small image in each way that could be the smallest.
    private static func tryAll(
        _ pixels: borrowing PNGStraightPixels, _ rows: borrowing PNGPackedRows,
        header: PNGHeader, colors: PNGColors?, kernel: KernelChoice, to file: inout [UInt8]
    ) throws(EncodeError) {
        let guess = PNGStrategy.guesses(rows, share: .all, kernel: kernel)
        // Tries the encodings whose estimate is at most 1.4 times the smallest estimate.
        var limit = min(guess.unfiltered, guess.filtered) * 14
        if let colors {
            let indexed = PNGCandidate(pixels, colors: colors.sorted())
            limit = min(limit, indexed.guessedSize() * 14)
            // Indices compress quickly, and for a few scattered colours they are smaller than
            // estimated.
            try indexed.write(smallest: &file)
        }
        if guess.unfiltered * 10 <= limit {
            try PNGCandidate(rows, header: header, strategy: .unfiltered).write(smallest: &file)
        }
        if guess.filtered * 10 <= limit {
            try PNGCandidate(rows, header: header, strategy: .filtered, kernel: kernel)
                .write(smallest: &file)
        }
    }

    /// Chooses an encoding by the estimates of a sample, and compresses it quickly.
    private static func quickest(
        _ pixels: borrowing PNGStraightPixels, colors: PNGColors?, kernel: KernelChoice
    ) throws(EncodeError) -> [UInt8] {
        let header = PNGHeader(unindexed: pixels)
        if let colors, header.colorType != .grey || colors.colors.count <= 16 {
            return try PNGCandidate(pixels, colors: colors.sorted(), effort: .quick).written()
        }
        let rows = PNGPackedRows(pixels, header: header, colors: nil)
        let guess = PNGStrategy.guesses(rows, share: .sparse, kernel: kernel)
        let strategy = PNGStrategy(
            // Unfiltered rows compress faster, and their estimate is too high more often.
            choice: guess.unfiltered * 4 <= guess.filtered * 5 ? .fixed(.none) : .smallest,
            effort: .quick)
        return try PNGCandidate(rows, header: header, strategy: strategy, kernel: kernel).written()
    }

    /// Compresses all encodings that could be the best, and the smallest of them again with the
    /// effort `exhaustive`, which takes most of the time.
    private static func searched(
        _ pixels: borrowing PNGStraightPixels, colors: PNGColors?, kernel: KernelChoice
    ) throws(EncodeError) -> [UInt8] {
        let header = PNGHeader(unindexed: pixels)
        let rows = PNGPackedRows(pixels, header: header, colors: nil)
        let palettes = colors.map { [$0.sorted(), $0.sorted(byUseIn: pixels)] } ?? []
        let choices: [PNGFilteredRows.Choice] = [.fixed(.none), .smallest, .fewestPairs]
        var least = Int.max
        var best = PNGRepresentation.rows(.fixed(.none))
        for way in palettes.map(PNGRepresentation.indexed) + choices.map(PNGRepresentation.rows) {
            let size = try way.write(pixels, rows, header: header, .thorough, kernel).count
            if size < least { (least, best) = (size, way) }
        }
        // Compresses the best encoding again instead of keeping every file, so that only one file
        // and its rows take memory.
        let file = try best.write(pixels, rows, header: header, .exhaustive, kernel)
        guard file.count > least else { return file }
        return try best.write(pixels, rows, header: header, .thorough, kernel)
    }
}

/// A representation of the pixels that can be compressed: palette indices or filtered rows.
private enum PNGRepresentation {
    case indexed(PNGColors)
    case rows(PNGFilteredRows.Choice)

    func write(
        _ pixels: borrowing PNGStraightPixels, _ rows: borrowing PNGPackedRows,
        header: PNGHeader, _ effort: PNGDeflate.Effort, _ kernel: KernelChoice
    ) throws(EncodeError) -> [UInt8] {
        switch self {
        case .indexed(let colors):
            try PNGCandidate(pixels, colors: colors, effort: effort).written()
        case .rows(let choice):
            try PNGCandidate(
                rows, header: header, strategy: PNGStrategy(choice: choice, effort: effort),
                kernel: kernel
            ).written()
        }
    }
}

extension PNGHeader {
    /// Describes the smallest colour type without a palette.
    fileprivate init(unindexed pixels: borrowing PNGStraightPixels) {
        self.init(
            size: pixels.size, bitDepth: 8, colorType: pixels.colorType, isInterlaced: false)
    }
}

extension PNGStraightPixels {
    /// The smallest colour type that holds every pixel in whole bytes.
    fileprivate var colorType: PNGHeader.ColorType {
        switch (isGrey, isOpaque) {
        case (true, true): .grey
        case (true, false): .greyAlpha
        case (false, true): .rgb
        case (false, false): .rgba
        }
    }
}

struct PNGWriter: Sendable {
    private(set) var bytes: [UInt8]

    init(header: PNGHeader, capacity: Int) {
        bytes = PNGSignature.bytes
        bytes.reserveCapacity(capacity)
        var body: [UInt8] = []
        Self.append(UInt32(truncatingIfNeeded: header.size.width), to: &body)
        Self.append(UInt32(truncatingIfNeeded: header.size.height), to: &body)
        body += [
            UInt8(truncatingIfNeeded: header.bitDepth), header.colorType.rawValue, 0, 0,
            header.isInterlaced ? 1 : 0,
        ]
        append(PNGChunk.header, body.span)
    }

    mutating func append(_ name: UInt32, _ body: Span<UInt8>) {
        Self.append(UInt32(truncatingIfNeeded: body.count), to: &bytes)
        let begin = bytes.count
        Self.append(name, to: &bytes)
        unsafe body.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        Self.append(CRC32.checksum(bytes.span.extracting(begin...)), to: &bytes)
    }

    /// Appends the palette, and its alphas up to the last one that is not opaque.
    mutating func append(_ palette: [UInt32]) {
        let body = palette.flatMap {
            [
                UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8),
                UInt8(truncatingIfNeeded: $0 >> 16),
            ]
        }
        append(PNGChunk.palette, body.span)
        guard let last = palette.lastIndex(where: { $0 >> 24 != 255 }) else { return }
        let alphas = palette[...last].map { UInt8(truncatingIfNeeded: $0 >> 24) }
        append(PNGChunk.transparency, alphas.span)
    }

    private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        for shift: UInt32 in [24, 16, 8, 0] {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}

/// The pixels in PNG's form: straight alpha.
///
/// Premultiplying them restores exactly the original image.
@safe
struct PNGStraightPixels: ~Copyable {
    let size: PixelSize
    /// The pixels, with red in the lowest byte; fully transparent pixels are zero.
    let base: UnsafeMutablePointer<UInt32>
    let isOpaque: Bool
    let isGrey: Bool

    init(_ picture: borrowing PixelBuffer) {
        size = picture.size
        let count = picture.size.area
        unsafe base = .allocate(capacity: count)
        (isOpaque, isGrey) = unsafe picture.withUnsafePixels { [base] source in
            unsafe StraightAlpha.divide(UnsafeRawPointer(source), to: base, count: count)
        }
    }

    deinit {
        unsafe base.deallocate()
    }

    var count: Int { size.area }
}
