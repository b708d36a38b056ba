import CLibDeflate

/// The text of an SVG file, decompressed if it is gzip.
package enum SVGText {
    package static func isPacked(_ bytes: Span<UInt8>) -> Bool {
        bytes.count > 2 && bytes[0] == 0x1F && bytes[1] == 0x8B
    }

    /// Returns the text of a compressed SVG, at most `limits.svgBytes` long.
    ///
    /// A longer text, and gzip inside gzip, is `unsupported`. libdeflate does not distinguish
    /// truncated from damaged streams; both are `corrupt`.
    package static func inflate(
        _ packed: Span<UInt8>, limits: DecodeLimits
    ) throws(DecodeError) -> [UInt8] {
        guard let inflater = unsafe libdeflate_alloc_decompressor() else {
            throw .limitDecode("no memory to inflate")
        }
        defer { unsafe libdeflate_free_decompressor(inflater) }
        // The last four bytes state the text length. The value is untrusted and only an initial
        // guess.
        var claimed = 0
        for step in 1...4 where packed.count > 18 {
            claimed = claimed << 8 | Int(packed[packed.count - step])
        }
        let most = max(1, limits.svgBytes)
        var room = min(most, max(claimed, 4096))
        while true {
            var length = 0
            var result = LIBDEFLATE_BAD_DATA
            let text = unsafe [UInt8](unsafeUninitializedCapacity: room) { output, count in
                result = unsafe packed.withUnsafeBytes { input in
                    unsafe libdeflate_gzip_decompress(
                        inflater, input.baseAddress, input.count, output.baseAddress, room, &length)
                }
                count = result == LIBDEFLATE_SUCCESS ? length : 0
            }
            switch result {
            case LIBDEFLATE_SUCCESS:
                guard !isPacked(text.span) else { throw .unsupported("gzip inside gzip") }
                return text
            case LIBDEFLATE_INSUFFICIENT_SPACE where room < most:
                room = min(most, room.multipliedReportingOverflow(by: 4).partialValue)
            case LIBDEFLATE_INSUFFICIENT_SPACE:
                throw tooLong(limits)
            default:
                throw .corrupt("the gzip data is incomplete or damaged")
            }
        }
    }

    /// Returns the error for a document over the limit, compressed or not.
    static func tooLong(_ limits: DecodeLimits) -> DecodeError {
        .unsupported("an SVG of more than \(limits.svgBytes) bytes")
    }
}

extension Span where Element == UInt8 {
    /// Returns whether `word` is at `index`. With `anyCase`, `word` must be in lower case.
    func hasWord(_ word: StaticString, at index: Int, anyCase: Bool = false) -> Bool {
        guard index >= 0, count - index >= word.utf8CodeUnitCount else { return false }
        for offset in 0..<word.utf8CodeUnitCount {
            let wanted = unsafe word.utf8Start[offset]
            var found = self[index + offset]
            if anyCase, found >= UInt8(ascii: "A"), found <= UInt8(ascii: "Z") { found |= 0x20 }
            guard found == wanted else { return false }
        }
        return true
    }

    func contains(_ word: StaticString, in range: Range<Int>, anyCase: Bool = false) -> Bool {
        let last = range.upperBound - word.utf8CodeUnitCount
        guard range.lowerBound <= last else { return false }
        for index in range.lowerBound...last where hasWord(word, at: index, anyCase: anyCase) {
            return true
        }
        return false
    }

    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, SVGCharacter.isSpace(self[start]) { start += 1 }
        while end > start, SVGCharacter.isSpace(self[end - 1]) { end -= 1 }
        return start..<end
    }

    /// Returns a name without its namespace prefix, at most 64 bytes.
    func localName(_ name: Range<Int>) -> String {
        var start = name.upperBound
        while start > name.lowerBound, self[start - 1] != UInt8(ascii: ":") { start -= 1 }
        return string((start..<name.upperBound).prefix(64))
    }

    func hasName(_ name: StaticString, _ range: Range<Int>) -> Bool {
        range.count == name.utf8CodeUnitCount && hasWord(name, at: range.lowerBound)
    }

    func string(_ range: Range<Int>) -> String {
        String(decoding: array(range), as: UTF8.self)
    }

    func array(_ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(self, range)
        return bytes
    }
}

extension [UInt8] {
    mutating func append(_ text: Span<UInt8>, _ range: Range<Int>) {
        reserve(range.count)
        for index in range { append(text[index]) }
    }

    mutating func append(_ word: StaticString) {
        for offset in 0..<word.utf8CodeUnitCount { unsafe append(word.utf8Start[offset]) }
    }

    /// Grows by at least half, so that appending many small pieces takes linear time.
    private mutating func reserve(_ more: Int) {
        if capacity - count < more { reserveCapacity(Swift.max(count + more, capacity * 3 / 2)) }
    }
}

/// Classifies the characters of XML and CSS.
enum SVGCharacter {
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 || byte == 0x0C
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    /// Returns whether a byte may be part of a CSS name. All bytes above ASCII may.
    static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}

/// A budget of steps for rewriting a document.
///
/// Nested references can expand a few bytes to many. A normal document needs a few steps per byte.
struct SVGWork {
    private var left: Int

    init(bytes: Int) { left = 4_000_000 + 8 * bytes }

    mutating func spend(_ steps: Int) throws(DecodeError) {
        left -= steps
        guard left >= 0 else {
            throw .limitDecode("an SVG whose styles need too many steps")
        }
    }
}
