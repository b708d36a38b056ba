import CCurlShims
import CLibCurl
import Glibc
import Synchronization
import System

/// The lanes of a transfer loop (``TransferLane``), with their idle curl handles. Confined to the
/// event thread.
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
    private var assignment: LaneAssignment
    /// Withdrawn handles that their lanes have not returned yet. These references make sure that a
    /// handle is destroyed on the event thread.
    private var withdrawn: [ObjectIdentifier: CurlHandle] = [:]

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
        assignment = LaneAssignment(lanes: lanes, room: Self.room(of: lanes, connections))
    }

    /// Returns the number of transfers that a lane carries, which is also the number of idle
    /// connections that it keeps: curl closes idle connections while a lane runs more transfers
    /// than that. Hosts are spread unevenly over lanes, so all lanes together carry twice as many
    /// transfers as needed.
    static func room(of lanes: Int, _ connections: Int) -> Int {
        lanes > 0 ? (2 * connections + lanes - 1) / lanes : connections
    }

    /// The bytes of incoming bodies, without those of withdrawn transfers.
    var incomingBytes: Int { queue.lane.incoming.value }

    /// Returns a handle for a transfer to a host; nil if there is no memory.
    func handle(for origin: String) -> CurlHandle? {
        guard !running.isEmpty else { return handle(of: queue.lane) }
        let place = assignment.take(origin)
        if let lane = lane(place), let handle = handle(of: lane) { return handle }
        assignment.leave(place, origin)
        // Without a thread or memory for another lane, the event thread carries the transfer.
        return handle(of: queue.lane)
    }

    private func handle(of lane: TransferLane) -> CurlHandle? {
        idle[lane.index].popLast() ?? lane.makeHandle()
    }

    /// Releases a handle. If its transfer is done, the handle is idle; otherwise its lane must
    /// return it first.
    ///
    /// A host may see one connection more than its limit for a moment, if the next transfer starts
    /// in another lane before this one has ended.
    func release(_ handle: CurlHandle, _ origin: String, isDone: Bool) {
        assignment.leave(handle.lane.index, origin)
        if isDone {
            takeBack(handle)
        } else {
            handle.uncountBody()
            withdrawn[ObjectIdentifier(handle)] = handle
            handle.lane.send(.withdraw(handle))
        }
    }

    func takeBack(_ handle: CurlHandle) {
        withdrawn[ObjectIdentifier(handle)] = nil
        idle[handle.lane.index].append(handle)
    }

    func perform(_ report: (TransferLane.Report) -> Void) { driver.perform(report) }

    /// Waits until curl has something to do, a message arrives, or the time is over.
    func wait(milliseconds: Int32) {
        driver.wait(milliseconds: milliseconds) { queue.hasMessages }
    }

    func close() {
        for case let other? in running { other.lane.send(.stop) }
        for case let other? in running { other.thread.join() }
        driver.perform { _ in }
    }

    /// Returns the lane with this index, and starts it and its thread if needed; nil if the system
    /// has no thread or memory for it.
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
    /// Whether the driver sleeps or is about to. The driver sets this before it checks its queues a
    /// last time. So a sender that finds it false after queueing a message need not wake the
    /// driver.
    private let isListening = Atomic(false)
    // Only the driver's thread uses the handle, except for curl_multi_wakeup.
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

    /// No handle exists any more, since each handle references its lane.
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

    func send(_ order: Order) {
        orders.withLock { $0.append(order) }
        wakeListener()
    }

    /// Wakes the driver if it sleeps. For use after adding to a queue that the driver checks before
    /// it sleeps; otherwise use `wake()`.
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

    /// Waits until curl has something to do, an order arrives, or the time is over.
    func wait(milliseconds: Int32, unless isBusy: () -> Bool) {
        let longest = secureCount > 0 ? min(milliseconds, Self.nudgeMilliseconds) : milliseconds
        lane.listen(milliseconds: longest, unless: isBusy)
    }

    /// curl 7.88 can miss HTTP/2 frames that it has read or has to send: of 200 redirects on one
    /// connection, one run in 25 stalled for seconds until another event. So curl runs at this
    /// interval while a transfer may use HTTP/2.
    private static let nudgeMilliseconds: Int32 = 20

    /// Returns whether bodies are over their limit, and have grown by `stepBytes` since the last
    /// report.
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
        // The ledger counts the body before the handle stops counting it, so that no byte is
        // missed.
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
/// Connections belong to one lane, so the transfers to a host use the same lanes again. A host with
/// many simultaneous transfers gets several lanes, so that a list with a single server uses several
/// threads.
package struct LaneAssignment {
    /// The number of transfers of a host that share a lane before the next lane is used.
    package static let together = 2

    private struct HostLanes {
        /// The number of the host's transfers in each lane.
        var counts: [Int]
        /// The greatest number of lanes that the host has needed at a time.
        var laneCount = 1
        /// The position, among the lanes of the host, of the lane that is preferred if several have
        /// equally few transfers.
        var next = 0
    }

    /// The number of idle hosts with more than one lane that are remembered, so that their next
    /// transfer does not always use their first lane.
    private static let idleHostsLimit = 256

    private let room: Int
    private var counts: [Int]
    private var hosts: [String: HostLanes] = [:]

    /// - Parameter room: The number of transfers that a lane can carry.
    package init(lanes: Int, room: Int) {
        self.room = room
        counts = Array(repeating: 0, count: max(1, lanes))
    }

    /// Returns the lane for another transfer to a host: the host's lane with the fewest transfers,
    /// or the first other lane that is not full.
    package mutating func take(_ origin: String) -> Int {
        var host = hosts[origin] ?? HostLanes(counts: Array(repeating: 0, count: counts.count))
        let wanted = (host.counts.reduce(1, +) + Self.together - 1) / Self.together
        host.laneCount = max(host.laneCount, min(wanted, counts.count))
        let first = Int(UInt(bitPattern: origin.hashValue) % UInt(counts.count))
        var best: Int?
        for offset in counts.indices {
            if offset >= host.laneCount, best != nil { break }
            let step = offset < host.laneCount ? (host.next + offset) % host.laneCount : offset
            let lane = (first + step) % counts.count
            guard counts[lane] < room, host.counts[lane] < best.map({ host.counts[$0] }) ?? .max
            else { continue }
            best = lane
        }
        let lane = best ?? first
        host.next = ((lane - first + counts.count) % counts.count + 1) % host.laneCount
        host.counts[lane] += 1
        counts[lane] += 1
        hosts[origin] = host
        return lane
    }

    /// Removes a transfer of a host. The lane of the event thread is ignored, since it is not
    /// counted.
    package mutating func leave(_ lane: Int, _ origin: String) {
        guard lane < counts.count, var host = hosts[origin], host.counts[lane] > 0 else { return }
        host.counts[lane] -= 1
        counts[lane] -= 1
        let isKept = host.laneCount > 1 && hosts.count <= Self.idleHostsLimit
        hosts[origin] = isKept || host.counts.contains { $0 > 0 } ? host : nil
    }
}

/// The number of connections and lanes that the limit on file descriptors allows.
enum DescriptorLimit {
    /// The descriptors that are kept free for files and pipes.
    private static let reserve = 32

    /// Returns at most `wanted` and at least one. A connection may use two sockets while it is
    /// made, one for each address family.
    static func connections(atMost wanted: Int) -> Int {
        max(1, min(wanted, room / 2))
    }

    /// Returns the number of lanes: at most `wanted`, and not more than `connections` can keep
    /// busy. Returns 0 if descriptors are short, since each lane has separate connections and four
    /// more descriptors.
    static func lanes(_ wanted: Int, for connections: Int) -> Int {
        let lanes = max(0, min(wanted, connections / LaneAssignment.together))
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
