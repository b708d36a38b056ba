/// A reader of the start tags of an HTML page that can name icons.
///
/// The page comes from a stranger and may be malformed in any way. Each byte is read a bounded
/// number of times, and text above the limits is dropped, so the work is linear in the page.
struct HTMLTags {
    struct Tag: Sendable {
        let name: String
        /// The values by names in lower case. Of a repeated attribute, the first one counts.
        var attributes: [String: String] = [:]
    }

    /// The elements that are returned.
    private static let wanted: Set<String> = ["link", "meta", "base"]
    /// The elements whose content is text up to their end tag.
    private static let rawText: Set<String> = [
        "script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes", "noscript",
    ]
    private static let attributesLimit = 32
    private static let nameBytesLimit = 32
    /// The length limit of a value; a page may contain icons as `data:` URIs.
    private static let valueBytesLimit = 32 << 10

    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) {
        // Without its zero bytes, a page in UTF-16 has the same tags.
        let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        self.bytes = isWide ? bytes.filter { $0 != 0 } : bytes
    }

    /// Returns the next wanted tag; nil at the end of the page.
    mutating func next() -> Tag? {
        while skip(past: UInt8(ascii: "<")) {
            guard index < bytes.count else { break }
            switch bytes[index] {
            case UInt8(ascii: "!"): skipDeclaration()
            case UInt8(ascii: "?"), UInt8(ascii: "/"): _ = skip(past: UInt8(ascii: ">"))
            case let letter where Self.isLetter(letter):
                if let tag = readTag() { return tag }
            default: break
            }
        }
        return nil
    }

    /// Moves behind the next byte of this value; false at the end of the page.
    private mutating func skip(past byte: UInt8) -> Bool {
        let found = bytes[index...].firstIndex(of: byte)
        index = found.map { $0 + 1 } ?? bytes.count
        return found != nil
    }

    /// Skips a comment, or another declaration with an exclamation mark.
    private mutating func skipDeclaration() {
        guard starts(with: "!--", at: index) else {
            _ = skip(past: UInt8(ascii: ">"))
            return
        }
        // `<!-->` is a whole comment.
        index += 1
        while skip(past: UInt8(ascii: "-")) {
            if starts(with: "->", at: index) || starts(with: "-!>", at: index) {
                _ = skip(past: UInt8(ascii: ">"))
                return
            }
        }
    }

    /// Reads a start tag whose name begins here; nil if it is not wanted, or not complete.
    private mutating func readTag() -> Tag? {
        let name = readName { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ">") }
        let isWanted = Self.wanted.contains(name)
        var tag = Tag(name: name)
        var isComplete = false
        while index < bytes.count {
            let byte = bytes[index]
            if Self.isSpace(byte) || byte == UInt8(ascii: "/") {
                index += 1
            } else if byte == UInt8(ascii: ">") {
                index += 1
                isComplete = true
                break
            } else {
                readAttribute(into: &tag, isWanted: isWanted)
            }
        }
        guard isComplete else { return nil }
        if Self.rawText.contains(name) { skipText(of: name) }
        return isWanted ? tag : nil
    }

    private mutating func readAttribute(into tag: inout Tag, isWanted: Bool) {
        let start = index
        // An equals sign at the start belongs to the name.
        if bytes[index] == UInt8(ascii: "=") { index += 1 }
        let name = readName {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "=")
        }
        let range = readValue()
        guard isWanted, bytes[start] != UInt8(ascii: "="), range.count <= Self.valueBytesLimit,
            tag.attributes.count < Self.attributesLimit, tag.attributes[name] == nil
        else { return }
        tag.attributes[name] = CharacterReferences.decoded(bytes[range])
    }

    /// Reads the value after an attribute name; empty if there is none.
    private mutating func readValue() -> Range<Int> {
        skipSpaces()
        guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else { return index..<index }
        index += 1
        skipSpaces()
        guard index < bytes.count else { return index..<index }
        let quote = bytes[index]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let start = index + 1
            index = start
            let isClosed = skip(past: quote)
            return start..<(isClosed ? index - 1 : index)
        }
        let start = index
        while index < bytes.count, !Self.isSpace(bytes[index]), bytes[index] != UInt8(ascii: ">") {
            index += 1
        }
        return start..<index
    }

    private mutating func skipSpaces() {
        while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
    }

    /// Reads a name in lower case up to a space or another end. A name above the limit is cut.
    private mutating func readName(until isEnd: (UInt8) -> Bool) -> String {
        let start = index
        while index < bytes.count, !Self.isSpace(bytes[index]), !isEnd(bytes[index]) { index += 1 }
        let name = bytes[start..<index].prefix(Self.nameBytesLimit)
        return String(decoding: name, as: UTF8.self).lowercased()
    }

    /// Moves to the end tag of an element whose content is text.
    private mutating func skipText(of name: String) {
        while skip(past: UInt8(ascii: "<")) {
            guard starts(with: "/", at: index), starts(with: name, at: index + 1) else { continue }
            let end = index + 1 + name.utf8.count
            guard
                end >= bytes.count || Self.isSpace(bytes[end]) || bytes[end] == UInt8(ascii: "/")
                    || bytes[end] == UInt8(ascii: ">")
            else { continue }
            index = end
            return
        }
    }

    /// Whether these ASCII characters, in lower case or not, stand at a position.
    private func starts(with text: String, at start: Int) -> Bool {
        guard start + text.utf8.count <= bytes.count else { return false }
        return zip(bytes[start...], text.utf8).allSatisfy { byte, wanted in
            byte == wanted || Self.isLetter(byte) && byte | 0x20 == wanted
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B
    }
}

/// The character references of HTML that occur in URLs: numbers, and the names of ASCII signs.
enum CharacterReferences {
    private static let names: [String: UInt8] = [
        "amp": 0x26, "quot": 0x22, "apos": 0x27, "lt": 0x3C, "gt": 0x3E, "sol": 0x2F,
        "colon": 0x3A, "period": 0x2E, "num": 0x23, "quest": 0x3F, "equals": 0x3D,
    ]
    /// The length limit of a reference without the signs around it.
    private static let bytesLimit = 9

    static func decoded(_ text: ArraySlice<UInt8>) -> String {
        guard text.contains(UInt8(ascii: "&")) else { return String(decoding: text, as: UTF8.self) }
        var decoded: [UInt8] = []
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            index += 1
            guard byte == UInt8(ascii: "&"),
                let end = text[index...].prefix(bytesLimit + 1).firstIndex(of: UInt8(ascii: ";")),
                let bytes = value(of: text[index..<end])
            else {
                decoded.append(byte)
                continue
            }
            decoded += bytes
            index = end + 1
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    private static func value(of reference: ArraySlice<UInt8>) -> [UInt8]? {
        let text = String(decoding: reference, as: UTF8.self)
        guard text.first == "#" else { return names[text.lowercased()].map { [$0] } }
        let digits = text.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let number =
            isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
        guard let number, number > 0, let scalar = Unicode.Scalar(number) else { return nil }
        return Array(String(Character(scalar)).utf8)
    }
}
