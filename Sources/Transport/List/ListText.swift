import CZlib
import Glibc

/// The text of a list in UTF-8, read into memory as a whole.
struct ListText {
    /// The limit of bytes of a list, inflated and in UTF-8.
    static let bytesLimit = 4 << 30

    private let name: String
    private let limit: Int

    /// Reads `descriptor` from its present position to the end, inflates gzip and converts UTF-16.
    ///
    /// - Throws: If the list cannot be read or inflated, is longer than `limit`, or is a file that
    ///   changes in the meantime; for a stream, a change cannot be detected.
    static func read(
        _ descriptor: Int32, _ facts: FileFacts, named name: String, limit: Int = bytesLimit
    ) throws(ListError) -> [UInt8] {
        let text = ListText(name: name, limit: limit)
        let stored = try text.stored(descriptor, facts)
        let isGzip = stored.starts(with: [0x1F, 0x8B])
        return Self.utf8(isGzip ? try text.inflated(stored) : stored)
    }

    private func stored(_ descriptor: Int32, _ facts: FileFacts) throws(ListError) -> [UInt8] {
        let isFile = facts.kind == .file
        let bytes: [UInt8]
        let hasMore: Bool
        let end: FileFacts
        do throws(Errno) {
            (bytes, hasMore) = try SystemCalls.readAll(
                descriptor, limit: limit, expecting: isFile ? facts.size : 65_536)
            end = try SystemCalls.facts(of: descriptor)
        } catch {
            throw failure(.unreadable("\(error)"))
        }
        guard !hasMore else { throw failure(.tooLarge(limit: Int64(limit))) }
        guard !isFile || end.haveSameBytes(as: facts, sameEntry: true) else {
            throw failure(.changed)
        }
        return bytes
    }

    private func failure(_ reason: ListError.Reason) -> ListError {
        ListError(file: name, reason)
    }

    /// Inflates all members of gzip data. Zeros after the last member are padding, as written by
    /// tar.
    private func inflated(_ input: [UInt8]) throws(ListError) -> [UInt8] {
        var stream = unsafe z_stream()
        return try unsafe withUnsafeMutablePointer(to: &stream) { stream throws(ListError) in
            // A window of 2^15 bytes; adding 16 selects the gzip format.
            guard
                unsafe inflateInit2_(
                    stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
            else { throw failure(.unreadable("\(Errno(ENOMEM))")) }
            defer { unsafe inflateEnd(stream) }
            var output: [UInt8] = []
            var start = 0
            while start < input.count {
                var outcome = Z_OK
                while outcome == Z_OK {
                    (start, outcome) = unsafe step(stream, input, start, &output)
                    guard output.count <= limit else {
                        throw failure(.tooLarge(limit: Int64(limit)))
                    }
                }
                guard outcome != Z_BUF_ERROR else {
                    throw failure(.malformed("the gzip data ends too early"))
                }
                while outcome == Z_STREAM_END, start < input.count, input[start] == 0 { start += 1 }
                guard outcome == Z_STREAM_END, unsafe inflateReset(stream) == Z_OK else {
                    throw failure(.malformed("the gzip data is damaged"))
                }
            }
            return output
        }
    }

    /// Appends the next part of the output, and returns the index of the unused input.
    private func step(
        _ stream: UnsafeMutablePointer<z_stream>, _ input: [UInt8], _ start: Int,
        _ output: inout [UInt8]
    ) -> (Int, Int32) {
        var outcome = Z_OK
        var left = 0
        _ = unsafe output.appendBytes(max(65_536, output.count)) { buffer in
            unsafe input[start...].withUnsafeBufferPointer { source in
                let room = UInt32(clamping: buffer.count)
                let given = UInt32(clamping: source.count)
                // zlib does not write through next_in.
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.pointee.avail_in = given
                unsafe stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(
                    to: UInt8.self)
                unsafe stream.pointee.avail_out = room
                outcome = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
                left = unsafe source.count - Int(given) + Int(stream.pointee.avail_in)
                return unsafe Int(room - stream.pointee.avail_out)
            }
        }
        return (input.count - left, outcome)
    }

    /// Returns a text in UTF-16 with a byte-order mark as UTF-8, with U+FFFD for unpaired
    /// surrogates; any other text is returned unchanged.
    private static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
        guard isBigEndian || bytes.starts(with: [0xFF, 0xFE]) else { return bytes }
        var units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        if bytes.count % 2 == 1 { units.append(0xFFFD) }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// Returns the name of the encoding of bytes that look like UTF-16 without a byte-order mark: in
    /// mostly ASCII text, every second byte is NUL.
    static func likelyUTF16(_ bytes: [UInt8]) -> String? {
        let sample = bytes.prefix(1_024)
        let pairs = sample.count / 2
        guard pairs > 1 else { return nil }
        var zeros = [0, 0]
        var hasLineFeed = [false, false]
        for index in 0..<pairs * 2 where sample[index] == 0 {
            zeros[index & 1] += 1
            if sample[index ^ 1] == 0x0A { hasLineFeed[index & 1] = true }
        }
        for (half, name) in ["UTF-16BE", "UTF-16LE"].enumerated()
        where zeros[half] * 2 > pairs && zeros[1 - half] * 16 < pairs && hasLineFeed[half] {
            return name
        }
        return nil
    }
}
