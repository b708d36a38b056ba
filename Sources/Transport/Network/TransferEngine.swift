import CCurlShims
import CLibCurl
import Synchronization
import System

/// The queue of orders to the event thread; each order is answered exactly once.
@safe
final class TransferEngine: Sendable {
    /// What the event thread is told.
    enum Message: Sendable {
        case order(TransferOrder, id: UInt64, TransferOutcome.Reply, at: Int64)
        case cancel(UInt64)
        case name(String, NameAnswer)
        case transfer(TransferLane.Report)
        case survey(Int, Waiter<[NetworkFlight]>)
        case stop
    }

    private struct Mailbox {
        var messages: [Message] = []
        var isClosed = false
        var nextID: UInt64 = 1
    }

    private let mailbox = Mutex(Mailbox())
    private let thread = Mutex<Thread?>(nil)
    /// What the event thread drives itself, and listens by.
    let lane: TransferLane

    /// Starts the event thread; nil when the system gives no thread or no memory.
    static func start(
        _ settings: NetworkSettings, _ waits: HostWaits
    ) -> (TransferEngine, HeldBytes)? {
        let connections = DescriptorLimit.connections(atMost: settings.connections)
        let lanes = DescriptorLimit.lanes(settings.lanes, for: connections)
        let lane = TransferLane(settings, IncomingBytes(), index: lanes, keeping: connections)
        guard let lane else { return nil }
        let engine = TransferEngine(lane)
        let ledger = HeldBytes(mark: settings.heldBytesLimit ?? .max) { [weak engine] in
            engine?.lane.wake()
        }
        let thread = Thread("emblem-net", stackBytes: 1 << 20) {
            EventLoop(
                engine, settings, ledger, waits, connections: connections, lanes: lanes
            ).run()
        }
        guard let thread else { return nil }
        engine.thread.withLock { $0 = thread }
        return (engine, ledger)
    }

    private init(_ lane: TransferLane) {
        self.lane = lane
    }

    /// Loads one address; ends early, and as canceled, with its task.
    func transfer(_ order: TransferOrder) async -> TransferOutcome.Box {
        let waiter = TransferOutcome.Reply()
        guard !Task.isCancelled, let id = post(order, waiter) else { return .canceled }
        return await waiter.value { self.send(.cancel(id)) }
    }

    /// Ends everything under way as canceled and waits for the event thread.
    func shutDown() {
        send(.stop)
        let thread = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        thread?.join()
    }

    /// Puts an order in and gives its number; `nil` where the engine is closed.
    private func post(_ order: TransferOrder, _ waiter: TransferOutcome.Reply) -> UInt64? {
        let now = Int64(MonotonicClock.now)
        let id = mailbox.withLock { box -> UInt64? in
            guard !box.isClosed else { return nil }
            let id = box.nextID
            box.nextID += 1
            box.messages.append(.order(order, id: id, waiter, at: now))
            return id
        }
        if id != nil { lane.wakeListener() }
        return id
    }

    /// What has been under way for longest, the slowest first.
    func slowest(_ count: Int) async -> [NetworkFlight] {
        let reader = Waiter<[NetworkFlight]>()
        guard send(.survey(count, reader)) else { return [] }
        return await reader.value {}
    }

    /// False where the engine is closed and the message lost.
    @discardableResult
    func send(_ message: Message) -> Bool {
        let isOpen = mailbox.withLock { box in
            guard !box.isClosed else { return false }
            if case .stop = message { box.isClosed = true }
            box.messages.append(message)
            return true
        }
        if isOpen { lane.wakeListener() }
        return isOpen
    }

    var hasMessages: Bool { mailbox.withLock { !$0.messages.isEmpty } }

    /// Everything sent since the last time.
    func collect() -> [Message] {
        mailbox.withLock { box in
            guard !box.messages.isEmpty else { return [] }
            let messages = box.messages
            box.messages = []
            return messages
        }
    }
}

/// curl's one-time set-up.
package enum CurlLibrary {
    /// Whether curl is installed; opens it.
    static var isFound: Bool { emb_curl_is_found() != 0 }

    /// What to say where it is not.
    static let whatIsMissing =
        "URLs need libcurl. Install the Debian package libcurl4."

    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// curl's own account of itself, such as `libcurl/7.88.1 OpenSSL/3.0.19 …`.
    package static var version: String {
        unsafe curl_version().map { unsafe String(cString: $0) } ?? ""
    }

    /// The number alone; `nil` where curl is not installed.
    package static var number: String? {
        version.split(separator: " ").first?.split(separator: "/").last.map { String($0) }
    }
}
