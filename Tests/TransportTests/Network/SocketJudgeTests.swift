import CCurlShims
import CLibCurl
import Glibc
import Support
import Synchronization
import Testing
import Transport

/// Tests the last two checks of an address without the earlier checks.
@Suite("Address checks at the socket", .serialized)
struct SocketJudgeTests {
    /// The number of checks so far, and the number of first checks that permit the address.
    private static let asked = Atomic<Int>(0)
    private static let allowed = Atomic<Int>(0)

    private enum Missing: Error { case memory }

    /// The result of one transfer of a URL on this machine.
    private struct Ending {
        var code = CURLE_OK
        var stop: Int32 = 0
        var opened: Int32 = 0
        var blocked: Int32 = 0
    }

    private func transfer(_ url: String, allowed count: Int) throws -> Ending {
        // The version initialises curl.
        _ = CurlLibrary.version
        Self.asked.store(0, ordering: .sequentiallyConsistent)
        Self.allowed.store(count, ordering: .sequentiallyConsistent)
        var held: Int64 = 0
        return try unsafe withUnsafeMutablePointer(to: &held) { held in
            var common = unsafe emb_transfer_common()
            unsafe common.judge = { _, _, _ in
                let before = SocketJudgeTests.asked.add(1, ordering: .relaxed).oldValue
                return before < SocketJudgeTests.allowed.load(ordering: .relaxed) ? 1 : 0
            }
            unsafe common.body_limit = 1 << 20
            unsafe common.header_limit = 1 << 20
            unsafe common.connect_milliseconds = 2_000
            unsafe common.bytes_held = held
            guard let transfer = unsafe emb_transfer_create(&common, "emblem", nil, nil) else {
                throw Missing.memory
            }
            defer { unsafe emb_transfer_destroy(transfer) }
            let isReady = unsafe emb_transfer_prepare(transfer, url, 0, 0, nil, nil, nil) != 0
            try #require(isReady)
            var ending = try unsafe perform(transfer.pointee.easy)
            unsafe ending.stop = transfer.pointee.stop
            unsafe ending.opened = transfer.pointee.sockets_opened
            unsafe ending.blocked = transfer.pointee.sockets_blocked
            return ending
        }
    }

    @unsafe
    private func perform(_ easy: UnsafeMutableRawPointer?) throws -> Ending {
        guard let multi = unsafe curl_multi_init() else { throw Missing.memory }
        unsafe curl_multi_add_handle(multi, easy)
        defer {
            unsafe curl_multi_remove_handle(multi, easy)
            unsafe curl_multi_cleanup(multi)
        }
        var ending = Ending()
        var running: Int32 = 1
        while running > 0 {
            unsafe curl_multi_perform(multi, &running)
            if running > 0 { unsafe curl_multi_poll(multi, nil, 0, 100, nil) }
        }
        var left: Int32 = 0
        if let message = unsafe curl_multi_info_read(multi, &left) {
            unsafe ending.code = message.pointee.data.result
        }
        return ending
    }

    @Test("the address check opens no socket to a refused address")
    func socket() throws {
        let (listener, port) = LocalSocket.listen()
        defer { close(listener) }
        let ending = try transfer("http://127.0.0.1:\(port)/", allowed: 0)
        #expect(ending.code == CURLE_COULDNT_CONNECT)
        #expect(ending.opened == 0 && ending.blocked == 1)
        #expect(!LocalSocket.wasReached(listener))
    }

    @Test("the address of the peer is checked again before the request is sent")
    func request() throws {
        let url = TestServers.faults.url("ok")
        let ending = try transfer(url, allowed: 1)
        #expect(ending.code == CURLE_ABORTED_BY_CALLBACK && ending.opened == 1)
        #expect(Int(ending.stop) == EMB_STOP_ADDRESS)
        let whole = try transfer(url, allowed: 2)
        #expect(whole.code == CURLE_OK && whole.stop == 0)
    }
}
