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
package struct CacheEntry: Sendable {
    /// Those header lines that later questions need.
    package let headers: ResponseHeaders
    /// Where it came from in the end.
    package let finalURL: String
    /// Seconds for which it needs no asking, from `validatedAt`.
    package let lifetime: Int64
    /// Seconds since 1970; the file's own time of change says it.
    let validatedAt: Int64
    /// The picture, as it was sent.
    package let body: [UInt8]

    /// Whether it may be used without asking. A time in the future says that a clock was moved.
    package func isFresh(at now: Int64) -> Bool {
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
package enum CacheFreshness {
    /// Nil where it must not be kept.
    package static func lifetime(_ headers: ResponseHeaders, redirects: Int) -> Int64? {
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
                maxAge = maxAge ?? seconds(digits)
            }
        }
        // What redirected us may lead elsewhere next time.
        if mustAsk || redirects > 0 { return 0 }
        let age = seconds(headers.age ?? "")
        if let maxAge { return max(0, maxAge - age) }
        if let expires = headers.expires.flatMap(HTTPDate.seconds),
            let date = headers.date.flatMap(HTTPDate.seconds)
        {
            return max(0, expires - date - age)
        }
        return 0
    }

    /// A number of seconds up to a thousand years, so that no sum of a few can overflow; what is
    /// none or below zero counts as zero.
    private static func seconds(_ digits: some StringProtocol) -> Int64 {
        min(max(0, Int64(digits) ?? 0), 1_000 * 366 * 86_400)
    }

    private static func trimmed(_ part: Substring) -> String {
        part.lowercased().filter { $0 != " " && $0 != "\t" }
    }
}
