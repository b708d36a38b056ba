import Digest
import Glibc
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

/// The file format of an entry: a signature, the fields with their lengths, the body, and a SHA-256
/// of all bytes before it.
package enum CacheFile {
    private static let mark = Array("emblem-cache-2\n".utf8)
    private static let digestCount = 32
    private static let fields: [any WritableKeyPath<ResponseHeaders, String?> & Sendable] = [
        \.etag, \.lastModified, \.cacheControl,
    ]

    package static func bytes(
        finalURL: String, headers: ResponseHeaders, lifetime: Int64, body: [UInt8]
    ) -> [UInt8] {
        var file = mark
        file.reserveCapacity(body.count + 1024)
        append(UInt64(bitPattern: lifetime), to: &file)
        append(finalURL, to: &file)
        for field in fields { append(headers[keyPath: field], to: &file) }
        append(UInt64(body.count), to: &file)
        file.append(contentsOf: body)
        file.append(contentsOf: SHA256.hash(file.span).bytes)
        return file
    }

    /// Returns the entry in a file; nil if a single bit of it is wrong.
    package static func entry(_ file: [UInt8], validatedAt: Int64) -> CacheEntry? {
        let end = file.count - digestCount
        guard end > mark.count, file.starts(with: mark),
            SHA256.hash(file.span.extracting(..<end)).bytes.elementsEqual(file[end...])
        else { return nil }
        var reader = Reader(file: file, index: mark.count, end: end)
        var headers = ResponseHeaders()
        guard let lifetime = reader.number(), let finalURL = reader.text() ?? nil else {
            return nil
        }
        for field in fields {
            guard let text = reader.text() else { return nil }
            headers[keyPath: field] = text
        }
        guard let count = reader.number(), count == UInt64(end - reader.index) else { return nil }
        return CacheEntry(
            headers: headers, finalURL: finalURL, lifetime: Int64(bitPattern: lifetime),
            validatedAt: validatedAt, body: Array(file[reader.index..<end]))
    }

    private static func append(_ number: UInt64, to file: inout [UInt8]) {
        for shift in stride(from: 0, to: 64, by: 8) {
            file.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    /// Appends a text with its length before it; nil is written as the greatest length.
    private static func append(_ text: String?, to file: inout [UInt8]) {
        guard let text else { return append(UInt64.max, to: &file) }
        append(UInt64(text.utf8.count), to: &file)
        file.append(contentsOf: text.utf8)
    }

    private struct Reader {
        let file: [UInt8]
        var index: Int
        let end: Int

        mutating func number() -> UInt64? {
            guard end - index >= 8 else { return nil }
            var number: UInt64 = 0
            for byte in 0..<8 { number |= UInt64(file[index + byte]) << UInt64(8 * byte) }
            index += 8
            return number
        }

        /// Returns `nil` if the file ends too early, and `.some(nil)` for an absent text.
        mutating func text() -> String?? {
            guard let count = number() else { return nil }
            if count == .max { return .some(nil) }
            guard count <= UInt64(end - index) else { return nil }
            defer { index += Int(count) }
            return String(decoding: file[index..<index + Int(count)], as: UTF8.self)
        }
    }
}
