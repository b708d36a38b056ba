import Digest

/// The form of an entry on disk: a mark, the lengths, the fields, the body, and a SHA-256 of all of
/// it at the end, so that whatever is not whole is not there.
package enum CacheFile {
    private static let mark = Array("emblem-cache-1\n".utf8)
    private static let digestCount = 32
    private static let fields: [any WritableKeyPath<ResponseHeaders, String?> & Sendable] = [
        \.etag, \.lastModified, \.cacheControl, \.contentType, \.robotsTag,
    ]

    /// The bytes of a file.
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

    /// What a file holds; nil where a single bit of it is wrong.
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

    /// A text with its length before it; nil is a length that no text has.
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

        /// Nil where the file is at its end too soon; nil inside where there is no text.
        mutating func text() -> String?? {
            guard let count = number() else { return nil }
            if count == .max { return .some(nil) }
            guard count <= UInt64(end - index) else { return nil }
            defer { index += Int(count) }
            return String(decoding: file[index..<index + Int(count)], as: UTF8.self)
        }
    }
}
