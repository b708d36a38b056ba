import CCurlShims
import CLibCurl
import Glibc
import Synchronization

/// A part of the transfers, with a multi handle of curl and connections of its own.
///
/// One thread drives it, by a ``TransferDriver``; the event thread tells it what to do.
@safe
final class TransferLane: Sendable {
    /// What the driver is told.
    enum Order: Sendable {
        case begin(TransferHandle)
        /// What has come in is enough.
        case conclude(TransferHandle)
        /// Nobody waits for it any more.
        case withdraw(TransferHandle)
        case stop
    }

    /// What the event thread is told.
    enum Report: Sendable {
        /// It came to an end, and its handle rests.
        case done(TransferHandle, TransferEnd)
        /// What was withdrawn rests.
        case back(TransferHandle)
        /// Bodies have grown past their limit.
        case crowded
    }

    /// Which of a pool's lanes it is.
    let index: Int
    private let orders = Mutex<[Order]>([])
    /// The driver is about to sleep, or sleeps. Whoever has left something under a lock that the
    /// driver looks under after it said so, and finds it unsaid, need not wake anybody.
    private let isListening = Atomic(false)
    // curl_multi_wakeup is the one call that other threads than the driver's may make.
    private nonisolated(unsafe) let multi: UnsafeMutableRawPointer
    // Written before anybody else has the lane.
    private nonisolated(unsafe) let common: emb_fetch_common
    private nonisolated(unsafe) let texts: [UnsafeMutablePointer<CChar>]
    let incoming: IncomingBytes

    /// - Parameter keeping: so many connections stay open.
    init?(
        _ settings: NetworkSettings, _ incoming: IncomingBytes, index: Int,
        keeping connections: Int
    ) {
        guard CurlLibrary.isReady, let multi = unsafe curl_multi_init() else { return nil }
        self.index = index
        self.incoming = incoming
        unsafe self.multi = multi
        unsafe emb_multi_prepare(multi, Int64(connections))
        var texts = unsafe [UnsafeMutablePointer<CChar>]()
        var common = unsafe emb_fetch_common()
        unsafe common.user_agent = Self.keep(settings.userAgent, in: &texts)
        unsafe common.proxy = settings.proxy.flatMap { unsafe Self.keep($0, in: &texts) }
        unsafe common.ca_file = settings.certificates.flatMap { unsafe Self.keep($0, in: &texts) }
        unsafe common.netrc = settings.readsNetrc ? 1 : 0
        unsafe common.body_limit = Int64(settings.bodyLimit)
        unsafe common.header_limit = Int64(settings.headerLimit)
        unsafe common.connect_milliseconds = max(1, settings.timeout.nanoseconds / 1_000_000)
        unsafe common.share = emb_share_create()
        unsafe common.bytes_held = incoming.pointer
        // A proxy was chosen by the user, and it alone is connected to.
        if !settings.allowPrivate, settings.proxy == nil {
            unsafe common.judge = { address, count in
                guard let address = unsafe address else { return 0 }
                let bytes = unsafe UnsafeBufferPointer(start: address, count: Int(count))
                return AddressRule.isPublic(unsafe bytes.span) ? 1 : 0
            }
        }
        unsafe self.common = common
        unsafe self.texts = texts
    }

    /// Its handles are gone by now: each holds on to its lane.
    deinit {
        unsafe emb_share_destroy(common.share)
        unsafe curl_multi_cleanup(multi)
        for index in unsafe texts.indices { unsafe texts[index].deallocate() }
    }

    /// For the driver alone.
    var handle: UnsafeMutableRawPointer { unsafe multi }

    /// A handle whose transfers go by this lane; nil when there is no memory.
    func makeHandle() -> TransferHandle? {
        unsafe withUnsafePointer(to: common) { common in
            unsafe emb_fetch_create(common).map { fetch in unsafe TransferHandle(self, fetch) }
        }
    }

    /// Hands an order over.
    func tell(_ order: Order) {
        orders.withLock { $0.append(order) }
        wakeListener()
    }

    /// For what was left under a lock that the driver looks under; else see `wake()`.
    func wakeListener() {
        if isListening.exchange(false, ordering: .relaxed) { wake() }
    }

    func wake() {
        unsafe curl_multi_wakeup(multi)
    }

    /// For the driver: sleeps until curl has something to do, somebody wakes it, or the time is over.
    ///
    /// - Parameter isBusy: looks under the other locks.
    func listen(milliseconds: Int32, unless isBusy: () -> Bool) {
        isListening.store(true, ordering: .relaxed)
        let time = isBusy() || hasOrders ? 0 : milliseconds
        let outcome = unsafe curl_multi_poll(multi, nil, 0, time, nil)
        isListening.store(false, ordering: .relaxed)
        // If the system refuses to wait, the driver polls instead: transfers still end at their time
        // limits, and the loop does not spin.
        if outcome != CURLM_OK { usleep(Self.refusedWaitMicroseconds) }
    }

    /// Everything ordered since the last time.
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

    /// A copy for C that lives as long as the lane.
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
