import CCurlShims
import CLibCurl

/// One easy handle of curl with what has come in so far; confined to the event thread.
@safe
final class TransferHandle {
    private let fetch: UnsafeMutablePointer<emb_fetch>

    /// Nil when there is no memory.
    init?(_ common: inout emb_fetch_common) {
        guard let fetch = unsafe emb_fetch_create(&common) else { return nil }
        unsafe self.fetch = fetch
    }

    deinit {
        unsafe emb_fetch_destroy(fetch)
    }

    /// Which item the transfer is for.
    static func tag(of easy: UnsafeMutableRawPointer?) -> UInt64? {
        guard let fetch = unsafe emb_fetch_of(easy) else { return nil }
        return unsafe fetch.pointee.tag
    }

    var easy: UnsafeMutableRawPointer? { unsafe fetch.pointee.easy }

    /// Makes the next request ready; false when there is no memory.
    func prepare(
        _ address: WebAddress, tag: UInt64, headers: [String], resolve: String?,
        credentials: WebAddress.Credentials?
    ) -> Bool {
        unsafe emb_fetch_clear(fetch)
        unsafe fetch.pointee.tag = tag
        for line in headers where unsafe emb_fetch_add_header(fetch, line) == 0 { return false }
        return unsafe emb_fetch_prepare(
            fetch, address.text, address.isSecure ? 1 : 0, resolve, credentials?.user,
            credentials?.password) != 0
    }

    func clear() {
        unsafe emb_fetch_clear(fetch)
    }

    var stop: Int { Int(unsafe fetch.pointee.stop) }
    var status: Int { Int(unsafe fetch.pointee.status) }
    var isHeadDone: Bool { unsafe fetch.pointee.head_done != 0 }
    var isConnected: Bool { unsafe fetch.pointee.connected != 0 }
    var isDiscarding: Bool { unsafe fetch.pointee.discarding != 0 }
    var wasBlocked: Bool {
        unsafe fetch.pointee.sockets_blocked > 0 && fetch.pointee.sockets_opened == 0
    }
    var lacksDescriptors: Bool {
        unsafe fetch.pointee.descriptors_out != 0 && fetch.pointee.sockets_opened == 0
    }
    /// What was inflated here came to its end.
    var isWhole: Bool { unsafe emb_fetch_is_whole(fetch) != 0 }
    var bodyCount: Int { unsafe fetch.pointee.body_count }
    var wireBytes: Int { Int(unsafe fetch.pointee.wire_count) }

    /// Everything that has come in, as a sign of life.
    var progress: Int64 { unsafe fetch.pointee.header_total + fetch.pointee.wire_count }

    var times: emb_fetch_times { unsafe emb_fetch_measure(fetch) }

    /// curl's own words on what went wrong.
    var message: String {
        unsafe withUnsafeBytes(of: &fetch.pointee.message) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    var headers: ResponseHeaders {
        let head = unsafe UnsafeRawBufferPointer(
            start: fetch.pointee.head, count: fetch.pointee.head_count)
        return unsafe head.withMemoryRebound(to: UInt8.self) { bytes in
            unsafe ResponseHeaders(head: bytes.span)
        }
    }

    /// A copy of the body.
    var body: [UInt8] {
        unsafe [UInt8](
            UnsafeBufferPointer(start: fetch.pointee.body, count: fetch.pointee.body_count))
    }
}
