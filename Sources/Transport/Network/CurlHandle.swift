import CCurlShims
import CLibCurl
import Synchronization

/// The set-up of libcurl, once per process.
package enum CurlLibrary {
    /// Whether libcurl is installed. The first call loads it.
    static var isFound: Bool { emb_curl_is_found() != 0 }

    static let whatIsMissing =
        "URLs need libcurl. Install the Debian package libcurl4."

    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// The version text of curl, such as `libcurl/7.88.1 OpenSSL/3.0.19 …`.
    package static var version: String {
        unsafe curl_version().map { unsafe String(cString: $0) } ?? ""
    }

    /// The version number alone; nil if curl is not installed.
    package static var number: String? {
        version.split(separator: " ").first?.split(separator: "/").last.map { String($0) }
    }
}

/// An easy handle of curl, with the response that has come in so far.
///
/// During a transfer it belongs to the thread of its lane, else to the event thread. Only
/// `progress` may be read by both.
@safe
final class CurlHandle: Sendable {
    let lane: TransferLane
    private nonisolated(unsafe) let transfer: UnsafeMutablePointer<emb_transfer>
    /// Whether an allowance names the host of the request.
    private let isNamed = Atomic(false)

    init(_ lane: TransferLane, _ transfer: UnsafeMutablePointer<emb_transfer>) {
        self.lane = lane
        unsafe self.transfer = transfer
        unsafe transfer.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        unsafe emb_transfer_destroy(transfer)
    }

    /// Returns the object of an easy handle that is still referenced.
    static func of(_ easy: UnsafeMutableRawPointer?) -> CurlHandle? {
        guard let owner = unsafe emb_transfer_of(easy)?.pointee.owner else { return nil }
        return unsafe Unmanaged<CurlHandle>.fromOpaque(owner).takeUnretainedValue()
    }

    var easy: UnsafeMutableRawPointer? { unsafe transfer.pointee.easy }
    var tag: UInt64 { unsafe transfer.pointee.tag }
    var isSecure: Bool { unsafe transfer.pointee.is_secure != 0 }
    /// Whether the request asks the server if a stored response is still valid.
    var isConditional: Bool { unsafe transfer.pointee.is_conditional != 0 }
    var progress: Progress { unsafe Progress(emb_transfer_get_progress(transfer)) }

    /// Prepares the next request; false if there is no memory.
    func prepare(
        _ address: WebAddress, tag: UInt64, isConditional: Bool, newConnection: Bool,
        headers: [String], resolve: String?, isNamed: Bool, credentials: WebAddress.Credentials?
    ) -> Bool {
        unsafe emb_transfer_clear(transfer)
        self.isNamed.store(isNamed, ordering: .relaxed)
        unsafe transfer.pointee.tag = tag
        unsafe transfer.pointee.is_conditional = isConditional ? 1 : 0
        for line in headers where unsafe emb_transfer_add_header(transfer, line) == 0 {
            return false
        }
        return unsafe emb_transfer_prepare(
            transfer, address.text, address.isSecure ? 1 : 0, newConnection ? 1 : 0, resolve,
            credentials?.user, credentials?.password, credentials?.scope) != 0
    }

    /// Returns whether the request may connect to an address. Its port was checked before.
    func allows(_ address: Span<UInt8>) -> Bool {
        lane.addresses.allows(
            address, port: nil, isNamed: isNamed.load(ordering: .relaxed))
    }

    func clear() {
        unsafe emb_transfer_clear(transfer)
    }

    /// Marks the transfer as ended, after its body was copied.
    func end() {
        unsafe emb_transfer_end(transfer)
    }

    /// Removes the body from the sum of incoming bytes, since no caller waits for it.
    func uncountBody() {
        unsafe emb_transfer_release_held(transfer)
    }

    var stop: Int { Int(unsafe transfer.pointee.stop) }
    var status: Int { Int(unsafe transfer.pointee.status) }
    var bodyLimit: Int { Int(unsafe transfer.pointee.common.body_limit) }
    var isHeadDone: Bool { unsafe transfer.pointee.head_done != 0 }
    var isDiscarding: Bool { unsafe transfer.pointee.discarding != 0 }
    var wasBlocked: Bool {
        unsafe transfer.pointee.sockets_blocked > 0 && transfer.pointee.sockets_opened == 0
    }
    var lacksDescriptors: Bool {
        unsafe transfer.pointee.descriptors_out != 0 && transfer.pointee.sockets_opened == 0
    }
    /// Whether the gzip body, which the transfer inflates itself, is complete.
    var isWhole: Bool { unsafe emb_transfer_is_whole(transfer) != 0 }
    var times: emb_transfer_times { unsafe emb_transfer_get_times(transfer) }

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

    /// The progress of a transfer, which the event thread may read while a lane drives it.
    struct Progress {
        private let fields: emb_transfer_progress

        fileprivate init(_ fields: emb_transfer_progress) {
            self.fields = fields
        }

        /// The time at which the request was sent; nil before the connection is made.
        var requestedAt: Int64? { fields.requested_at > 0 ? fields.requested_at : nil }
        var isHeadDone: Bool { fields.head_done != 0 }
        var isDiscarding: Bool { fields.discarding != 0 }
        var bodyBytes: Int { Int(fields.body_count) }
        var wireBytes: Int { Int(fields.wire_count) }
        /// Whether the lane has noticed the end and is about to report it.
        var isEnded: Bool { fields.ended != 0 }
        var received: Int64 { fields.header_total + fields.wire_count }
    }
}

/// The number of bytes of bodies that are incoming, over all lanes of a loader.
@safe
final class IncomingBytes: Sendable {
    // Written by the transfers; each lane holds this object.
    nonisolated(unsafe) let pointer: UnsafeMutablePointer<Int64>

    init() {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: 0)
    }

    deinit {
        unsafe pointer.deallocate()
    }

    var value: Int { Int(unsafe emb_bytes_held(pointer)) }
}

/// The end of a transfer, copied out of its handle by the thread of its lane.
final class TransferEnd: Sendable {
    enum Verdict: Equatable {
        case body
        /// The stored response is still valid.
        case notModified
        case redirect(String)
        case failure(NetworkFailure)
        /// The system had no file descriptor for the connection.
        case noDescriptor(NetworkFailure)
    }

    let verdict: Verdict
    let status: Int
    let headers: ResponseHeaders
    let body: NetworkBody
    private let wireBytes: Int
    private let times: emb_transfer_times

    init(_ handle: CurlHandle, _ code: CURLcode, _ ledger: HeldBytes) {
        verdict = Verdict(handle, code)
        status = handle.status
        headers = handle.headers
        body = NetworkBody(verdict == .body ? handle.body : [], ledger: ledger)
        wireBytes = handle.progress.wireBytes
        times = handle.times
    }

    /// Creates the end of a transfer that curl did not start.
    private init(_ failure: NetworkFailure) {
        verdict = .failure(failure)
        status = 0
        headers = ResponseHeaders()
        body = NetworkBody([])
        wireBytes = 0
        times = emb_transfer_times()
    }

    static let noMemory = TransferEnd(
        NetworkFailure(.connect, "There is no memory for the transfer."))

    /// Stores the times that curl measured in `outcome`, and adds the bytes of the attempt.
    func fill(_ outcome: inout NetworkOutcome) {
        let isNew = times.new_connections > 0
        let connected = isNew ? max(times.connected, times.secured) : 0
        outcome.wireBytes += wireBytes
        outcome.reusedConnection = !isNew && times.requested > 0
        outcome.timings.connect = connected * 1000
        outcome.timings.firstByte = max(0, times.answered - times.requested) * 1000
        outcome.timings.fetch =
            times.answered > 0 ? max(0, times.total - times.answered) * 1000 : 0
    }
}

extension TransferEnd.Verdict {
    /// Classifies a transfer: first by the reason for which a callback stopped it, then by the
    /// status, then by curl's result.
    init(_ handle: CurlHandle, _ code: CURLcode) {
        if let failure = Self.stopped(handle.stop, handle.bodyLimit) {
            self = .failure(failure)
        } else if handle.isHeadDone, handle.isDiscarding || handle.status < 200 {
            self = Self.answered(handle.status, handle.headers, asked: handle.isConditional)
        } else if handle.isHeadDone, code == CURLE_OK {
            self =
                handle.isWhole
                ? .body : .failure(NetworkFailure(.truncated, "The gzip data ends too early."))
        } else if handle.lacksDescriptors {
            self = .noDescriptor(
                NetworkFailure(.connect, "No file descriptor is left for a connection."))
        } else if code == CURLE_COULDNT_CONNECT, handle.wasBlocked {
            self = .failure(NetworkFailure(.blockedAddress, "The address is not public."))
        } else {
            self = .failure(Self.broken(code, handle))
        }
    }

    /// Returns the failure if a callback ended the transfer; nil if the status decides.
    private static func stopped(_ stop: Int, _ bodyLimit: Int) -> NetworkFailure? {
        switch stop {
        case EMB_STOP_NONE, EMB_STOP_ANSWERED: nil
        case EMB_STOP_TOO_LARGE: NetworkFailure(bodyPasses: bodyLimit)
        case EMB_STOP_ENCODINGS:
            NetworkFailure(.tooLarge, "The body has too many content encodings.")
        case EMB_STOP_HEADERS: NetworkFailure(.badHTTP, "The response headers are too long.")
        case EMB_STOP_STATUS_LINE: NetworkFailure(.badHTTP, "The status line is malformed.")
        case EMB_STOP_LINE_END: NetworkFailure(.badHTTP, "A header line ends without CRLF.")
        case EMB_STOP_FOLDED: NetworkFailure(.badHTTP, "A header line is folded.")
        case EMB_STOP_LENGTHS:
            NetworkFailure(
                .badHTTP,
                "The response has two different content lengths.")
        case EMB_STOP_GZIP: NetworkFailure(.badHTTP, "The gzip data is damaged.")
        case EMB_STOP_ADDRESS: NetworkFailure(.blockedAddress, "The address is not public.")
        case EMB_STOP_REPEAT:
            NetworkFailure(.connect, "The server closed the connection without a response.")
        default: NetworkFailure(.connect, "There is no memory for the response.")
        }
    }

    private static func answered(
        _ status: Int, _ headers: ResponseHeaders, asked isConditional: Bool
    ) -> Self {
        switch status {
        case 304 where isConditional: .notModified
        case 301, 302, 303, 307, 308:
            if let location = headers.location {
                .redirect(location)
            } else {
                .failure(
                    NetworkFailure(.redirect, "The redirect \(status) has no Location header."))
            }
        case 300, 305, 306:
            .failure(NetworkFailure(.redirect, "The redirect status \(status) is not supported."))
        case 429: .failure(NetworkFailure(.rateLimited, "\(status)"))
        case 400..<500: .failure(NetworkFailure(.http4xx(status), "\(status)"))
        case 500..<600: .failure(NetworkFailure(.http5xx(status), "\(status)"))
        default: .failure(NetworkFailure(.badHTTP, "Unexpected status \(status)."))
        }
    }

    private static func broken(_ code: CURLcode, _ handle: CurlHandle) -> NetworkFailure {
        let words = unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) } ?? ""
        let detail = handle.message.isEmpty ? words : handle.message
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            return NetworkFailure(.dns, detail, isPassing: true)
        case CURLE_OPERATION_TIMEDOUT:
            return NetworkFailure(.timeout, detail)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED:
            return NetworkFailure(.tls, detail)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING,
            CURLE_OUT_OF_MEMORY, CURLE_WRITE_ERROR, CURLE_HTTP3:
            // Before the head is complete, this error can only mean too many content encodings.
            if code == CURLE_BAD_CONTENT_ENCODING, !handle.isHeadDone {
                return NetworkFailure(.tooLarge, "The body has too many content encodings.")
            }
            // curl reports a header line that is too long as a lack of memory.
            return NetworkFailure(.badHTTP, detail)
        case CURLE_HTTP2_STREAM where !handle.isHeadDone && isProtocolError(handle.message):
            // The response violates HTTP/2: its head is malformed, or a body that arrived together
            // with the head has another length than declared. In the second case a retry may
            // succeed.
            return NetworkFailure(.badHTTP, detail, isPassing: true)
        case CURLE_URL_MALFORMAT:
            return NetworkFailure(.badURL, detail)
        default:
            // curl reports a broken chunk and a reset alike. Its message does not help, since it
            // may be that of an earlier attempt on a dead connection.
            return NetworkFailure(handle.isHeadDone ? .truncated : .connect, detail)
        }
    }

    /// Returns whether an HTTP/2 stream was closed because of a protocol error, and not by a
    /// decision of the server. The numbers are those of RFC 9113: PROTOCOL_ERROR, FRAME_SIZE_ERROR,
    /// COMPRESSION_ERROR.
    private static func isProtocolError(_ message: String) -> Bool {
        ["(err 1)", "(err 6)", "(err 9)"].contains { message.hasSuffix($0) }
    }
}
