import Artwork
import CSandbox
import Codecs
import Gauge
import Glibc
import Raster
import Render
import System
import Theming

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
    private static let memoryStep = 16 << 20

    /// The masks, which are the same in all themes.
    private let masks = MaskCache()
    var orders = 0
    /// Whether an order may have left much free heap, which is returned to the system when idle.
    var isUntidy = false
    /// The memory that the limit of the address space permits; -1 before the first order.
    var limitedBytes = -1

    /// Receives one request, carries out its orders and reports.
    mutating func serve() throws {
        if isUntidy, !WorkerSocket.waits(milliseconds: Self.idleMilliseconds) {
            emb_worker_heap_trim()
            isUntidy = false
        }
        let request = try WorkerRequest(WorkerSocket.receive())
        try region.map(request.mapped)
        if request.themeBytes > 0 {
            let theme = try Theme(
                wire: region.read(request.themeBytes, at: SharedRegion.start))
            renderer = Renderer(theme: theme, artwork: EmblemArtwork(masks: masks))
        }
        var tables: [Int] = []
        var offset = request.outcomes
        for place in request.places {
            let (outcome, blocks) = try draw(place)
            let table = outcome.table
            offset = try put([table] + blocks, at: offset)
            tables.append(table.count)
        }
        report(tables)
    }

    /// Carries out one order. Returns the outcome, and the blocks of bytes that follow its table.
    private mutating func draw(_ place: WorkerPlace) throws -> (Outcome, [[UInt8]]) {
        let order = try WorkerOrder(region.read(place.orderBytes, at: place.order))
        let needsLibrary = try region.withBytes(place.pictureBytes, at: place.picture) { picture in
            Self.needsLibrary(order.recipe, picture)
        }
        if needsLibrary, !hasLibrary {
            return (Outcome(header: nil, moments: [], .lacksLibrary), [])
        }
        var work = OrderWork(
            order.subject, order.recipe, allowanceBytes: order.allowanceBytes, renderer,
            memoryBytes: memoryBytes)
        let canvasBytes = canvasBytes(of: order.recipe)
        var moments: [StageMoment] = []
        var costBytes = 0
        limitMemory(to: canvasBytes)
        let result = try region.withBytes(place.pictureBytes, at: place.picture) {
            picture -> Result<Rendering, RenderError> in
            if order.subject.isPicture { hooks.picture(picture) }
            do throws(RenderError) {
                return .success(
                    try work.carryOut(picture) { bytes in
                        costBytes = bytes
                        limitMemory(to: bytes.saturating(plus: canvasBytes))
                    } observer: { stage in
                        moments.append(StageMoment(stage: stage, nanoseconds: MonotonicClock.now))
                    })
            } catch {
                return .failure(error)
            }
        }
        isUntidy = isUntidy || costBytes > Self.trimBytes
        switch result {
        case .failure(let error):
            return (Outcome(header: work.header, moments: moments, .failure(error)), [])
        case .success(let rendering):
            var blocks = rendering.images.map(\.bytes)
            if let graphic = rendering.graphic {
                blocks += [graphic.pixels, graphic.drawing?.text ?? []]
            }
            return (Outcome(header: work.header, moments: moments, rendering), blocks)
        }
    }

    /// The memory of the largest canvas and its encoder: ten bytes a sample, or 1.5 times the
    /// estimate of the recipe if that is more.
    private func canvasBytes(of recipe: Recipe) -> Int {
        let heights = recipe.variants.map { recipe.style(for: $0, in: renderer.theme).height }
        let height = heights.max() ?? 0
        let isWide = recipe.width != .square
        let reckoned = recipe.outputBytes(
            of: (isWide ? 4 : 1, 1), format: nil, in: renderer.theme)
        return max(
            height * height * (isWide ? 16 : 4) * 10, reckoned.saturating(plus: reckoned / 2))
    }

    /// Limits the address space of the process to its use now, `bytes` and some slack. Rounded up,
    /// so that a series of small images needs no further system calls.
    private mutating func limitMemory(to bytes: Int) {
        let step = Self.memoryStep
        let rounded = max(bytes, 1).saturating(plus: step - 1) / step * step
        guard rounded != limitedBytes else { return }
        limitedBytes = rounded
        _ = emb_worker_grant_memory(rounded.saturating(plus: WorkerMain.slackBytes))
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
    private func put(_ blocks: [[UInt8]], at start: Int) throws -> Int {
        let end = blocks.reduce(start) { $0 + $1.count }
        if end > region.count {
            WorkerSocket.send(.room(end))
            try region.map(WorkerRequest(WorkerSocket.receive()).mapped)
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
