import Digest
import Glibc
import Notation
import Synchronization
import System

/// A cache of responses on disk, bounded in size and safe for several processes at a time.
///
/// An entry is one file, written by rename, with a checksum; a damaged entry is removed. Its
/// modification time is the time of the last validation. The cache sets its access time at each
/// use, since many file systems do not.
final class ResponseCache: Sendable {
    private struct Counters {
        /// Bytes that were stored and are not counted in the size file yet.
        var unwritten = 0
        var serial = 0
    }

    private let folder: CacheFolder
    private let bytesLimit: Int
    private let counters = Mutex(Counters())

    init(_ settings: CacheSettings) throws(Errno) {
        folder = try CacheFolder(settings.folder)
        bytesLimit = max(0, settings.bytesLimit)
    }

    func entry(for key: CacheKey) -> CacheEntry? {
        guard let (bytes, changed) = folder.read(key.name) else { return nil }
        guard let entry = CacheFile.entry(bytes, validatedAt: changed) else {
            folder.remove(key.name)
            return nil
        }
        folder.touch(key.name, validated: nil)
        return entry
    }

    /// Stores a response unless its headers forbid that or its body is too large. If storing fails,
    /// the next run loads the source again.
    func store(_ key: CacheKey, _ response: NetworkResponse, redirectLifetime: Int64?) {
        store(
            key, response.headers, finalURL: response.finalURL, body: response.body.bytes,
            redirectLifetime: redirectLifetime)
    }

    /// Updates an entry that the server has confirmed.
    func renew(
        _ key: CacheKey, _ entry: CacheEntry, with headers: ResponseHeaders,
        redirectLifetime: Int64?
    ) {
        var merged = entry.headers
        merged.etag = headers.etag ?? merged.etag
        merged.lastModified = headers.lastModified ?? merged.lastModified
        merged.cacheControl = headers.cacheControl ?? merged.cacheControl
        var asked = merged
        asked.age = headers.age
        asked.date = headers.date
        asked.expires = headers.expires
        let lifetime = CacheFreshness.lifetime(asked, redirectLifetime: redirectLifetime)
        if merged == entry.headers, lifetime == entry.lifetime {
            folder.touch(key.name, validated: WallClock.nowSeconds)
        } else {
            store(
                key, asked, finalURL: entry.finalURL, body: entry.body,
                redirectLifetime: redirectLifetime)
        }
    }

    func close() {
        let unwritten = counters.withLock { counters in
            defer { counters.unwritten = 0 }
            return counters.unwritten
        }
        addToSize(unwritten)
    }

    private func store(
        _ key: CacheKey, _ headers: ResponseHeaders, finalURL: String, body: [UInt8],
        redirectLifetime: Int64?
    ) {
        guard let lifetime = CacheFreshness.lifetime(headers, redirectLifetime: redirectLifetime)
        else {
            folder.remove(key.name)
            return
        }
        guard body.count <= bytesLimit / 4 else { return }
        let file = CacheFile.bytes(
            finalURL: finalURL, headers: headers, lifetime: lifetime, body: body)
        let serial = counters.withLock { counters in
            counters.serial += 1
            return counters.serial
        }
        guard folder.write(key.name, file, serial: serial) else { return }
        let unwritten = counters.withLock { counters in
            counters.unwritten += file.count
            guard counters.unwritten >= bytesLimit / 32 else { return 0 }
            defer { counters.unwritten = 0 }
            return counters.unwritten
        }
        addToSize(unwritten)
    }

    /// Adds bytes to the size that all processes share, and removes entries if it is over the
    /// limit. If a killed process did not add its bytes, the next count of the files includes them.
    private func addToSize(_ added: Int) {
        guard added > 0 else { return }
        // If the size file cannot be locked, the next count of the files includes the bytes.
        try? folder.withSize { size in
            let (sum, overflows) = size.addingReportingOverflow(added)
            if !overflows, sum <= bytesLimit { return sum }
            return folder.trim(to: bytesLimit / 8 * 7)
        }
    }
}

struct CacheKey: Sendable, Hashable {
    let name: String

    /// - Parameter headers: A digest that separates responses to requests with other headers.
    init(url: String, headers: String) {
        name = SHA256.hash(headers.isEmpty ? url : url + "\n" + headers).hex
    }
}

package struct CacheEntry: Sendable {
    /// The header fields that later requests need.
    package let headers: ResponseHeaders
    package let finalURL: String
    /// Seconds from `validatedAt` for which the entry is fresh.
    package let lifetime: Int64
    /// Seconds since 1970, from the modification time of the file.
    let validatedAt: Int64
    package let body: [UInt8]

    /// Returns whether the entry may be used without validation. An entry that was validated in the
    /// future counts as expired, since the clock must have been changed.
    package func isFresh(at now: Int64) -> Bool {
        now >= validatedAt && now - validatedAt < lifetime
    }

    var validators: Validators? {
        guard headers.etag != nil || headers.lastModified != nil else { return nil }
        return Validators(
            url: finalURL, etag: headers.etag, lastModified: headers.lastModified)
    }
}

/// The lifetime of a response, as its headers give it.
package enum CacheFreshness {
    /// The `redirectLifetime` of a response without redirects, which never expires.
    package static let direct = Int64.max

    /// Returns the seconds for which a response is fresh; nil if it must not be stored.
    ///
    /// - Parameter redirectLifetime: The seconds for which the redirects to the response are valid;
    ///   nil if one of them must not be stored.
    package static func lifetime(_ headers: ResponseHeaders, redirectLifetime: Int64?) -> Int64? {
        guard let redirectLifetime else { return nil }
        return switch headerLifetime(headers) {
        case .notStored: nil
        case .unspecified: 0
        case .seconds(let seconds): min(seconds, redirectLifetime)
        }
    }

    /// Returns the seconds for which a redirect is valid; nil if it must not be stored. By default
    /// a permanent redirect never expires, and any other expires at once.
    package static func lifetime(redirect status: Int, _ headers: ResponseHeaders) -> Int64? {
        switch headerLifetime(headers) {
        case .notStored: nil
        case .unspecified: status == 301 || status == 308 ? direct : 0
        case .seconds(let seconds): seconds
        }
    }

    private enum HeaderLifetime {
        case notStored
        case unspecified
        case seconds(Int64)
    }

    private static func headerLifetime(_ headers: ResponseHeaders) -> HeaderLifetime {
        if let vary = headers.vary,
            vary.split(separator: ",").contains(where: { trimmed($0) == "*" })
        {
            return .notStored
        }
        var maxAge: Int64?
        var mustAsk = false
        for part in (headers.cacheControl ?? "").split(separator: ",") {
            let directive = trimmed(part)
            if directive == "no-store" { return .notStored }
            if directive == "no-cache" || directive.hasPrefix("no-cache=") { mustAsk = true }
            if directive.hasPrefix("max-age=") {
                maxAge = maxAge ?? seconds(directive.dropFirst(8).filter { $0 != "\"" })
            }
        }
        if mustAsk { return .seconds(0) }
        let age = seconds(headers.age ?? "")
        if let maxAge { return .seconds(max(0, maxAge - age)) }
        if let expires = headers.expires {
            // An invalid date, such as 0, means expired.
            guard let end = HTTPDate.seconds(expires),
                let date = headers.date.flatMap(HTTPDate.seconds)
            else { return .seconds(0) }
            return .seconds(max(0, end - date - age))
        }
        return .unspecified
    }

    /// Returns a number of seconds, at most a thousand years, so that sums cannot overflow; zero
    /// for any other text.
    private static func seconds(_ digits: String) -> Int64 {
        let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        return isNumber ? min(Int64(digits) ?? longest, longest) : 0
    }

    private static let longest: Int64 = 1_000 * 366 * 86_400

    private static func trimmed(_ part: Substring) -> String {
        part.lowercased().filter { $0 != " " && $0 != "\t" }
    }
}

/// The file format of an entry: lines with a signature, the lifetime, the URL and the header
/// fields, then the body, and a SHA-256 of all bytes before it.
package enum CacheFile {
    private static let mark = "emblem-cache-3"
    private static let digestCount = 32
    private static let fields: [any WritableKeyPath<ResponseHeaders, String?> & Sendable] = [
        \.etag, \.lastModified, \.cacheControl,
    ]

    /// Returns the bytes of a file. Neither a URL nor a header field has a line break; a field
    /// without text counts as absent.
    package static func bytes(
        finalURL: String, headers: ResponseHeaders, lifetime: Int64, body: [UInt8]
    ) -> [UInt8] {
        let lines = [mark, "\(lifetime)", finalURL] + fields.map { headers[keyPath: $0] ?? "" }
        var file = Array((lines.joined(separator: "\n") + "\n").utf8)
        file.reserveCapacity(file.count + body.count + digestCount)
        file += body
        file += SHA256.hash(file.span).bytes
        return file
    }

    /// Returns the entry in a file; nil if a single bit of it is wrong.
    package static func entry(_ file: [UInt8], validatedAt: Int64) -> CacheEntry? {
        let end = file.count - digestCount
        guard end > 0, SHA256.hash(file.span.extracting(..<end)).bytes.elementsEqual(file[end...])
        else { return nil }
        var rest = file[..<end]
        func line() -> String? {
            guard let end = rest.lineEnd else { return nil }
            defer { rest = rest[(end + 1)...] }
            return String(decoding: rest[..<end], as: UTF8.self)
        }
        guard line() == mark, let lifetime = line().flatMap({ Int64($0) }), let finalURL = line()
        else { return nil }
        var headers = ResponseHeaders()
        for field in fields {
            guard let text = line() else { return nil }
            headers[keyPath: field] = text.isEmpty ? nil : text
        }
        return CacheEntry(
            headers: headers, finalURL: finalURL, lifetime: lifetime, validatedAt: validatedAt,
            body: Array(rest))
    }
}
