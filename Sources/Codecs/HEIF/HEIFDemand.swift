import Raster

/// What decoding a HEIF or AVIF file will take, known from its boxes alone.
///
/// A phone's picture is a grid: an item of eight bytes that names the size of a canvas and lists
/// the coded tiles that fill it. Canvas, tiles and alpha are held against the limits here; the
/// library then refuses whatever would come out larger.
struct HEIFDemand {
    /// The longest side among all items and canvases.
    private(set) var edge: Int
    /// The primary picture before it is cropped and turned.
    private(set) var canvas = PixelSize(width: 0, height: 0)
    /// The part of the canvas that is shown, and how it is turned then.
    private(set) var view: HEIFView
    /// The most bytes that the library and we hold at once.
    var memoryBytes: Int { cost.bytes(canvas: canvas) }
    /// Bytes of the file that are to be others for the library, which would turn and crop the colours
    /// without their alpha, tiles one by one, and pictures of more than eight bits not at all.
    let stillBytes: [(offset: Int, value: UInt8)]
    /// Bytes of the file that are boxes; whatever follows the last one is not the picture's.
    let byteCount: Int
    /// The sequence headers of the first coded pictures of colours and alpha, where they are AV1.
    private(set) var colorHeader: AV1Header?
    private(set) var alphaHeader: AV1Header?
    private var header: AV1Header?
    private var cost = HEIFCost()
    /// Pixels to be decoded, each as often as it is asked for.
    private var codedPixels = 0
    private let codedPixelsLimit: Int

    /// Pictures made of pictures may be nested no deeper than anybody does.
    private static let depthLimit = 4
    /// Tiles stand over the edge of their canvas, and alpha comes on top; anything beyond this many
    /// times the pixels allowed is there to take time.
    private static let repetitionLimit = 4

    /// Reads the boxes; throws where a size passes the limits or the boxes contradict themselves.
    init(_ bytes: Span<UInt8>, limits: DecodeLimits) throws(DecodeError) {
        let reader = ByteReader(bytes)
        let items = try HEIFItems(reader, limits: limits)
        edge = items.edge
        byteCount = items.byteCount
        stillBytes = items.stillBytes
        view = HEIFView(of: canvas)
        let (most, overflow) = limits.pixels.multipliedReportingOverflow(by: Self.repetitionLimit)
        codedPixelsLimit = overflow ? .max : most
        guard let primary = items.primary else { throw .corrupt("a HEIF without a picture") }
        cost.isGrid = items[primary]?.kind == fourCC("grid")
        canvas = try visit(primary, of: items, reader, limits, depth: 0)
        colorHeader = header
        header = nil
        view = HEIFView(of: canvas)
        for move in items[primary]?.moves ?? [] { view.add(move) }
        for link in items.links where link.kind == fourCC("auxl") && link.to.contains(primary) {
            guard let item = items[link.from], item.isAlpha, !cost.hasAlpha else { continue }
            guard link.to.count == 1 else { throw .unsupported("alpha shared by several images") }
            cost.hasAlpha = true
            _ = try visit(link.from, of: items, reader, limits, depth: 0)
            alphaHeader = header
        }
    }

    /// Counts what an item takes and returns its size.
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
            // What no tile covers would show whatever lay in memory.
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
            if header == nil || item.hasSizeAfterTurn {
                coded = Self.codedHeader(of: item, in: items, reader)
                header = header ?? coded
            }
            // A size listed after a quarter turn is that of the turned picture for some writers, libheif
            // 1.15 among them, and that of the coded picture for others.
            if item.hasSizeAfterTurn, coded?.size != size { size = size.transposed }
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
    /// The offset in the file at which an item's data begins.
    fileprivate func start(of extent: Extent) -> Int? {
        guard extent.isInside else { return extent.offset }
        return inside.map { min($0.lowerBound &+ extent.offset, $0.upperBound) }
    }
}

/// The few bytes of an item that is put together from others (ISO/IEC 23008-12, 6.6.2).
private struct Canvas {
    let size: PixelSize
    /// How many tiles a grid has, one below and one beside the other.
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
        // An overlay's colour of four times two bytes stands where a grid counts its tiles.
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

/// The memory that decoding a picture takes, from measurements of libheif 1.15.
private struct HEIFCost {
    var bits = 8
    var hasAlpha = false
    /// The number of canvases that are put together from other items.
    var canvasCount = 0
    var isGrid = false
    /// The pixels of the largest coded item.
    var largestPiece = 0

    func bytes(canvas: PixelSize) -> Int {
        let isDeep = bits > 8
        // The planes, what they are converted from, and the decoded pixels.
        var perPixel = isDeep ? 24 : 14
        if hasAlpha {
            perPixel += isDeep ? 6 : 2
        } else if isGrid, canvasCount == 1 {
            // Tiles are converted one by one: 7.4 bytes a pixel were measured, and 10.9 with 10 bits.
            perPixel = isDeep ? 12 : 8
        }
        let canvasBytes = canvas.area.multipliedReportingOverflow(by: perPixel)
        // A tile is held next to the canvas, once by the decoder and once converted.
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
