import CCurlShims
import CLibCurl

/// What a finished transfer comes to.
enum TransferVerdict: Equatable {
    /// A body that is wanted.
    case body
    /// What was kept from before still holds.
    case notModified
    case redirect(String)
    case failure(NetworkFailure)
    /// The system had no descriptor for the connection.
    case starved(NetworkFailure)

    /// Judges a transfer by our own reasons first, then by its status, then by curl's code.
    static func of(_ handle: TransferHandle, _ code: CURLcode) -> Self {
        if let failure = stopped(Int32(handle.stop), handle.bodyLimit) { return .failure(failure) }
        if handle.isHeadDone {
            if handle.isDiscarding || handle.status < 200 {
                return answered(
                    handle.status, handle.headers, asked: handle.isConditional)
            }
            if code == CURLE_OK {
                guard handle.isWhole else {
                    return .failure(NetworkFailure(.truncated, "The gzip data ends too early."))
                }
                return .body
            }
        }
        if handle.lacksDescriptors {
            return .starved(
                NetworkFailure(
                    .connect,
                    "No file descriptor is left for a connection."))
        }
        if code == CURLE_COULDNT_CONNECT, handle.wasBlocked {
            return .failure(NetworkFailure(.blockedAddress, "The address is not public."))
        }
        return .failure(broken(code, handle))
    }

    /// A callback of ours ended it. An answer is judged by its status instead.
    private static func stopped(_ stop: Int32, _ bodyLimit: Int) -> NetworkFailure? {
        switch Int(stop) {
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

    /// curl gave up.
    private static func broken(_ code: CURLcode, _ handle: TransferHandle) -> NetworkFailure {
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
            // Only the number of encodings is judged before the head is over.
            if code == CURLE_BAD_CONTENT_ENCODING, !handle.isHeadDone {
                return NetworkFailure(.tooLarge, "The body has too many content encodings.")
            }
            // Running out of memory is how curl says that a header line is too long.
            return NetworkFailure(.badHTTP, detail)
        case CURLE_HTTP2_STREAM where !handle.isHeadDone && isProtocolError(handle.message):
            // Against the rules of HTTP/2, as far as curl tells: its head, or a body that is not as
            // long as the head says and came in one piece with it. The latter may pass.
            return NetworkFailure(.badHTTP, detail, isPassing: true)
        case CURLE_URL_MALFORMAT:
            return NetworkFailure(.badURL, detail)
        default:
            // curl says the same of a broken chunk and of a reset; its words are no help, since
            // they may be left from an attempt on a dead connection that it made up for itself.
            return NetworkFailure(handle.isHeadDone ? .truncated : .connect, detail)
        }
    }

    /// A stream that was closed for what stood in it, not by the will of the other side. The numbers
    /// are those of RFC 9113: PROTOCOL_ERROR, FRAME_SIZE_ERROR, COMPRESSION_ERROR.
    private static func isProtocolError(_ message: String) -> Bool {
        ["(err 1)", "(err 6)", "(err 9)"].contains { message.hasSuffix($0) }
    }
}
