import Artwork
import CSandbox
import Codecs
import Glibc
import Raster
import Render

/// The loop of a cell: it takes one order after the other.
struct CellServer {
    let region: SharedRegion
    /// In the theme of the last order that named one.
    private(set) var renderer: Renderer
    let memoryBytes: Int
    /// The libraries of all formats are open, and the tables of encodings are.
    let hasLibrary: Bool
    let hooks: CellWorker.TestHooks

    /// After so many orders a cell makes room for a fresh one, should a library lose memory.
    private static let ordersLimit = 10_000
    /// More than this in use after an order is memory that was lost.
    private static let heapLimit = 64 << 20
    /// Decoding that takes more than this leaves memory worth giving back when nothing is to do.
    private static let trimBytes = 4 << 20
    private static let idleMilliseconds: Int32 = 20

    /// The same in all themes.
    private let masks = MaskCache()
    private var orders = 0
    private var isUntidy = false
    private var allowance = CellAllowance()

    init(
        region: SharedRegion, renderer: Renderer, memoryBytes: Int, hasLibrary: Bool,
        hooks: CellWorker.TestHooks
    ) {
        self.region = region
        self.renderer = renderer
        self.memoryBytes = memoryBytes
        self.hasLibrary = hasLibrary
        self.hooks = hooks
    }

    /// Waits for an order and carries it out.
    mutating func serve() throws(WireDamage) {
        if isUntidy, !CellLine.waits(milliseconds: Self.idleMilliseconds) {
            emb_cell_heap_trim()
            isUntidy = false
        }
        guard
            case .draw(
                let mapped, let orderBytes, let themeBytes, let pictureOffset, let pictureBytes) =
                try CellRequest(CellLine.receive())
        else { throw WireDamage() }
        try region.map(mapped)
        if themeBytes > 0 {
            var wire = WireReader(
                try region.read(themeBytes, at: SharedRegion.start + orderBytes))
            renderer = Renderer(
                theme: try wire.theme(), artwork: EmblemArtwork(masks: masks))
        }
        var wire = WireReader(try region.read(orderBytes, at: SharedRegion.start))
        let order = try CellOrder(&wire)
        let needsLibrary = try region.withBytes(pictureBytes, at: pictureOffset) { picture in
            Self.needsLibrary(order.recipe, picture)
        }
        // Not taken, so that another cell is given it.
        if needsLibrary, !hasLibrary { _exit(Int32(EMB_CELL_NO_LIBRARY)) }
        try region.write(([1] as [UInt8]).span, at: 0)
        var work = CellJob(
            renderer: renderer, memoryBytes: memoryBytes, order: order, allowance: allowance)
        let hooks = hooks
        let result = try region.withBytes(pictureBytes, at: pictureOffset) { picture in
            if order.subject.isPicture { hooks.picture(picture) }
            return work.run(picture)
        }
        allowance = work.allowance
        isUntidy = isUntidy || work.costBytes > Self.trimBytes
        guard let result else { return }
        try deliver(Outcome(header: work.header, moments: work.moments, result: result), result)
    }

    /// Whether an order takes what a process divided from the parent does not have.
    private static func needsLibrary(_ recipe: Recipe, _ picture: Span<UInt8>) -> Bool {
        if case .fixed(let format) = recipe.output, format.needsOpening { return true }
        if recipe.variants.contains(where: { $0.format?.needsOpening == true }) { return true }
        if case .picture(let format) = ImageSniffer.sniff(picture), format.needsOpening {
            return true
        }
        return XMLEncoding.needsTable(picture)
    }

    private mutating func deliver(
        _ outcome: Outcome, _ result: Result<Rendering, RenderError>
    ) throws(WireDamage) {
        let table = outcome.table
        var blocks: [[UInt8]] = []
        if case .success(let rendering) = result {
            blocks = rendering.images.map(\.bytes)
            if let graphic = rendering.graphic {
                blocks += [graphic.pixels, graphic.drawing?.text ?? []]
            }
        }
        let total = blocks.reduce(SharedRegion.start + table.count) { $0 + $1.count }
        if total > region.count {
            CellLine.send(.room(total))
            guard case .room(let mapped) = try CellRequest(CellLine.receive()) else {
                throw WireDamage()
            }
            try region.map(mapped)
        }
        try region.write(table.span, at: SharedRegion.start)
        var offset = SharedRegion.start + table.count
        for block in blocks {
            try region.write(block.span, at: offset)
            offset += block.count
        }
        orders += 1
        let leaves =
            orders >= Self.ordersLimit
            || (orders.isMultiple(of: 64) && emb_cell_heap_use() > Self.heapLimit)
        CellLine.send(.done(tableBytes: table.count, leaves: leaves))
    }
}
