import Raster

/// The size and cost of the image in a HEIF or AVIF file, computed from its boxes.
///
/// A phone's photo is a grid: an item of eight bytes that gives the size of a canvas and lists the
/// coded tiles. All sizes are checked here; the library then rejects anything larger.
struct HEIFLayout {
    /// The longest side of an image or canvas.
    private(set) var edge: Int
    /// The size of the primary image before it is cropped and rotated.
    private(set) var canvas = PixelSize(width: 0, height: 0)
    /// The visible part of the canvas. Crops and rotations are hidden from the library: it would not
    /// apply them to alpha, would apply them to single tiles, and ignores them above eight bits.
    private(set) var window: PixelRect
    private(set) var orientation = Orientation.up
    /// The sequence headers of the first coded images of colour and alpha, if they are AV1.
    private(set) var colorHeader: AV1Header?
    private(set) var alphaHeader: AV1Header?
    let replacementBytes: [(offset: Int, value: UInt8)]
    let byteCount: Int

    private var header: AV1Header?
    private var bits = 8
    private var hasAlpha = false
    private var isGrid = false
    private var canvasCount = 0
    private var largestPiece = 0
    /// The number of decoded pixels; an item that is referenced twice counts twice.
    private var codedPixels = 0

    /// The deepest nesting of derived images.
    private static let depthLimit = 4
    /// The largest ratio of decoded pixels to the pixel limit. Tiles that extend past the canvas,
    /// and alpha, need some excess; more would only waste time.
    private static let repetitionLimit = 4

    /// Reads the boxes. Throws if a size exceeds the limits or the boxes contradict each other.
    init(_ bytes: Span<UInt8>, limits: DecodeLimits) throws(DecodeError) {
        let reader = ByteReader(bytes)
        let items = try HEIFItems(reader, limits: limits)
        edge = items.edge
        byteCount = items.byteCount
        replacementBytes = items.replacementBytes
        window = PixelRect(x: 0, y: 0, width: 0, height: 0)
        guard let primary = items.primary else { throw .corrupt("a HEIF without a picture") }
        isGrid = items[primary]?.kind == fourCC("grid")
        canvas = try visit(primary, of: items, reader, limits, depth: 0)
        colorHeader = header
        header = nil
        window = PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
        for transform in items[primary]?.transforms ?? [] { apply(transform) }
        for link in items.links where link.kind == fourCC("auxl") && link.to.contains(primary) {
            guard let item = items[link.from], item.isAlpha, !hasAlpha else { continue }
            guard link.to.count == 1 else { throw .unsupported("alpha shared by several images") }
            hasAlpha = true
            _ = try visit(link.from, of: items, reader, limits, depth: 0)
            alphaHeader = header
        }
    }

    /// The size of the visible part, upright.
    var size: PixelSize {
        orientation.upright(PixelSize(width: window.width, height: window.height))
    }

    /// The most bytes held at once by the library and the decoder, measured with libheif 1.15.
    var memoryBytes: Int {
        let isDeep = bits > 8
        // The bytes per pixel: the RGB planes, the planes from which they are converted, and the
        // decoded pixels.
        var perPixel = isDeep ? 24 : 14
        if hasAlpha {
            perPixel += isDeep ? 6 : 2
        } else if isGrid, canvasCount == 1 {
            // Tiles are converted one by one, which needs less: measured 7.4 bytes per pixel, and
            // 10.9 with 10 bits per sample.
            perPixel = isDeep ? 12 : 8
        }
        // A tile is held in addition to the canvas, once decoded and once converted.
        let tile = canvasCount > 0 ? largestPiece.saturating(times: isDeep ? 12 : 6) : 0
        return canvas.area.saturating(times: perPixel).saturating(plus: tile)
            .saturating(plus: byteCount + 8 << 20)
    }

    /// Returns the size of an item, and counts its cost and that of the items that it refers to.
    private mutating func visit(
        _ id: Int, of items: borrowing HEIFItems, _ reader: ByteReader, _ limits: DecodeLimits,
        depth: Int
    ) throws(DecodeError) -> PixelSize {
        guard let item = items[id] else { throw .corrupt("a HEIF reference to a missing item") }
        guard depth < Self.depthLimit else { throw .unsupported("too deeply nested HEIF items") }
        bits = max(bits, item.bits)
        let parts = items.targets(of: id, "dimg")
        switch item.kind {
        case fourCC("grid"), fourCC("iovl"):
            let (size, rows, columns) = try Self.canvas(of: item, items, reader)
            let isGrid = item.kind == fourCC("grid")
            guard !isGrid || rows * columns == parts.count else {
                throw .corrupt("a grid with a wrong number of tiles")
            }
            try limits.check(size)
            edge = max(edge, size.width, size.height)
            canvasCount += 1
            var sizes: [PixelSize] = []
            for part in parts {
                sizes.append(try visit(part, of: items, reader, limits, depth: depth + 1))
            }
            guard isGrid else { return size }
            // Rejects a grid that its tiles do not cover, because the other pixels would show
            // uninitialised memory.
            guard let tile = sizes.first, sizes.allSatisfy({ $0 == tile }),
                tile.width.saturating(times: columns) >= size.width,
                tile.height.saturating(times: rows) >= size.height
            else { throw .corrupt("a grid with missing tiles") }
            return size
        case fourCC("iden"):
            guard let part = parts.first, parts.count == 1 else {
                throw .corrupt("a HEIF reference to a missing item")
            }
            return try visit(part, of: items, reader, limits, depth: depth + 1)
        default:
            guard var size = item.size else { throw .corrupt("a HEIF without a size") }
            var coded: AV1Header?
            if header == nil || item.hasSizeAfterRotation, item.kind == fourCC("av01"),
                let start = items.start(of: item), start >= 0, start < reader.count
            {
                coded = AV1Header(reader.bytes.extracting(start..<reader.count))
                header = header ?? coded
            }
            // If a rotation by 90° precedes the size, some writers, including libheif 1.15, list
            // the size of the rotated image. Other writers list the size of the coded image.
            if item.hasSizeAfterRotation, coded?.size != size { size = size.transposed }
            codedPixels = codedPixels.saturating(plus: size.area)
            guard codedPixels <= limits.pixels.saturating(times: Self.repetitionLimit) else {
                throw .limitPixels
            }
            largestPiece = max(largestPiece, size.area)
            return size
        }
    }

    /// Reads the body of a derived image (ISO/IEC 23008-12, 6.6.2). An overlay has no rows and
    /// columns.
    private static func canvas(
        of item: HEIFItems.Item, _ items: borrowing HEIFItems, _ reader: ByteReader
    ) throws(DecodeError) -> (size: PixelSize, rows: Int, columns: Int) {
        guard let start = items.start(of: item) else { throw .corrupt("a HEIF item without data") }
        guard start >= 0, start < reader.count else { throw .truncated }
        var fields = HEIFFields(reader, start..<reader.count)
        fields.skip(1)
        guard let flags = fields.next(1), let rows = fields.next(1), let columns = fields.next(1)
        else { throw .truncated }
        // In an overlay, the eight bytes after the flags are the fill colour.
        if item.kind == fourCC("iovl") { fields.skip(6) }
        let wide = flags & 1 == 0 ? 2 : 4
        guard let width = fields.next(wide), let height = fields.next(wide) else {
            throw .truncated
        }
        return (PixelSize(width: width, height: height), rows + 1, columns + 1)
    }

    private mutating func apply(_ transform: HEIFItems.Transform) {
        switch transform {
        case .orient(let other): orientation = orientation.followed(by: other)
        case .crop(let parts):
            let whole = size
            // An aperture that is empty or outside the image does not crop.
            guard let (x, width) = Self.span(of: whole.width, parts[0], parts[2]),
                let (y, height) = Self.span(of: whole.height, parts[1], parts[3])
            else { return }
            let stored = orientation.stored(
                PixelRect(x: x, y: y, width: width, height: height), of: whole)
            window = PixelRect(
                x: window.x + stored.x, y: window.y + stored.y, width: stored.width,
                height: stored.height)
        }
    }

    /// Returns the start and length of a part whose centre is `offset` pixels after the centre of
    /// the whole; `nil` if it is empty or not inside the whole.
    private static func span(
        of whole: Int, _ part: (numerator: Int, denominator: Int),
        _ offset: (numerator: Int, denominator: Int)
    ) -> (Int, Int)? {
        let length = part.numerator / part.denominator
        let begin =
            (Double(whole - length) / 2 + Double(offset.numerator) / Double(offset.denominator))
            .rounded(.down)
        guard length > 0, begin >= 0, begin + Double(length) <= Double(whole) else { return nil }
        return (Int(begin), length)
    }
}

/// The fields of an AV1 sequence header that libheif 1.15 does not report (AV1 specification, 5.5).
struct AV1Header {
    let size: PixelSize
    let isGrey: Bool
    /// Whether samples use the full range; otherwise black is 16 and white 235 of 255.
    let isFullRange: Bool

    /// The most OBUs that may precede the sequence header. Real files start with it.
    private static let unitsLimit = 4

    /// Reads the first sequence header in an item's data; `nil` if there is none.
    init?(_ bytes: Span<UInt8>) {
        var data = BitReader(ByteReader(bytes))
        var units = 0
        while true {
            guard units < Self.unitsLimit, data.next(1) == 0 else { return nil }
            let kind = data.next(4)
            let (isExtended, hasLength) = (data.flag(), data.flag())
            data.skip(isExtended ? 9 : 1)
            let length = hasLength ? data.variableLength() : 0
            if kind == 1 { break }
            guard hasLength, let length else { return nil }
            data.skip(length * 8)
            units += 1
        }
        let profile = data.next(3)
        data.skip(1)
        let isReduced = data.flag()
        if isReduced { data.skip(5) } else { data.skipTiming() }
        let (widthBits, heightBits) = (data.next(4) + 1, data.next(4) + 1)
        size = PixelSize(width: data.next(widthBits) + 1, height: data.next(heightBits) + 1)
        if !isReduced, data.flag() { data.skip(7) }
        // Skips the superblock size and two filters, then the fields for sequences, then three more
        // filters.
        data.skip(3)
        if !isReduced { data.skipTools() }
        data.skip(3)
        if data.flag(), profile == 2 { data.skip(1) }
        isGrey = profile != 1 && data.flag()
        let isRGB = data.flag() && data.next(24) == 1 << 16 | 13 << 8 && !isGrey
        isFullRange = isRGB || data.flag()
        guard !data.isPastEnd else { return nil }
    }
}

/// Reads numbers of any bit count, high bit first. Bits past the end are 0.
private struct BitReader: ~Escapable {
    private let reader: ByteReader
    private var offset = 0

    @_lifetime(copy reader)
    init(_ reader: ByteReader) { self.reader = reader }

    var isPastEnd: Bool { offset > reader.count * 8 }

    mutating func next(_ count: Int) -> Int {
        var value = 0
        for _ in 0..<count {
            value = value << 1 | (reader.u8(offset >> 3) ?? 0) >> (7 - offset & 7) & 1
            offset += 1
        }
        return value
    }

    mutating func flag() -> Bool { next(1) == 1 }

    mutating func skip(_ count: Int) { offset += count }

    /// Reads a number in groups of seven bits, low group first (leb128), the encoding of OBU sizes;
    /// `nil` if it has more than four groups.
    mutating func variableLength() -> Int? {
        var value = 0
        for group in 0..<4 {
            let byte = next(8)
            value |= (byte & 127) << (7 * group)
            if byte < 128 { return value }
        }
        return nil
    }

    /// Skips timing and operating points, which do not matter for a still image.
    mutating func skipTiming() {
        var delayBits: Int?
        if flag() {
            skip(64)
            if flag() {
                var zeros = 0
                while zeros < 32, !flag() { zeros += 1 }
                skip(zeros)
            }
            if flag() {
                delayBits = next(5) + 1
                skip(42)
            }
        }
        let hasDelay = flag()
        for _ in 0...next(5) {
            skip(12)
            if next(5) > 7 { skip(1) }
            if let delayBits, flag() { skip(2 * delayBits + 1) }
            if hasDelay, flag() { skip(4) }
        }
    }

    mutating func skipTools() {
        skip(4)
        let hasOrder = flag()
        if hasOrder { skip(2) }
        // Whether each frame chooses its tools for screen content, or uses them.
        if flag() || flag(), !flag() { skip(1) }
        if hasOrder { skip(3) }
    }
}
