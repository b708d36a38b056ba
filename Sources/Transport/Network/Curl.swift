import CCurlShims
import CLibCurl
import Glibc
import Synchronization

/// The set-up of libcurl, once per process.
package enum CurlLibrary {
    /// Whether libcurl is installed. The first call loads it.
    static var isFound: Bool { emb_curl_is_found() != 0 }

    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Returns the number of connections that the limit on file descriptors allows: at most `wanted`
    /// and at least one. A connection may use two sockets while it is made, one for each address
    /// family; 32 descriptors are kept free for files and pipes.
    static func connections(atMost wanted: Int) -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return wanted
        }
        return max(1, min(wanted, (Int(clamping: limit.rlim_cur) - 32) / 2))
    }

    /// Returns why the system finds no address for a name; nil if it has one now. Asks the hosts
    /// file and DNS, in the order that the machine is configured for; may block.
    static func lookUpFailure(of host: String) -> ItemFailure? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        let outcome = unsafe getaddrinfo(host, nil, &hints, &list)
        if let list = unsafe list { unsafe freeaddrinfo(list) }
        guard outcome != 0 else { return nil }
        let reason = unsafe gai_strerror(outcome).map { unsafe String(cString: $0) } ?? ""
        let isFinal = outcome == EAI_NONAME || outcome == -5  // EAI_NODATA
        return ItemFailure(.dns, reason, isRetryable: !isFinal)
    }

    /// The version text of curl, such as `libcurl/7.88.1 OpenSSL/3.0.19 …`.
    package static var version: String {
        unsafe curl_version().map { unsafe String(cString: $0) } ?? ""
    }

    /// The version number alone; nil if curl is not installed.
    package static var number: String? {
        version.split(separator: " ").first?.split(separator: "/").last.map { String($0) }
    }
}

/// A multi handle of curl with its connections, name cache and TLS sessions.
///
/// Only the thread of the loop uses it; any thread may wake it.
@safe
final class CurlMulti: Sendable {
    // Any thread may pass it to curl_multi_wakeup.
    private nonisolated(unsafe) let multi: UnsafeMutableRawPointer
    /// Whether the loop sleeps or is about to. The loop sets this before it checks its queue a last
    /// time. So a sender that finds it false after queueing a message need not wake the loop.
    private let isListening = Atomic(false)
    private nonisolated(unsafe) let held: UnsafeMutablePointer<Int64>
    // Written in `init` only.
    private nonisolated(unsafe) let common: emb_transfer_common
    fileprivate let settings: NetworkSettings

    /// - Parameter connections: The number of idle connections to keep.
    init?(_ settings: NetworkSettings, keeping connections: Int) {
        guard CurlLibrary.isReady, let multi = unsafe curl_multi_init() else { return nil }
        self.settings = settings
        unsafe self.multi = multi
        unsafe held = .allocate(capacity: 1)
        unsafe held.initialize(to: 0)
        unsafe emb_multi_prepare(multi, Int64(connections))
        var common = unsafe emb_transfer_common()
        unsafe common.body_limit = Int64(settings.bodyLimit)
        unsafe common.header_limit = Int64(settings.headerLimit)
        unsafe common.connect_milliseconds = max(1, settings.timeout.nanoseconds / 1_000_000)
        unsafe common.share = emb_share_create()
        unsafe common.bytes_held = held
        for entry in settings.fixedAddresses {
            unsafe common.resolve = UnsafeMutableRawPointer(
                curl_slist_append(
                    common.resolve?.assumingMemoryBound(to: curl_slist.self), entry))
        }
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
    }

    /// No handle exists any more, since each handle references this object.
    deinit {
        unsafe curl_slist_free_all(common.resolve?.assumingMemoryBound(to: curl_slist.self))
        unsafe emb_share_destroy(common.share)
        unsafe curl_multi_cleanup(multi)
        unsafe held.deallocate()
    }

    /// The bytes of the incoming bodies.
    var incomingBytes: Int { Int(unsafe held.pointee) }

    /// Creates an easy handle; nil if there is no memory.
    func makeHandle() -> CurlHandle? {
        unsafe withUnsafePointer(to: common) { common in
            unsafe emb_transfer_create(
                common, settings.userAgent, settings.proxy, settings.certificates
            ).map { transfer in unsafe CurlHandle(self, transfer) }
        }
    }

    /// Lets curl carry out the request of a handle; false if there is no memory.
    func add(_ handle: CurlHandle) -> Bool {
        unsafe curl_multi_add_handle(multi, handle.easy) == CURLM_OK
    }

    func remove(_ handle: CurlHandle) {
        unsafe curl_multi_remove_handle(multi, handle.easy)
    }

    /// Advances all transfers and passes on those that have ended.
    func perform(_ end: (CurlHandle, CURLcode) -> Void) {
        var running: Int32 = 0
        unsafe curl_multi_perform(multi, &running)
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
            let code = unsafe message.pointee.data.result
            guard let owner = unsafe emb_transfer_of(message.pointee.easy_handle)?.pointee.owner
            else { continue }
            end(unsafe Unmanaged<CurlHandle>.fromOpaque(owner).takeUnretainedValue(), code)
        }
    }

    /// Wakes the loop if it sleeps. For use after adding to a queue that the loop checks before it
    /// sleeps; otherwise use `wake()`.
    func wakeListener() {
        if isListening.exchange(false, ordering: .relaxed) { wake() }
    }

    func wake() {
        unsafe curl_multi_wakeup(multi)
    }

    /// Sleeps until curl has something to do, `wake` is called, or the time is over.
    ///
    /// - Parameter isBusy: Whether the loop has messages.
    func listen(milliseconds: Int32, unless isBusy: () -> Bool) {
        isListening.store(true, ordering: .relaxed)
        let outcome = unsafe curl_multi_poll(multi, nil, 0, isBusy() ? 0 : milliseconds, nil)
        isListening.store(false, ordering: .relaxed)
        // If the system refuses to wait, the loop polls instead: transfers still end at their time
        // limits, and the loop does not spin.
        if outcome != CURLM_OK { usleep(10_000) }
    }
}

/// An easy handle of curl, with the response that has come in so far. Confined to the thread of the
/// loop.
@safe
final class CurlHandle {
    private let transfer: UnsafeMutablePointer<emb_transfer>
    private let multi: CurlMulti
    /// Whether an allowance names the host of the request.
    private var isNamed = false
    /// The number of the transfer.
    private(set) var id: UInt64 = 0
    private(set) var isSecure = false
    /// Whether the request asks the server if a stored response is still valid.
    private(set) var isConditional = false

    init(_ multi: CurlMulti, _ transfer: UnsafeMutablePointer<emb_transfer>) {
        self.multi = multi
        unsafe self.transfer = transfer
        unsafe transfer.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        unsafe emb_transfer_destroy(transfer)
    }

    /// Prepares the next request; false if there is no memory.
    func prepare(
        _ address: WebAddress, id: UInt64, isConditional: Bool, newConnection: Bool,
        headers: [String], isNamed: Bool, credentials: WebAddress.Credentials?
    ) -> Bool {
        clear()
        self.id = id
        self.isNamed = isNamed
        self.isConditional = isConditional
        isSecure = address.isSecure
        for line in headers where unsafe emb_transfer_add_header(transfer, line) == 0 {
            return false
        }
        return unsafe emb_transfer_prepare(
            transfer, address.text, address.isSecure ? 1 : 0, newConnection ? 1 : 0,
            credentials?.user, credentials?.password, credentials?.scope) != 0
    }

    /// Returns whether the request may connect to an address. Its port was checked before.
    func allows(_ address: Span<UInt8>) -> Bool {
        multi.settings.allows(address, port: nil, isNamed: isNamed)
    }

    func clear() {
        unsafe emb_transfer_clear(transfer)
    }

    var easy: UnsafeMutableRawPointer? { unsafe transfer.pointee.easy }
    var status: Int { Int(unsafe transfer.pointee.status) }
    var isHeadDone: Bool { unsafe transfer.pointee.head_done != 0 }
    var isDiscarding: Bool { unsafe transfer.pointee.discarding != 0 }
    /// The time at which the request was sent; nil before the connection is made.
    var requestedAt: Int64? {
        unsafe transfer.pointee.requested_at > 0 ? transfer.pointee.requested_at : nil
    }
    var bodyBytes: Int { Int(unsafe transfer.pointee.body_count) }
    /// The length of the body that the server declared, or -1.
    var declaredLength: Int { Int(unsafe transfer.pointee.declared_length) }
    var wireBytes: Int { Int(unsafe transfer.pointee.wire_count) }
    var received: Int64 {
        unsafe transfer.pointee.header_total + transfer.pointee.wire_count
    }
    var wasBlocked: Bool {
        unsafe transfer.pointee.sockets_blocked > 0 && transfer.pointee.sockets_opened == 0
    }
    var lacksDescriptors: Bool {
        unsafe transfer.pointee.descriptors_out != 0 && transfer.pointee.sockets_opened == 0
    }

    var message: String {
        unsafe withUnsafeBytes(of: &transfer.pointee.message) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    var headers: ResponseHeaders {
        let head = unsafe UnsafeRawBufferPointer(
            start: transfer.pointee.head, count: transfer.pointee.head_count)
        return unsafe head.withMemoryRebound(to: UInt8.self) { bytes in
            unsafe ResponseHeaders(head: bytes.span)
        }
    }

    var body: [UInt8] {
        unsafe [UInt8](
            UnsafeBufferPointer(start: transfer.pointee.body, count: transfer.pointee.body_count))
    }

    /// Stores the times that curl measured in `outcome`.
    func fillTimes(_ outcome: inout NetworkOutcome) {
        let times = unsafe emb_transfer_get_times(transfer)
        let isNew = times.new_connections > 0
        let connected = isNew ? max(times.connected, times.secured) : 0
        outcome.reusedConnection = !isNew && times.requested > 0
        outcome.timings.dns = isNew ? times.resolved * 1000 : 0
        outcome.timings.connect = max(0, connected - times.resolved) * 1000
        outcome.timings.firstByte = max(0, times.answered - times.requested) * 1000
        outcome.timings.fetch =
            times.answered > 0 ? max(0, times.total - times.answered) * 1000 : 0
    }

    /// The failure if a callback ended the transfer; nil if the status decides.
    var stopFailure: ItemFailure? {
        switch Int(unsafe transfer.pointee.stop) {
        case EMB_STOP_NONE, EMB_STOP_ANSWERED: nil
        case EMB_STOP_TOO_LARGE: ItemFailure(bodyPasses: multi.settings.bodyLimit)
        case EMB_STOP_HEADERS: ItemFailure(.badHTTP, "The response headers are too long.")
        case EMB_STOP_STATUS_LINE: ItemFailure(.badHTTP, "The status line is malformed.")
        case EMB_STOP_LINE_END: ItemFailure(.badHTTP, "A header line ends without CRLF.")
        case EMB_STOP_FOLDED: ItemFailure(.badHTTP, "A header line is folded.")
        case EMB_STOP_LENGTHS:
            ItemFailure(.badHTTP, "The response has two different content lengths.")
        case EMB_STOP_ADDRESS: ItemFailure.notPublic
        case EMB_STOP_REPEAT:
            ItemFailure(.connect, "The server closed the connection without a response.")
        default: ItemFailure(.connect, "There is no memory for the response.")
        }
    }

    /// Returns the failure for a result of curl.
    func failure(of code: CURLcode) -> ItemFailure {
        let words = unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) } ?? ""
        let detail = message.isEmpty ? words : message
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            return ItemFailure(.dns, detail, isRetryable: true)
        case CURLE_OPERATION_TIMEDOUT: return ItemFailure(.timeout, detail)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED:
            return ItemFailure(.tls, detail)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING,
            CURLE_OUT_OF_MEMORY, CURLE_WRITE_ERROR, CURLE_HTTP3:
            // Before the head is complete, this error can only mean more content encodings than
            // the five that curl decodes.
            if code == CURLE_BAD_CONTENT_ENCODING, !isHeadDone {
                return ItemFailure(.tooLarge, "The body has too many content encodings.")
            }
            // curl reports a header line that is too long as a lack of memory.
            return ItemFailure(.badHTTP, detail)
        case CURLE_HTTP2_STREAM where !isHeadDone && Self.isProtocolError(message):
            // The response violates HTTP/2: its head is malformed, or a body that arrived together
            // with the head has another length than declared. In the second case a retry may
            // succeed.
            return ItemFailure(.badHTTP, detail, isRetryable: true)
        case CURLE_URL_MALFORMAT: return ItemFailure(.badURL, detail)
        default:
            // curl reports a broken chunk and a reset alike. Its message does not help, since it
            // may be that of an earlier attempt on a dead connection.
            return ItemFailure(isHeadDone ? .truncated : .connect, detail, isRetryable: true)
        }
    }

    /// Returns whether an HTTP/2 stream was closed because of a protocol error, and not by a
    /// decision of the server. The numbers are those of RFC 9113: PROTOCOL_ERROR, FRAME_SIZE_ERROR,
    /// COMPRESSION_ERROR.
    private static func isProtocolError(_ message: String) -> Bool {
        ["(err 1)", "(err 6)", "(err 9)"].contains { message.hasSuffix($0) }
    }
}
