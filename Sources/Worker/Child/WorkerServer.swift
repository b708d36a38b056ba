import Artwork
import CSandbox
import Codecs
import Glibc
import Raster
import Render

/// The loop of a worker, which carries out one order after the other.
struct WorkerServer {
    let region: SharedRegion
    /// The renderer, in the theme that the last request with a theme set.
    private(set) var renderer: Renderer
    let memoryBytes: Int
    /// Whether the libraries of all formats are loaded.
    let hasLibrary: Bool
    let hooks: WorkerMain.TestHooks

    /// The number of orders after which a worker is replaced, in case a library leaks memory.
    private static let lifeOrders = 10_000
    /// The heap use after an order from which the worker counts as leaking, in bytes.
    private static let heapLimit = 64 << 20
    /// The decoding memory from which an idle worker returns free heap to the system, in bytes.
    private static let trimBytes = 4 << 20
    private static let idleMilliseconds: Int32 = 20

    /// The masks, which are the same in all themes.
    private let masks = MaskCache()
    private var orders = 0
    /// Whether an order may have left much free heap, which is returned to the system when idle.
    private var isUntidy = false
    private var allowance = WorkerAllowance()

    init(
        region: SharedRegion, renderer: Renderer, memoryBytes: Int, hasLibrary: Bool,
        hooks: WorkerMain.TestHooks
    ) {
        self.region = region
        self.renderer = renderer
        self.memoryBytes = memoryBytes
        self.hasLibrary = hasLibrary
        self.hooks = hooks
    }

    /// Receives one request, carries out its orders and reports.
    mutating func serve() throws(WireDamage) {
        if isUntidy, !WorkerSocket.waits(milliseconds: Self.idleMilliseconds) {
            emb_worker_heap_trim()
            isUntidy = false
        }
        guard
            case .draw(let mapped, let themeBytes, let places, let outcomes) =
                try WorkerRequest(WorkerSocket.receive())
        else { throw WireDamage() }
        try region.map(mapped)
        if themeBytes > 0 {
            var wire = WireReader(try region.read(themeBytes, at: SharedRegion.start))
            renderer = Renderer(
                theme: try wire.theme(), artwork: EmblemArtwork(masks: masks))
        }
        var tables: [Int] = []
        var offset = outcomes
        for place in places {
            let (outcome, blocks) = try draw(place)
            let table = outcome.table
            offset = try put([table] + blocks, at: offset)
            tables.append(table.count)
        }
        report(tables)
    }

    /// Carries out one order. Returns the outcome, and the blocks of bytes that follow its table.
    private mutating func draw(
        _ place: WorkerPlace
    ) throws(WireDamage) -> (Outcome, [[UInt8]]) {
        var wire = WireReader(try region.read(place.orderBytes, at: place.order))
        let order = try WorkerOrder(&wire)
        let needsLibrary = try region.withBytes(place.pictureBytes, at: place.picture) { picture in
            Self.needsLibrary(order.recipe, picture)
        }
        if needsLibrary, !hasLibrary {
            return (Outcome(header: nil, moments: [], .lacksLibrary), [])
        }
        var work = WorkerJob(
            renderer: renderer, memoryBytes: memoryBytes, order: order, allowance: allowance)
        let hooks = hooks
        let result = try region.withBytes(place.pictureBytes, at: place.picture) { picture in
            if order.subject.isPicture { hooks.picture(picture) }
            return work.run(picture)
        }
        allowance = work.allowance
        isUntidy = isUntidy || work.costBytes > Self.trimBytes
        return result
    }

    /// Returns whether an order needs a library that a forked worker does not have.
    private static func needsLibrary(_ recipe: Recipe, _ picture: Span<UInt8>) -> Bool {
        if case .fixed(let format) = recipe.output, format.needsOpening { return true }
        if recipe.variants.contains(where: { $0.format?.needsOpening == true }) { return true }
        guard case .picture(let format) = ImageSniffer.sniff(picture) else { return false }
        return format.needsOpening
    }

    /// Writes the blocks one after the other. Asks the keeper for a larger region first if they
    /// need it.
    ///
    /// - Returns: the end of the last block.
    private func put(_ blocks: [[UInt8]], at start: Int) throws(WireDamage) -> Int {
        let end = blocks.reduce(start) { $0 + $1.count }
        if end > region.count {
            WorkerSocket.send(.room(end))
            guard case .room(let mapped) = try WorkerRequest(WorkerSocket.receive()) else {
                throw WireDamage()
            }
            try region.map(mapped)
        }
        var offset = start
        for block in blocks {
            try region.write(block.span, at: offset)
            offset += block.count
        }
        return end
    }

    private mutating func report(_ tables: [Int]) {
        // The heap is measured every 64 orders.
        let isDue = orders / 64 != (orders + tables.count) / 64
        orders += tables.count
        let leaves =
            orders >= Self.lifeOrders || (isDue && emb_worker_heap_use() > Self.heapLimit)
        WorkerSocket.send(.done(tableBytes: tables, leaves: leaves))
    }
}

/// The worker's end of the socket to its keeper. The seccomp filter permits only reading and
/// writing.
enum WorkerSocket {
    private static let socket = EMB_WORKER_SOCKET

    /// Returns the next message. Ends the process if the keeper has closed the socket.
    static func receive() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: WorkerReply.bytesLimit)
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe read(Int32(socket), buffer.baseAddress, buffer.count)
            }
            if count > 0 {
                bytes.removeLast(bytes.count - count)
                return bytes
            }
            guard count < 0, errno == EINTR else { _exit(0) }
        }
    }

    static func send(_ report: WorkerReply) {
        let bytes = report.bytes
        while true {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe write(Int32(socket), buffer.baseAddress, buffer.count)
            }
            if count == bytes.count { return }
            guard count < 0, errno == EINTR else { _exit(0) }
        }
    }

    /// Returns whether a message arrives within this time.
    static func waits(milliseconds: Int32) -> Bool {
        var polled = pollfd(fd: Int32(socket), events: Int16(POLLIN), revents: 0)
        return unsafe poll(&polled, 1, milliseconds) > 0
    }
}
