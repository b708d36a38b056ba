/// What the internal subset of a document type declares: entities, and values of attributes that are
/// not stated.
///
/// Parameter entities, and what lies outside the document, are not read.
struct XMLDocumentType {
    struct Default {
        let name: [UInt8]
        let value: [UInt8]
    }

    /// The texts of general entities, by name.
    private(set) var entities: [[UInt8]: [UInt8]] = [:]
    /// By the whole name of an element.
    private(set) var defaults: [[UInt8]: [Default]] = [:]
    /// Something of the kind is declared, readable or not.
    private(set) var hasEntities = false

    /// Nil for a document type without an internal subset.
    init?(_ text: Span<UInt8>, _ range: Range<Int>) {
        var reader = Reader(text, range)
        guard reader.enter() else { return nil }
        while reader.findDeclaration() {
            if reader.skip("<!ENTITY") {
                hasEntities = true
                if let (name, value) = reader.entity(), entities[name] == nil {
                    entities[name] = value
                }
            } else if reader.skip("<!ATTLIST") {
                let (element, found) = reader.attributes()
                let known = defaults[element, default: []]
                defaults[element] =
                    known + found.filter { new in !known.contains { $0.name == new.name } }
            } else {
                reader.skipDeclaration()
            }
        }
    }
}

/// Steps through an internal subset.
private struct Reader: ~Escapable {
    private let text: Span<UInt8>
    private let end: Int
    private var offset: Int

    @_lifetime(copy text)
    init(_ text: Span<UInt8>, _ range: Range<Int>) {
        self.text = text
        offset = range.lowerBound
        end = range.upperBound
    }

    /// Steps into the subset.
    mutating func enter() -> Bool {
        while offset < end, text[offset] != UInt8(ascii: "[") {
            if isQuote { skipQuoted() } else { offset += 1 }
        }
        offset += 1
        return offset < end
    }

    /// Steps to the next declaration; false at the end of the subset.
    mutating func findDeclaration() -> Bool {
        while offset < end, text[offset] != UInt8(ascii: "]") {
            if skip("<!--") {
                skip(past: "-->")
            } else if skip("<?") {
                skip(past: "?>")
            } else if text.hasWord("<!", at: offset) {
                return true
            } else {
                offset += 1
            }
        }
        return false
    }

    mutating func skip(_ word: StaticString) -> Bool {
        guard text.hasWord(word, at: offset) else { return false }
        offset += word.utf8CodeUnitCount
        return true
    }

    mutating func skipDeclaration() {
        while offset < end, text[offset] != UInt8(ascii: ">") {
            if isQuote { skipQuoted() } else { offset += 1 }
        }
        offset += 1
    }

    /// The name and the text of a general entity; nil for any other.
    mutating func entity() -> (name: [UInt8], value: [UInt8])? {
        defer { skipDeclaration() }
        let name = word()
        guard !name.isEmpty, name != [UInt8(ascii: "%")] else { return nil }
        skipSpace()
        guard offset < end, isQuote else { return nil }
        // Numbers of characters are followed where an entity is declared, all else where it is used.
        return (name, XMLSign.resolved(text, quoted(), keepingNames: true))
    }

    /// The element and the defaults of an attribute list.
    mutating func attributes() -> (element: [UInt8], found: [XMLDocumentType.Default]) {
        defer { skipDeclaration() }
        let element = word()
        var found: [XMLDocumentType.Default] = []
        while true {
            let name = word()
            guard !name.isEmpty else { return (element, found) }
            // The kind of the attribute, one word or a list, or both.
            _ = word()
            skipSpace()
            if offset < end, text[offset] == UInt8(ascii: "(") { skip(past: ")") }
            skipSpace()
            if offset < end, text[offset] == UInt8(ascii: "#") {
                guard word() == Array("#FIXED".utf8) else { continue }
                skipSpace()
            }
            guard offset < end, isQuote else { return (element, found) }
            found.append(.init(name: name, value: text.array(quoted())))
        }
    }

    private var isQuote: Bool {
        text[offset] == UInt8(ascii: "\"") || text[offset] == UInt8(ascii: "'")
    }

    private mutating func skipSpace() {
        while offset < end, SVGSign.isSpace(text[offset]) { offset += 1 }
    }

    /// The next word, none before a quote, a list or the end of the declaration.
    private mutating func word() -> [UInt8] {
        skipSpace()
        let start = offset
        while offset < end, !SVGSign.isSpace(text[offset]), !isQuote,
            text[offset] != UInt8(ascii: ">"), text[offset] != UInt8(ascii: "(")
        {
            offset += 1
        }
        return text.array(start..<offset)
    }

    private mutating func quoted() -> Range<Int> {
        let start = offset + 1
        skipQuoted()
        return start..<max(start, min(end, offset) - 1)
    }

    private mutating func skipQuoted() {
        let quote = text[offset]
        repeat { offset += 1 } while offset < end && text[offset] != quote
        offset += 1
    }

    private mutating func skip(past word: StaticString) {
        while offset < end, !text.hasWord(word, at: offset) { offset += 1 }
        offset += word.utf8CodeUnitCount
    }
}
