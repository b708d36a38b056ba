import Digest

/// Under which name an answer is kept.
struct CacheKey: Sendable, Hashable {
    let name: String

    /// `headers` sets answers apart that were asked for with other headers.
    init(url: String, headers: String) {
        name = SHA256.hash(headers.isEmpty ? url : url + "\n" + headers).hex
    }
}

/// An answer that was kept.
struct CacheEntry: Sendable {
    let headers: ResponseHeaders
    let finalURL: String
    /// Seconds for which it needs no asking, from `validatedAt`.
    let lifetime: Int64
    /// Seconds since 1970; the file's own time of change says it.
    let validatedAt: Int64
    let body: [UInt8]

    /// Whether it may be used without asking. A time in the future says that a clock was moved.
    func isFresh(at now: Int64) -> Bool {
        now >= validatedAt && now - validatedAt < lifetime
    }

    /// What to ask the server with; nil where it gave nothing to ask by.
    var validators: Validators? {
        guard headers.etag != nil || headers.lastModified != nil else { return nil }
        return Validators(
            url: finalURL, etag: headers.etag, lastModified: headers.lastModified)
    }
}

/// How long an answer holds by its own account.
enum CacheFreshness {
    /// Nil where it must not be kept.
    static func lifetime(_ headers: ResponseHeaders, redirects: Int) -> Int64? {
        if let vary = headers.vary,
            vary.split(separator: ",").contains(where: { trimmed($0) == "*" })
        {
            return nil
        }
        var maxAge: Int64?
        var mustAsk = false
        for part in (headers.cacheControl ?? "").split(separator: ",") {
            let directive = trimmed(part)
            if directive == "no-store" { return nil }
            if directive == "no-cache" || directive.hasPrefix("no-cache=") { mustAsk = true }
            if directive.hasPrefix("max-age=") {
                let digits = directive.dropFirst(8).filter { $0 != "\"" }
                maxAge = maxAge ?? Int64(digits) ?? 0
            }
        }
        // What redirected us may lead elsewhere next time.
        if mustAsk || redirects > 0 { return 0 }
        let age = headers.age.flatMap { Int64($0) } ?? 0
        if let maxAge { return max(0, maxAge - max(0, age)) }
        if let expires = headers.expires.flatMap(HTTPDate.seconds),
            let date = headers.date.flatMap(HTTPDate.seconds)
        {
            return max(0, expires - date - max(0, age))
        }
        return 0
    }

    private static func trimmed(_ part: Substring) -> String {
        part.lowercased().filter { $0 != " " && $0 != "\t" }
    }
}
