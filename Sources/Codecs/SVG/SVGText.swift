import Raster

/// The text of an SVG file, decompressed if it is gzip.
package enum SVGText {
    /// Returns the text of a compressed SVG, at most `limits.svgBytes` long.
    ///
    /// A longer text, and gzip inside gzip, is `unsupported`; a truncated or damaged stream is
    /// `corrupt`.
    package static func inflate(
        _ packed: Span<UInt8>, limits: DecodeLimits
    ) throws(DecodeError) -> [UInt8] {
        // The last four bytes state the text length. The value is untrusted and only an initial
        // guess.
        var claimed = 0
        for step in 1...4 where packed.count > 18 {
            claimed = claimed << 8 | Int(packed[packed.count - step])
        }
        let text: [UInt8]
        do throws(Inflate.Failure) {
            text = try Inflate.all(
                packed, .gzip, guess: max(claimed, 4096), bytesLimit: max(1, limits.svgBytes))
        } catch {
            switch error {
            case .noMemory: throw .limitDecode("no memory to inflate")
            case .tooLong: throw tooLong(limits)
            case .damaged: throw .corrupt("the gzip data is incomplete or damaged")
            }
        }
        guard !PackedText.isPacked(text.span) else { throw .unsupported("gzip inside gzip") }
        return text
    }

    /// Returns the error for a document over the limit, compressed or not.
    static func tooLong(_ limits: DecodeLimits) -> DecodeError {
        .unsupported("an SVG of more than \(limits.svgBytes) bytes")
    }

    /// Throws if the XML declaration names an encoding that is not built into libxml2. A worker
    /// cannot load the tables of the C library for other encodings.
    static func checkEncoding(of text: Span<UInt8>) throws(DecodeError) {
        var head: [UInt8] = []
        for index in 0..<min(text.count, 1_024) where text[index] != 0 {
            head.append(text[index])
            if text[index] == UInt8(ascii: ">") { break }
        }
        let words = String(decoding: head, as: UTF8.self)
        guard let start = words.firstRange(of: "<?xml")?.upperBound,
            let name = words[start...].firstRange(of: "encoding")?.upperBound
        else { return }
        let rest = words[name...].drop { $0.isWhitespace || $0 == "=" }
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return }
        let encoding = rest.dropFirst().prefix { $0 != quote }.lowercased()
        guard encodings.contains(encoding) else {
            throw .unsupported("an SVG in the encoding \(encoding)")
        }
    }

    private static let encodings: Set<String> = [
        "utf-8", "utf8", "utf-16", "utf16", "utf-16le", "utf-16be", "iso-8859-1", "iso-latin-1",
        "ascii", "us-ascii",
    ]

    /// Throws if entities may expand to more than the longest document. librsvg expands them
    /// without a limit.
    ///
    /// Each reference in the content adds at most all declarations; each reference inside the
    /// declarations at most doubles that.
    static func checkEntities(
        of text: Span<UInt8>, _ limits: DecodeLimits
    ) throws(DecodeError) {
        var walker = XMLWalker(text)
        var step = walker.next()
        while case .text = step { step = walker.next() }
        guard case .doctype(let declarations) = step, text.contains("<!ENTITY", in: declarations)
        else { return }
        var (inside, outside) = (0, 0)
        for index in 0..<text.count {
            if declarations.contains(index) {
                if text[index] == UInt8(ascii: "&") || text[index] == UInt8(ascii: "%") {
                    inside += 1
                }
            } else if text[index] == UInt8(ascii: "&") {
                outside += 1
            }
        }
        let bytes = declarations.count.saturating(times: outside)
        guard bytes.saturating(times: 1 << min(inside, 40)) <= limits.svgBytes.saturating(times: 2)
        else { throw .limitDecode("an SVG whose entities are too long") }
    }
}

extension Span where Element == UInt8 {
    /// The text from its first tag on. Leading white space is invalid XML but common.
    var trimmed: Span<UInt8> {
        @_lifetime(copy self)
        get {
            var start = 0
            while start < count, SVGCharacter.isSpace(self[start]) { start += 1 }
            return extracting(start...)
        }
    }

    /// Whether text might be drawn; may be true without need. Setting up fonts takes ten
    /// milliseconds, which a typical logo of paths does not need.
    var mayHaveText: Bool {
        // In UTF-16 the words below would not be found.
        if count > 1, self[0] == 0 || self[1] == 0 || self[0] >= 0xFE { return true }
        // Entities may contain anything.
        for index in 0..<count {
            switch self[index] {
            case UInt8(ascii: "t") where hasWord("text", at: index): return true
            case UInt8(ascii: "E") where hasWord("ENTITY", at: index): return true
            default: continue
            }
        }
        return false
    }

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

    func contains(_ word: StaticString, in range: Range<Int>) -> Bool {
        range.contains { hasWord(word, at: $0) }
    }

    /// Returns a name without its namespace prefix, at most 64 bytes.
    func localName(_ name: Range<Int>) -> String {
        var start = name.upperBound
        while start > name.lowerBound, self[start - 1] != UInt8(ascii: ":") { start -= 1 }
        return string((start..<name.upperBound).prefix(64))
    }

    func string(_ range: Range<Int>) -> String {
        String(decoding: array(range), as: UTF8.self)
    }

    func array(_ range: Range<Int>) -> [UInt8] {
        unsafe extracting(range).withUnsafeBufferPointer { unsafe Array($0) }
    }
}

/// Classifies the characters of XML and CSS.
enum SVGCharacter {
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 || byte == 0x0C
    }

    /// Returns whether a byte may be part of a name. All bytes above ASCII may.
    static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
