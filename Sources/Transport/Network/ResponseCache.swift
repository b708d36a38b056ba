import Glibc
import Synchronization
import System

/// Answers kept on disk between runs, bounded in size and safe for several processes at once.
///
/// An entry is one file that appears by rename, carries its own checksum, and is simply gone when
/// anything about it is wrong. Its time of change says when it was last found to hold, its time
/// of access when it was last of use (kept by ourselves, since file systems may not).
final class ResponseCache: Sendable {
    private struct Books {
        /// Bytes kept since they were last written to the size file.
        var unwritten = 0
        var serial = 0
    }

    private let folder: CacheFolder
    private let bytesLimit: Int
    private let books = Mutex(Books())

    /// Makes the folder where it is missing.
    init(_ settings: CacheSettings) throws(Errno) {
        folder = try CacheFolder(settings.folder)
        bytesLimit = max(0, settings.bytesLimit)
    }

    /// What is kept under a key, if it is whole.
    func entry(for key: CacheKey) -> CacheEntry? {
        guard let (bytes, changed) = folder.read(key.name) else { return nil }
        guard let entry = CacheFile.entry(bytes, validatedAt: changed) else {
            folder.remove(key.name)
            return nil
        }
        folder.touch(key.name, validated: nil)
        return entry
    }

    /// Keeps an answer unless it forbids that or is too large. Failing to is no error: the next
    /// run asks again.
    func keep(_ key: CacheKey, _ answer: TransferOutcome.Answer, route: Int64?) {
        keep(
            key, answer.headers, finalURL: answer.finalURL, body: answer.body.bytes,
            route: route)
    }

    /// The server said that an entry still holds.
    func renew(
        _ key: CacheKey, _ entry: CacheEntry, with headers: ResponseHeaders, route: Int64?
    ) {
        var merged = entry.headers
        merged.etag = headers.etag ?? merged.etag
        merged.lastModified = headers.lastModified ?? merged.lastModified
        merged.cacheControl = headers.cacheControl ?? merged.cacheControl
        merged.robotsTag = headers.robotsTag ?? merged.robotsTag
        var asked = merged
        asked.age = headers.age
        asked.date = headers.date
        asked.expires = headers.expires
        let lifetime = CacheFreshness.lifetime(asked, route: route)
        if merged == entry.headers, lifetime == entry.lifetime {
            folder.touch(key.name, validated: WallClock.nowSeconds)
        } else {
            keep(key, asked, finalURL: entry.finalURL, body: entry.body, route: route)
        }
    }

    /// Brings the size file up to date.
    func close() {
        let unwritten = books.withLock { books in
            defer { books.unwritten = 0 }
            return books.unwritten
        }
        settle(unwritten)
    }

    private func keep(
        _ key: CacheKey, _ headers: ResponseHeaders, finalURL: String, body: [UInt8],
        route: Int64?
    ) {
        guard let lifetime = CacheFreshness.lifetime(headers, route: route) else {
            folder.remove(key.name)
            return
        }
        guard body.count <= bytesLimit / 4 else { return }
        let file = CacheFile.bytes(
            finalURL: finalURL, headers: headers, lifetime: lifetime, body: body)
        let serial = books.withLock { books in
            books.serial += 1
            return books.serial
        }
        guard folder.write(key.name, file, serial: serial) else { return }
        let unwritten = books.withLock { books in
            books.unwritten += file.count
            guard books.unwritten >= bytesLimit / 32 else { return 0 }
            defer { books.unwritten = 0 }
            return books.unwritten
        }
        settle(unwritten)
    }

    /// Writes what was added to the size that all processes share, and makes room once it passes
    /// the limit. What a killed process did not write comes to light at the next count.
    private func settle(_ added: Int) {
        guard added > 0 else { return }
        do throws(Errno) {
            try folder.withSize { size in
                let (sum, overflows) = size.addingReportingOverflow(added)
                if !overflows, sum <= bytesLimit { return sum }
                return folder.trim(to: bytesLimit / 8 * 7)
            }
        } catch {
            // The next count finds what was not written down.
        }
    }
}
