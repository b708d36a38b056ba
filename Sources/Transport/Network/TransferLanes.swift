import CCurlShims
import CLibCurl
import Glibc
import Synchronization
import System

/// The lanes of a transfer loop, with the curl handles in use and idle. Confined to the event
/// thread.
///
/// The event thread drives one lane itself. With at least eight jobs, further lanes have separate
/// threads, because one thread carries only as much as about eight cores can decode.
final class TransferLanes {
    private struct Running {
        let lane: TransferLane
        let thread: Thread
    }

    private let settings: NetworkSettings
    private let queue: TransferQueue
    private let ledger: HeldBytes
    private let connections: Int
    /// Drives the lane of the event thread.
    private let driver: LaneDriver
    /// The other lanes; each starts when it is first needed.
    private var running: [Running?]
    private var idle: [[CurlHandle]]
    private var places: LanePlaces
    /// Handles that were withdrawn and are not returned yet. Held here, a handle ends on this
    /// thread.
    private var leaving: [ObjectIdentifier: CurlHandle] = [:]

    init(
        _ settings: NetworkSettings, _ queue: TransferQueue, _ ledger: HeldBytes,
        connections: Int, lanes: Int
    ) {
        self.settings = settings
        self.queue = queue
        self.ledger = ledger
        self.connections = connections
        driver = LaneDriver(queue.lane, ledger)
        running = Array(repeating: nil, count: lanes)
        idle = Array(repeating: [], count: lanes + 1)
        places = LanePlaces(lanes: lanes, room: Self.room(of: lanes, connections))
    }

    /// Returns the number of transfers that a lane has room for, and of connections that it keeps.
    /// curl closes an idle connection while more transfers run than it keeps connections. Hosts are
    /// spread unevenly, so all lanes together have twice the room that is needed.
    static func room(of lanes: Int, _ connections: Int) -> Int {
        lanes > 0 ? (2 * connections + lanes - 1) / lanes : connections
    }

    /// Bytes of bodies that are incoming and wanted.
    var incomingBytes: Int { queue.lane.incoming.value }

    /// Returns a handle for a transfer to a host; nil if there is no memory.
    func handle(for origin: String) -> CurlHandle? {
        guard !running.isEmpty else { return handle(of: queue.lane) }
        let place = places.take(origin)
        if let lane = lane(place), let handle = handle(of: lane) { return handle }
        places.leave(place, origin)
        // Without a thread or memory for another lane, the event thread carries the transfer.
        return handle(of: queue.lane)
    }

    private func handle(of lane: TransferLane) -> CurlHandle? {
        idle[lane.index].popLast() ?? lane.makeHandle()
    }

    /// Releases a handle: it is idle if its transfer is done, else its lane returns it.
    ///
    /// A host may see one connection more than its limit for a moment, if the next transfer starts
    /// in another lane before this one has ended.
    func release(_ handle: CurlHandle, _ origin: String, isDone: Bool) {
        places.leave(handle.lane.index, origin)
        if isDone {
            takeBack(handle)
        } else {
            handle.forgo()
            leaving[ObjectIdentifier(handle)] = handle
            handle.lane.tell(.withdraw(handle))
        }
    }

    func takeBack(_ handle: CurlHandle) {
        leaving[ObjectIdentifier(handle)] = nil
        idle[handle.lane.index].append(handle)
    }

    func perform(_ report: (TransferLane.Report) -> Void) { driver.perform(report) }

    /// Waits until a transfer has news, a message comes, or the time is over.
    func wait(milliseconds: Int32) {
        driver.wait(milliseconds: milliseconds) { queue.hasMessages }
    }

    func close() {
        for case let other? in running { other.lane.tell(.stop) }
        for case let other? in running { other.thread.join() }
        driver.perform { _ in }
    }

    /// Returns a lane with its thread, started if needed; nil if the system gives no thread.
    private func lane(_ place: Int) -> TransferLane? {
        if let other = running[place] { return other.lane }
        let lane = TransferLane(
            settings, queue.lane.incoming, index: place,
            keeping: Self.room(of: running.count, connections))
        guard let lane else { return nil }
        let (queue, ledger) = (queue, ledger)
        let thread = Thread("emblem-net-\(place)", stackBytes: 1 << 20) {
            LaneDriver(lane, ledger).run { queue.send(.lane($0)) }
        }
        guard let thread else { return nil }
        running[place] = Running(lane: lane, thread: thread)
        return lane
    }
}

/// A multi handle of curl with its connections, which carries a part of the transfers.
///
/// One thread drives it with a ``LaneDriver``; the event thread sends it orders.
@safe
final class TransferLane: Sendable {
    enum Order: Sendable {
        case start(CurlHandle)
        /// End the transfer as complete with what was received.
        case end(CurlHandle)
        /// End the transfer without a result.
        case withdraw(CurlHandle)
        case stop
    }

    enum Report: Sendable {
        /// The transfer has ended, and its handle is free.
        case ended(CurlHandle, TransferEnd)
        /// A withdrawn handle is free.
        case returned(CurlHandle)
        /// Bodies have grown past their limit.
        case crowded
    }

    let index: Int
    private let orders = Mutex<[Order]>([])
    /// Whether the driver sleeps or is about to. The driver sets this before it looks into the
    /// queues once more, so a sender that finds it false after queueing need not wake the driver.
    private let isListening = Atomic(false)
    // Other threads than the driver's may call curl_multi_wakeup only.
    private nonisolated(unsafe) let multi: UnsafeMutableRawPointer
    // Written in `init` only.
    private nonisolated(unsafe) let common: emb_transfer_common
    private nonisolated(unsafe) let texts: [UnsafeMutablePointer<CChar>]
    let incoming: IncomingBytes
    let addresses: AddressPolicy

    /// - Parameter connections: The number of idle connections to keep.
    init?(
        _ settings: NetworkSettings, _ incoming: IncomingBytes, index: Int,
        keeping connections: Int
    ) {
        guard CurlLibrary.isReady, let multi = unsafe curl_multi_init() else { return nil }
        self.index = index
        self.incoming = incoming
        addresses = settings.addresses
        unsafe self.multi = multi
        unsafe emb_multi_prepare(multi, Int64(connections))
        var texts = unsafe [UnsafeMutablePointer<CChar>]()
        var common = unsafe emb_transfer_common()
        unsafe common.user_agent = Self.keep(settings.userAgent, in: &texts)
        unsafe common.proxy = settings.proxy.flatMap { unsafe Self.keep($0, in: &texts) }
        unsafe common.ca_file = settings.certificates.flatMap { unsafe Self.keep($0, in: &texts) }
        unsafe common.netrc = settings.readsNetrc ? 1 : 0
        unsafe common.body_limit = Int64(settings.bodyLimit)
        unsafe common.header_limit = Int64(settings.headerLimit)
        unsafe common.connect_milliseconds = max(1, settings.timeout.nanoseconds / 1_000_000)
        unsafe common.share = emb_share_create()
        unsafe common.bytes_held = incoming.pointer
        // The user chose the proxy, and curl connects to it alone.
        if !settings.allowPrivate || settings.refusesLinkLocal, settings.proxy == nil {
            unsafe common.judge = { owner, address, count in
                guard let owner = unsafe owner, let address = unsafe address else { return 0 }
                let handle = unsafe Unmanaged<CurlHandle>.fromOpaque(owner).takeUnretainedValue()
                let bytes = unsafe UnsafeBufferPointer(start: address, count: Int(count))
                return handle.allows(unsafe bytes.span) ? 1 : 0
            }
        }
        unsafe self.common = common
        unsafe self.texts = texts
    }

    /// No handle exists any more, since each holds its lane.
    deinit {
        unsafe emb_share_destroy(common.share)
        unsafe curl_multi_cleanup(multi)
        for index in unsafe texts.indices { unsafe texts[index].deallocate() }
    }

    /// The multi handle, for the driver only.
    var handle: UnsafeMutableRawPointer { unsafe multi }

    /// Creates a handle of this lane; nil if there is no memory.
    func makeHandle() -> CurlHandle? {
        unsafe withUnsafePointer(to: common) { common in
            unsafe emb_transfer_create(common).map { transfer in unsafe CurlHandle(self, transfer) }
        }
    }

    func tell(_ order: Order) {
        orders.withLock { $0.append(order) }
        wakeListener()
    }

    /// Wakes the driver if it sleeps, after something was put in a queue that it looks into. For
    /// anything else use `wake()`.
    func wakeListener() {
        if isListening.exchange(false, ordering: .relaxed) { wake() }
    }

    func wake() {
        unsafe curl_multi_wakeup(multi)
    }

    /// Sleeps until curl has something to do, `wake` is called, or the time is over. For the driver
    /// only.
    ///
    /// - Parameter isBusy: Whether another queue of the driver's thread has messages.
    func listen(milliseconds: Int32, unless isBusy: () -> Bool) {
        isListening.store(true, ordering: .relaxed)
        let time = isBusy() || hasOrders ? 0 : milliseconds
        let outcome = unsafe curl_multi_poll(multi, nil, 0, time, nil)
        isListening.store(false, ordering: .relaxed)
        // If the system refuses to wait, the driver polls instead: transfers still end at their
        // time limits, and the loop does not spin.
        if outcome != CURLM_OK { usleep(Self.refusedWaitMicroseconds) }
    }

    /// Returns the orders since the last call.
    func collect() -> [Order] {
        orders.withLock { orders in
            guard !orders.isEmpty else { return [] }
            let all = orders
            orders = []
            return all
        }
    }

    private static let refusedWaitMicroseconds: UInt32 = 10_000

    private var hasOrders: Bool { orders.withLock { !$0.isEmpty } }

    /// Returns a copy for C that lives as long as the lane.
    private static func keep(
        _ text: String, in texts: inout [UnsafeMutablePointer<CChar>]
    ) -> UnsafePointer<CChar> {
        let bytes = text.utf8CString
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { unsafe (copy + index).initialize(to: byte) }
        unsafe texts.append(copy)
        return unsafe UnsafePointer(copy)
    }
}

/// The loop over the transfers of a lane. Confined to one thread.
@safe
private final class LaneDriver {
    private let lane: TransferLane
    private let ledger: HeldBytes
    private var added: [ObjectIdentifier: CurlHandle] = [:]
    /// The number of added handles with TLS.
    private var secureCount = 0
    /// The bytes of bodies at the last report `crowded`.
    private var bytesReported = 0
    private var isStopping = false

    init(_ lane: TransferLane, _ ledger: HeldBytes) {
        self.lane = lane
        self.ledger = ledger
    }

    func run(_ report: (TransferLane.Report) -> Void) {
        while true {
            perform(report)
            if isStopping { return }
            if isCrowded() { report(.crowded) }
            wait(milliseconds: 60_000) { false }
        }
    }

    /// Carries out orders, advances all transfers and reports those that ended.
    func perform(_ report: (TransferLane.Report) -> Void) {
        for order in lane.collect() { obey(order, report) }
        var running: Int32 = 0
        unsafe curl_multi_perform(lane.handle, &running)
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(lane.handle, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
            let code = unsafe message.pointee.data.result
            if let handle = unsafe CurlHandle.of(message.pointee.easy_handle) {
                end(handle, code, report)
            }
        }
    }

    /// Waits until a transfer has news, an order comes, or the time is over.
    func wait(milliseconds: Int32, unless isBusy: () -> Bool) {
        let longest = secureCount > 0 ? min(milliseconds, Self.nudgeMilliseconds) : milliseconds
        lane.listen(milliseconds: longest, unless: isBusy)
    }

    /// curl 7.88 can miss HTTP/2 frames that it has read or has to send: of 200 redirects on one
    /// connection, one run in 25 stalled for seconds until another event. So curl runs at this
    /// interval while a transfer may use HTTP/2.
    private static let nudgeMilliseconds: Int32 = 20

    /// Whether bodies are over their limit, and much larger than at the last report.
    private func isCrowded() -> Bool {
        let bytes = ledger.value + lane.incoming.value
        guard bytes > ledger.mark else {
            bytesReported = 0
            return false
        }
        guard bytes >= bytesReported + Self.stepBytes else { return false }
        bytesReported = bytes
        return true
    }

    private static let stepBytes = 64 << 10

    private func obey(_ order: TransferLane.Order, _ report: (TransferLane.Report) -> Void) {
        switch order {
        case .start(let handle):
            guard unsafe curl_multi_add_handle(lane.handle, handle.easy) == CURLM_OK else {
                return report(.ended(handle, .noMemory))
            }
            added[ObjectIdentifier(handle)] = handle
            if handle.isSecure { secureCount += 1 }
        case .end(let handle): end(handle, CURLE_OK, report)
        case .withdraw(let handle):
            _ = remove(handle)
            handle.clear()
            report(.returned(handle))
        case .stop: isStopping = true
        }
    }

    /// Reports the end of a transfer, unless it was reported before.
    private func end(
        _ handle: CurlHandle, _ code: CURLcode, _ report: (TransferLane.Report) -> Void
    ) {
        guard remove(handle) else { return }
        // The ledger counts the body before the handle stops counting it.
        let end = TransferEnd(handle, code, ledger)
        handle.end()
        report(.ended(handle, end))
    }

    private func remove(_ handle: CurlHandle) -> Bool {
        guard added.removeValue(forKey: ObjectIdentifier(handle)) != nil else { return false }
        unsafe curl_multi_remove_handle(lane.handle, handle.easy)
        if handle.isSecure { secureCount -= 1 }
        return true
    }
}

/// The choice of a lane for each transfer.
///
/// Connections stay with their lane, so a host keeps its lanes. A host with many transfers at a
/// time gets several lanes, so that several threads carry a list of one server, too.
package struct LanePlaces {
    /// The number of transfers of a host that share a lane before the next lane is used.
    package static let together = 2

    private struct Row {
        /// The number of the host's transfers in each lane.
        var counts: [Int]
        /// The greatest number of lanes that the host needed at a time.
        var length = 1
        /// The index of the next lane, if all have equally many transfers.
        var next = 0
    }

    /// The number of idle hosts with more than one lane whose rows are kept, so that their next
    /// transfer does not always use their first lane.
    private static let keptRows = 256

    private let room: Int
    private var counts: [Int]
    private var rows: [String: Row] = [:]

    /// - Parameter room: The number of transfers that a lane has room for.
    package init(lanes: Int, room: Int) {
        self.room = room
        counts = Array(repeating: 0, count: max(1, lanes))
    }

    /// Returns the lane for another transfer to a host: the lane in its row with the fewest
    /// transfers, or the first later lane that is not full.
    package mutating func take(_ origin: String) -> Int {
        var row = rows[origin] ?? Row(counts: Array(repeating: 0, count: counts.count))
        let wanted = (row.counts.reduce(1, +) + Self.together - 1) / Self.together
        row.length = max(row.length, min(wanted, counts.count))
        let first = Int(UInt(bitPattern: origin.hashValue) % UInt(counts.count))
        var best: Int?
        for offset in counts.indices {
            if offset >= row.length, best != nil { break }
            let step = offset < row.length ? (row.next + offset) % row.length : offset
            let lane = (first + step) % counts.count
            guard counts[lane] < room, row.counts[lane] < best.map({ row.counts[$0] }) ?? .max
            else { continue }
            best = lane
        }
        let lane = best ?? first
        row.next = ((lane - first + counts.count) % counts.count + 1) % row.length
        row.counts[lane] += 1
        counts[lane] += 1
        rows[origin] = row
        return lane
    }

    /// Removes a transfer of a host; a lane outside the row is ignored.
    package mutating func leave(_ lane: Int, _ origin: String) {
        guard lane < counts.count, var row = rows[origin], row.counts[lane] > 0 else { return }
        row.counts[lane] -= 1
        counts[lane] -= 1
        let isKept = row.length > 1 && rows.count <= Self.keptRows
        rows[origin] = isKept || row.counts.contains { $0 > 0 } ? row : nil
    }
}

/// The number of connections and lanes that the limit on file descriptors leaves room for.
enum DescriptorLimit {
    /// The descriptors that are kept free for files and pipes.
    private static let reserve = 32

    /// Returns at most `wanted` and at least one. A connection may use two sockets while it is
    /// made, one for each address family.
    static func connections(atMost wanted: Int) -> Int {
        max(1, min(wanted, room / 2))
    }

    /// Returns at most `wanted` lanes, but not more than have transfers to carry. Returns none if
    /// descriptors are short, since each lane has separate connections and needs four descriptors.
    static func lanes(_ wanted: Int, for connections: Int) -> Int {
        let lanes = max(0, min(wanted, connections / LanePlaces.together))
        let kept = lanes * (TransferLanes.room(of: lanes, connections) + 4)
        return 2 * connections + kept <= room ? lanes : 0
    }

    private static var room: Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return .max
        }
        return max(0, Int(clamping: limit.rlim_cur) - reserve)
    }
}
