import CCurlShims
import CLibCurl

/// Drives the transfers of a lane; confined to the one thread that does.
@safe
final class TransferDriver {
    private let lane: TransferLane
    private let ledger: HeldBytes
    /// What curl has in hand.
    private var underWay: [ObjectIdentifier: TransferHandle] = [:]
    /// Those of them that go over TLS.
    private var secureCount = 0
    /// What bodies held when the event thread was last told that it is too much.
    private var bytesTold = 0
    private var isStopping = false

    init(_ lane: TransferLane, _ ledger: HeldBytes) {
        self.lane = lane
        self.ledger = ledger
    }

    /// Until the order to stop.
    func run(_ report: (TransferLane.Report) -> Void) {
        while true {
            perform(report)
            if isStopping { return }
            if isCrowded() { report(.crowded) }
            wait(milliseconds: 60_000) { false }
        }
    }

    /// Does what was ordered, moves all transfers on and reports those that curl is done with.
    func perform(_ report: (TransferLane.Report) -> Void) {
        for order in lane.collect() { obey(order, report) }
        var running: Int32 = 0
        unsafe curl_multi_perform(lane.handle, &running)
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(lane.handle, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
            let code = unsafe message.pointee.data.result
            if let handle = unsafe TransferHandle.of(message.pointee.easy_handle) {
                end(handle, code, report)
            }
        }
    }

    /// Listens until something happens or the time is over.
    func wait(milliseconds: Int32, unless isBusy: () -> Bool) {
        let longest = secureCount > 0 ? min(milliseconds, Self.nudgeMilliseconds) : milliseconds
        lane.listen(milliseconds: longest, unless: isBusy)
    }

    /// curl 7.88 can sleep over HTTP/2 frames it has read or has still to send: of 200 redirects
    /// on one connection, one run in 25 stood still for seconds until something else woke it. So curl is
    /// run this often while a transfer may be HTTP/2.
    private static let nudgeMilliseconds: Int32 = 20

    /// Whether bodies hold more than they may, and much more than when that was last said.
    private func isCrowded() -> Bool {
        let bytes = ledger.value + lane.incoming.value
        guard bytes > ledger.mark else {
            bytesTold = 0
            return false
        }
        guard bytes >= bytesTold + Self.stepBytes else { return false }
        bytesTold = bytes
        return true
    }

    private static let stepBytes = 64 << 10

    private func obey(_ order: TransferLane.Order, _ report: (TransferLane.Report) -> Void) {
        switch order {
        case .begin(let handle):
            guard unsafe curl_multi_add_handle(lane.handle, handle.easy) == CURLM_OK else {
                return report(.done(handle, .noMemory))
            }
            underWay[ObjectIdentifier(handle)] = handle
            if handle.isSecure { secureCount += 1 }
        case .conclude(let handle): end(handle, CURLE_OK, report)
        case .withdraw(let handle):
            _ = letGo(handle)
            handle.clear()
            report(.back(handle))
        case .stop: isStopping = true
        }
    }

    /// Reports a transfer as done, unless it was before.
    private func end(
        _ handle: TransferHandle, _ code: CURLcode, _ report: (TransferLane.Report) -> Void
    ) {
        guard letGo(handle) else { return }
        // What the body takes is held by the ledger before the handle lets it go.
        let end = TransferEnd(handle, code, ledger)
        handle.end()
        report(.done(handle, end))
    }

    /// Takes a transfer out of curl's hand; false where it is not in it.
    private func letGo(_ handle: TransferHandle) -> Bool {
        guard underWay.removeValue(forKey: ObjectIdentifier(handle)) != nil else { return false }
        unsafe curl_multi_remove_handle(lane.handle, handle.easy)
        if handle.isSecure { secureCount -= 1 }
        return true
    }
}
