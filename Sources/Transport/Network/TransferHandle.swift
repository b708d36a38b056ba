import CCurlShims
import CLibCurl

/// One easy handle of curl with what has come in so far.
///
/// Under way it belongs to the driver of its lane, and else to the event thread; only the signs of
/// life are there for both.
@safe
final class TransferHandle: Sendable {
    let lane: TransferLane
    private nonisolated(unsafe) let fetch: UnsafeMutablePointer<emb_fetch>

    init(_ lane: TransferLane, _ fetch: UnsafeMutablePointer<emb_fetch>) {
        self.lane = lane
        unsafe self.fetch = fetch
        unsafe fetch.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        unsafe emb_fetch_destroy(fetch)
    }

    /// The handle that has an easy one, while something holds on to it.
    static func of(_ easy: UnsafeMutableRawPointer?) -> TransferHandle? {
        guard let owner = unsafe emb_fetch_of(easy)?.pointee.owner else { return nil }
        return unsafe Unmanaged<TransferHandle>.fromOpaque(owner).takeUnretainedValue()
    }

    var easy: UnsafeMutableRawPointer? { unsafe fetch.pointee.easy }
    /// Which item the transfer is for.
    var tag: UInt64 { unsafe fetch.pointee.tag }
    var isSecure: Bool { unsafe fetch.pointee.is_secure != 0 }
    /// It asks whether what was kept still holds.
    var isConditional: Bool { unsafe fetch.pointee.is_conditional != 0 }
    /// What may be known of a transfer under way.
    var signs: Signs { unsafe Signs(emb_fetch_look(fetch)) }

    /// Makes the next request ready; false when there is no memory.
    func prepare(
        _ address: WebAddress, tag: UInt64, isConditional: Bool, newConnection: Bool,
        headers: [String],
        resolve: String?, credentials: WebAddress.Credentials?
    ) -> Bool {
        unsafe emb_fetch_clear(fetch)
        unsafe fetch.pointee.tag = tag
        unsafe fetch.pointee.is_conditional = isConditional ? 1 : 0
        for line in headers where unsafe emb_fetch_add_header(fetch, line) == 0 { return false }
        return unsafe emb_fetch_prepare(
            fetch, address.text, address.isSecure ? 1 : 0, newConnection ? 1 : 0, resolve,
            credentials?.user, credentials?.password) != 0
    }

    func clear() {
        unsafe emb_fetch_clear(fetch)
    }

    /// The transfer came to its end, and its body was taken.
    func end() {
        unsafe emb_fetch_end(fetch)
    }

    /// Nobody waits for the body any more, so it counts no longer.
    func forgo() {
        unsafe emb_fetch_forgo(fetch)
    }

    var stop: Int { Int(unsafe fetch.pointee.stop) }
    var status: Int { Int(unsafe fetch.pointee.status) }
    var bodyLimit: Int { Int(unsafe fetch.pointee.common.body_limit) }
    var isHeadDone: Bool { unsafe fetch.pointee.head_done != 0 }
    var isDiscarding: Bool { unsafe fetch.pointee.discarding != 0 }
    var wasBlocked: Bool {
        unsafe fetch.pointee.sockets_blocked > 0 && fetch.pointee.sockets_opened == 0
    }
    var lacksDescriptors: Bool {
        unsafe fetch.pointee.descriptors_out != 0 && fetch.pointee.sockets_opened == 0
    }
    /// What was inflated here came to its end.
    var isWhole: Bool { unsafe emb_fetch_is_whole(fetch) != 0 }
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

extension TransferHandle {
    /// Signs of life, which the event thread may look for while a driver has the transfer.
    struct Signs {
        private let fields: emb_fetch_signs

        fileprivate init(_ fields: emb_fetch_signs) {
            self.fields = fields
        }

        /// When the request left; nil while no connection stands.
        var requestedAt: Int64? { fields.requested_at > 0 ? fields.requested_at : nil }
        var isHeadDone: Bool { fields.head_done != 0 }
        var isDiscarding: Bool { fields.discarding != 0 }
        var bodyBytes: Int { Int(fields.body_count) }
        var wireBytes: Int { Int(fields.wire_count) }
        /// Its end is known to its driver, and the event thread will hear of it.
        var isEnded: Bool { fields.ended != 0 }
        /// Everything that has come in.
        var progress: Int64 { fields.header_total + fields.wire_count }
    }
}
