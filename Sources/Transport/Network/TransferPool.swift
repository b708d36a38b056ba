import CCurlShims
import CLibCurl

/// The transfers of an event thread: handles in use and at rest, and curl's work on them.
///
/// Lives on the event thread, like its owner.
@safe
final class TransferPool {
    private let engine: TransferEngine
    private let bytesHeld: UnsafeMutablePointer<Int64>
    private var common: emb_fetch_common
    private var idle: [TransferHandle] = []
    private var texts: [UnsafeMutablePointer<CChar>]

    init(_ settings: NetworkSettings, _ engine: TransferEngine, connections: Int) {
        self.engine = engine
        unsafe texts = []
        unsafe bytesHeld = .allocate(capacity: 1)
        unsafe bytesHeld.initialize(to: 0)
        unsafe common = emb_fetch_common()
        unsafe common.user_agent = keep(settings.userAgent)
        unsafe common.proxy = settings.proxy.flatMap { unsafe keep($0) }
        unsafe common.ca_file = settings.certificates.flatMap { unsafe keep($0) }
        unsafe common.netrc = settings.readsNetrc ? 1 : 0
        unsafe common.body_limit = Int64(settings.bodyLimit)
        unsafe common.header_limit = Int64(settings.headerLimit)
        unsafe common.connect_milliseconds = max(1, settings.timeout.nanoseconds / 1_000_000)
        unsafe common.share = emb_share_create()
        unsafe common.bytes_held = bytesHeld
        // A proxy was chosen by the user, and it alone is connected to.
        if !settings.allowPrivate, settings.proxy == nil {
            unsafe common.judge = { address, count in
                guard let address = unsafe address else { return 0 }
                let bytes = unsafe UnsafeBufferPointer(start: address, count: Int(count))
                return AddressRule.isPublic(unsafe bytes.span) ? 1 : 0
            }
        }
        unsafe emb_multi_prepare(engine.handle, Int64(connections))
    }

    deinit {
        // Handles first: they hold on to the share and give their bytes back.
        idle = []
        unsafe emb_share_destroy(common.share)
        while let text = unsafe texts.popLast() { unsafe text.deallocate() }
        unsafe bytesHeld.deallocate()
    }

    /// Bytes of bodies that are still coming in.
    var bytesUnderWay: Int { Int(unsafe bytesHeld.pointee) }

    /// A handle for a transfer; nil when there is no memory.
    func take() -> TransferHandle? {
        unsafe idle.popLast() ?? TransferHandle(&common)
    }

    /// Hands a prepared transfer to curl; false when it takes none.
    func add(_ handle: TransferHandle) -> Bool {
        unsafe curl_multi_add_handle(engine.handle, handle.easy) == CURLM_OK
    }

    /// Takes a transfer back, finished or not, and lets the handle rest.
    func remove(_ handle: TransferHandle) {
        unsafe curl_multi_remove_handle(engine.handle, handle.easy)
        handle.clear()
        idle.append(handle)
    }

    /// Moves all transfers on and reports those that curl is done with.
    func perform(_ report: (UInt64, CURLcode) -> Void) {
        var running: Int32 = 0
        unsafe curl_multi_perform(engine.handle, &running)
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(engine.handle, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
            let code = unsafe message.pointee.data.result
            if let tag = unsafe TransferHandle.tag(of: message.pointee.easy_handle) {
                report(tag, code)
            }
        }
    }

    /// Listens until something happens or the time is over.
    func wait(milliseconds: Int32) {
        unsafe curl_multi_poll(engine.handle, nil, 0, milliseconds, nil)
    }

    /// A copy for C that lives as long as the pool.
    private func keep(_ text: String) -> UnsafePointer<CChar> {
        let bytes = text.utf8CString
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { unsafe (copy + index).initialize(to: byte) }
        unsafe texts.append(copy)
        return unsafe UnsafePointer(copy)
    }
}
