import Raster

/// The resources that decoding a HEIF or AVIF file needs, computed from its boxes.
///
/// A phone's photo is a grid: an item of eight bytes that gives the size of a canvas and lists the
/// coded tiles. All sizes are checked here; the library then rejects anything larger.
struct HEIFDemand {
    private(set) var edge: Int
    /// The size of the primary image before it is cropped and rotated.
    private(set) var canvas = PixelSize(width: 0, height: 0)
    /// The visible part of the canvas and its orientation.
    private(set) var view: HEIFView
    /// The most bytes held at once by the library and this module.
    var memoryBytes: Int { cost.bytes(canvas: canvas) }
    /// Replacement bytes for the file that hide crops and rotations from the library. The library
    /// would not apply them to alpha, would apply them to single tiles, and ignores them above
    /// eight bits.
    let replacementBytes: [(offset: Int, value: UInt8)]
    /// The length of the boxes; data after the last box does not belong to the image.
    let byteCount: Int
    /// The sequence headers of the first coded images of colour and alpha, if they are AV1.
    private(set) var colorHeader: AV1Header?
    private(set) var alphaHeader: AV1Header?
    private var header: AV1Header?
    private var cost = HEIFCost()
    /// The number of decoded pixels; an item that is referenced twice counts twice.
    private var codedPixels = 0
    private let codedPixelsLimit: Int

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
        view = HEIFView(of: canvas)
        let (most, overflow) = limits.pixels.multipliedReportingOverflow(by: Self.repetitionLimit)
        codedPixelsLimit = overflow ? .max : most
        guard let primary = items.primary else { throw .corrupt("a HEIF without a picture") }
        cost.isGrid = items[primary]?.kind == fourCC("grid")
        canvas = try visit(primary, of: items, reader, limits, depth: 0)
        colorHeader = header
        header = nil
        view = HEIFView(of: canvas)
        for transform in items[primary]?.transforms ?? [] { view.add(transform) }
        for link in items.links where link.kind == fourCC("auxl") && link.to.contains(primary) {
            guard let item = items[link.from], item.isAlpha, !cost.hasAlpha else { continue }
            guard link.to.count == 1 else { throw .unsupported("alpha shared by several images") }
            cost.hasAlpha = true
            _ = try visit(link.from, of: items, reader, limits, depth: 0)
            alphaHeader = header
        }
    }

    private mutating func visit(
        _ id: Int, of items: borrowing HEIFItems, _ reader: ByteReader,
        _ limits: DecodeLimits, depth: Int
    ) throws(DecodeError) -> PixelSize {
        guard let item = items[id] else { throw .corrupt("a HEIF reference to a missing item") }
        guard depth < Self.depthLimit else { throw .unsupported("too deeply nested HEIF items") }
        cost.bits = max(cost.bits, item.bits)
        let parts = items.targets(of: id, "dimg")
        switch item.kind {
        case fourCC("grid"):
            let grid = try Canvas(item, isGrid: true, items, reader)
            guard grid.tiles == parts.count else {
                throw .corrupt("a grid with a wrong number of tiles")
            }
            let sizes = try fill(grid.size, with: parts, of: items, reader, limits, depth: depth)
            // Rejects a grid that its tiles do not cover, because the other pixels would show
            // uninitialised memory.
            guard let tile = sizes.first, sizes.allSatisfy({ $0 == tile }),
                tile.width.multipliedReportingOverflow(by: grid.columns).partialValue
                    >= grid.size.width,
                tile.height.multipliedReportingOverflow(by: grid.rows).partialValue
                    >= grid.size.height
            else { throw .corrupt("a grid with missing tiles") }
            return grid.size
        case fourCC("iovl"):
            let overlay = try Canvas(item, isGrid: false, items, reader)
            _ = try fill(overlay.size, with: parts, of: items, reader, limits, depth: depth)
            return overlay.size
        case fourCC("iden"):
            guard let part = parts.first, parts.count == 1 else {
                throw .corrupt("a HEIF reference to a missing item")
            }
            return try visit(part, of: items, reader, limits, depth: depth + 1)
        default:
            guard var size = item.size else { throw .corrupt("a HEIF without a size") }
            var coded: AV1Header?
            if header == nil || item.hasSizeAfterRotation {
                coded = Self.codedHeader(of: item, in: items, reader)
                header = header ?? coded
            }
            // If a rotation by 90° precedes the size, some writers, including libheif 1.15, list
            // the size of the rotated image. Other writers list the size of the coded image.
            if item.hasSizeAfterRotation, coded?.size != size { size = size.transposed }
            let (pixels, overflow) = codedPixels.addingReportingOverflow(size.area)
            guard !overflow, pixels <= codedPixelsLimit else { throw .limitPixels }
            codedPixels = pixels
            cost.largestPiece = max(cost.largestPiece, size.area)
            return size
        }
    }

    private static func codedHeader(
        of item: HEIFItems.Item, in items: borrowing HEIFItems, _ reader: ByteReader
    ) -> AV1Header? {
        guard item.kind == fourCC("av01"), let extent = item.extent,
            let start = items.start(of: extent), start >= 0, start < reader.count
        else { return nil }
        return AV1Header(reader.bytes.extracting(start..<reader.count))
    }

    private mutating func fill(
        _ size: PixelSize, with parts: [Int], of items: borrowing HEIFItems,
        _ reader: ByteReader, _ limits: DecodeLimits, depth: Int
    ) throws(DecodeError) -> [PixelSize] {
        try limits.check(size)
        edge = max(edge, size.width, size.height)
        cost.canvasCount += 1
        var sizes: [PixelSize] = []
        for part in parts {
            sizes.append(try visit(part, of: items, reader, limits, depth: depth + 1))
        }
        return sizes
    }
}

extension HEIFItems {
    /// Returns the file offset of an item's data.
    fileprivate func start(of extent: Extent) -> Int? {
        guard extent.isInline else { return extent.offset }
        return inlineData.map { min($0.lowerBound &+ extent.offset, $0.upperBound) }
    }
}

/// The body of a derived image item (ISO/IEC 23008-12, 6.6.2).
private struct Canvas {
    let size: PixelSize
    let rows: Int
    let columns: Int
    var tiles: Int { rows * columns }

    init(
        _ item: HEIFItems.Item, isGrid: Bool, _ items: borrowing HEIFItems, _ reader: ByteReader
    ) throws(DecodeError) {
        guard let extent = item.extent, let start = items.start(of: extent) else {
            throw .corrupt("a HEIF item without data")
        }
        guard start >= 0, start < reader.count else { throw .truncated }
        let read = HEIFFields(reader, start..<reader.count)
        let wide = (read.number(1, bytes: 1) ?? 0) & 1 == 0 ? 2 : 4
        // In an overlay, the fill colour of four two-byte values precedes the size; in a grid, the
        // row and column counts do.
        let at = isGrid ? 4 : 10
        guard let width = read.number(at, bytes: wide),
            let height = read.number(at + wide, bytes: wide),
            let rows = read.number(2, bytes: 1), let columns = read.number(3, bytes: 1)
        else { throw .truncated }
        size = PixelSize(width: width, height: height)
        self.rows = rows + 1
        self.columns = columns + 1
    }
}

/// The memory that decoding an image needs, measured with libheif 1.15.
private struct HEIFCost {
    var bits = 8
    var hasAlpha = false
    var canvasCount = 0
    var isGrid = false
    var largestPiece = 0

    func bytes(canvas: PixelSize) -> Int {
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
        let canvasBytes = canvas.area.multipliedReportingOverflow(by: perPixel)
        // A tile is held in addition to the canvas, once decoded and once converted.
        let piece = canvasCount > 0 ? largestPiece : 0
        let pieceBytes = piece.multipliedReportingOverflow(by: isDeep ? 12 : 6)
        let (sum, overflow) = canvasBytes.partialValue
            .addingReportingOverflow(pieceBytes.partialValue)
        guard !canvasBytes.overflow, !pieceBytes.overflow, !overflow, sum < .max >> 1 else {
            return .max
        }
        return sum + (8 << 20)
    }
}
