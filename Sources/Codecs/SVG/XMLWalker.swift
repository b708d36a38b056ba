/// Steps through the tags of an XML text without building a tree.
///
/// It does not validate. It only finds the bounds of tags, attributes, comments and character data,
/// which is enough to find paints and to detect a truncated text.
struct XMLWalker: ~Escapable {
    struct Attribute {
        var name: Range<Int>
        var value: Range<Int>
    }

    enum Step {
        case open(name: Range<Int>, attributes: [Attribute], isEmpty: Bool)
        case close(name: Range<Int>)
        case text(Range<Int>)
        /// A document type, whose internal subset may define entities.
        case doctype(Range<Int>)
        /// The end of the bytes, outside any tag or comment.
        case end
        /// The end of the bytes inside a tag, comment or similar.
        case truncated
    }

    let bytes: Span<UInt8>
    private(set) var offset = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
    }

    /// Returns the next tag or run of character data; skips comments and processing instructions.
    mutating func next() -> Step {
        while offset < bytes.count {
            guard bytes[offset] == UInt8(ascii: "<") else {
                let start = offset
                offset = find("<", from: offset) ?? bytes.count
                return .text(start..<offset)
            }
            if starts(with: "<!--") {
                guard let end = find("-->", from: offset + 4) else { return truncated() }
                offset = end + 3
            } else if starts(with: "<![CDATA[") {
                let start = offset + 9
                guard let end = find("]]>", from: start) else { return truncated() }
                offset = end + 3
                return .text(start..<end)
            } else if starts(with: "<?") {
                guard let end = find("?>", from: offset + 2) else { return truncated() }
                offset = end + 2
            } else if starts(with: "<!") {
                return doctype()
            } else if starts(with: "</") {
                let start = offset + 2
                guard let end = find(">", from: start) else { return truncated() }
                offset = end + 1
                return .close(name: name(from: start, to: end))
            } else {
                return open()
            }
        }
        return .end
    }

    private mutating func truncated() -> Step {
        offset = bytes.count
        return .truncated
    }

    private mutating func doctype() -> Step {
        let start = offset
        var depth = 0
        while offset < bytes.count {
            // A quote in a comment or a processing instruction starts no string.
            if depth > 0, starts(with: "<!--") || starts(with: "<?") {
                let isComment = starts(with: "<!--")
                let end = isComment ? find("-->", from: offset + 4) : find("?>", from: offset + 2)
                guard let end else { return truncated() }
                offset = end + (isComment ? 3 : 2)
                continue
            }
            switch bytes[offset] {
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let quote = bytes[offset]
                repeat { offset += 1 } while offset < bytes.count && bytes[offset] != quote
            case UInt8(ascii: ">") where depth <= 0:
                offset += 1
                return .doctype(start..<offset)
            default: break
            }
            offset += 1
        }
        return truncated()
    }

    private mutating func open() -> Step {
        let start = offset + 1
        let title = name(from: start, to: bytes.count)
        offset = title.upperBound
        var attributes: [Attribute] = []
        while true {
            skip { SVGCharacter.isSpace($0) || $0 == UInt8(ascii: "/") }
            guard offset < bytes.count else { return truncated() }
            if bytes[offset] == UInt8(ascii: ">") {
                let isEmpty = bytes[offset - 1] == UInt8(ascii: "/")
                offset += 1
                return .open(name: title, attributes: attributes, isEmpty: isEmpty)
            }
            let name = name(from: offset, to: bytes.count)
            // An invalid character in place of a name is skipped; otherwise the walk would not end.
            offset = max(name.upperBound, offset + 1)
            skip(SVGCharacter.isSpace)
            guard offset < bytes.count, bytes[offset] == UInt8(ascii: "=") else { continue }
            offset += 1
            skip(SVGCharacter.isSpace)
            guard offset < bytes.count else { return truncated() }
            let quote = bytes[offset]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { continue }
            let first = offset + 1
            offset = first
            skip { $0 != quote }
            guard offset < bytes.count else { return truncated() }
            attributes.append(Attribute(name: name, value: first..<offset))
            offset += 1
        }
    }

    private mutating func skip(_ condition: (UInt8) -> Bool) {
        while offset < bytes.count, condition(bytes[offset]) { offset += 1 }
    }

    private func name(from start: Int, to end: Int) -> Range<Int> {
        var index = start
        while index < end, !SVGCharacter.isSpace(bytes[index]), !isNameEnd(bytes[index]) {
            index += 1
        }
        return start..<index
    }

    private func isNameEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
            || byte == UInt8(ascii: "<")
    }

    private func starts(with mark: StaticString) -> Bool {
        bytes.hasWord(mark, at: offset)
    }

    private func find(_ mark: StaticString, from start: Int) -> Int? {
        var index = start
        let last = bytes.count - mark.utf8CodeUnitCount
        while index <= last {
            if bytes.hasWord(mark, at: index) { return index }
            index += 1
        }
        return nil
    }

    /// Returns the names of the attributes of the root element.
    static func rootAttributes(_ bytes: Span<UInt8>) -> [String] {
        var walker = XMLWalker(bytes)
        while true {
            switch walker.next() {
            case .open(_, let attributes, _): return attributes.map { bytes.string($0.name) }
            case .text, .doctype: continue
            case .close, .end, .truncated: return []
            }
        }
    }

    /// Returns the text of a range, at most 64 bytes; names and paints are short.
    func text(_ range: Range<Int>) -> String { bytes.string(range.prefix(64)) }
}
