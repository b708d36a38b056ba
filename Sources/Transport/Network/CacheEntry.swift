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
    /// Seconds that a route without redirects holds: for ever.
    package static let direct = Int64.max

    /// Nil where it must not be kept. `route` says for how long the redirects that led to it hold;
    /// nil where one of them must not be kept, and with it where it leads.
    package static func lifetime(_ headers: ResponseHeaders, route: Int64?) -> Int64? {
        guard let route else { return nil }
        return switch account(headers) {
        case .unkept: nil
        case .unsaid: 0
        case .seconds(let seconds): min(seconds, route)
        }
    }

    /// For how long a redirect holds, nil where it must not be kept: where it says nothing of that, a
    /// permanent one always and any other not at all.
    package static func lifetime(redirect status: Int, _ headers: ResponseHeaders) -> Int64? {
        switch account(headers) {
        case .unkept: nil
        case .unsaid: status == 301 || status == 308 ? direct : 0
        case .seconds(let seconds): seconds
        }
    }

    /// What the header lines say.
    private enum Account {
        /// It must not be kept.
        case unkept
        case unsaid
        case seconds(Int64)
    }

    private static func account(_ headers: ResponseHeaders) -> Account {
        if let vary = headers.vary,
            vary.split(separator: ",").contains(where: { trimmed($0) == "*" })
        {
            return .unkept
        }
        var maxAge: Int64?
        var mustAsk = false
        for part in (headers.cacheControl ?? "").split(separator: ",") {
            let directive = trimmed(part)
            if directive == "no-store" { return .unkept }
            if directive == "no-cache" || directive.hasPrefix("no-cache=") { mustAsk = true }
            if directive.hasPrefix("max-age=") {
                maxAge = maxAge ?? seconds(directive.dropFirst(8).filter { $0 != "\"" })
            }
        }
        if mustAsk { return .seconds(0) }
        let age = seconds(headers.age ?? "")
        if let maxAge { return .seconds(max(0, maxAge - age)) }
        if let expires = headers.expires {
            // What is no date, such as 0, has run out.
            guard let end = HTTPDate.seconds(expires),
                let date = headers.date.flatMap(HTTPDate.seconds)
            else { return .seconds(0) }
            return .seconds(max(0, end - date - age))
        }
        return .unsaid
    }

    /// A number of seconds up to a thousand years, so that no sum of a few can overflow; a greater
    /// one counts as that, and what is none or below zero as zero.
    private static func seconds(_ digits: String) -> Int64 {
        let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        return isNumber ? min(Int64(digits) ?? longest, longest) : 0
    }

    private static let longest: Int64 = 1_000 * 366 * 86_400

    private static func trimmed(_ part: Substring) -> String {
        part.lowercased().filter { $0 != " " && $0 != "\t" }
    }
}
