import CLibCurl

/// curl's own reading of a URL, so that one parser decides and connects.
@safe
struct URLHandle: ~Copyable {
    private let handle: OpaquePointer

    /// Nil when there is no memory.
    init?() {
        guard let handle = unsafe curl_url() else { return nil }
        unsafe self.handle = handle
    }

    deinit {
        unsafe curl_url_cleanup(handle)
    }

    /// Reads a whole URL, or a reference against the URL read before. Spaces and bytes beyond
    /// ASCII in its path and query become percent signs and digits.
    mutating func read(_ text: String) -> Bool {
        unsafe text.withCString { text in
            unsafe curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_URLENCODE)) == CURLUE_OK
        }
    }

    mutating func set(_ part: CURLUPart, to text: String) -> Bool {
        unsafe text.withCString { unsafe curl_url_set(handle, part, $0, 0) == CURLUE_OK }
    }

    mutating func remove(_ part: CURLUPart) -> Bool {
        unsafe curl_url_set(handle, part, nil, 0) == CURLUE_OK
    }

    /// A part as text, or nil where the URL has none.
    func part(_ part: CURLUPart, flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let outcome = unsafe curl_url_get(handle, part, &text, UInt32(flags))
        guard outcome == CURLUE_OK, let text = unsafe text else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(validatingCString: text)
    }
}
