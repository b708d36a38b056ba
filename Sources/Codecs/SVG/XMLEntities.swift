/// The declarations of an internal DTD subset: entities and default attributes.
///
/// Parameter entities and external declarations are not read.
struct XMLDocumentType {
    struct Default {
        let name: [UInt8]
        let value: [UInt8]
    }

    /// The values of general entities, by name.
    private(set) var entities: [[UInt8]: [UInt8]] = [:]
    /// The default attributes, by qualified element name.
    private(set) var defaults: [[UInt8]: [Default]] = [:]
    /// Whether an entity is declared, supported or not.
    private(set) var hasEntities = false

    /// Nil if the document type has no internal subset.
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

    /// Moves into the internal subset; returns false if there is none.
    mutating func enter() -> Bool {
        while offset < end, text[offset] != UInt8(ascii: "[") {
            if isQuote { skipQuoted() } else { offset += 1 }
        }
        offset += 1
        return offset < end
    }

    /// Moves to the next declaration; returns false at the end of the subset.
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

    /// Reads the name and value of a general entity; nil for other entities.
    mutating func entity() -> (name: [UInt8], value: [UInt8])? {
        defer { skipDeclaration() }
        let name = word()
        guard !name.isEmpty, name != [UInt8(ascii: "%")] else { return nil }
        skipSpace()
        guard offset < end, isQuote else { return nil }
        // Character references are resolved in the declaration, entity references where the entity
        // is used.
        return (name, XMLReference.resolved(text, quoted(), keepingNames: true))
    }

    /// Reads the element name and the defaults of an attribute list.
    mutating func attributes() -> (element: [UInt8], found: [XMLDocumentType.Default]) {
        defer { skipDeclaration() }
        let element = word()
        var found: [XMLDocumentType.Default] = []
        while true {
            let name = word()
            guard !name.isEmpty else { return (element, found) }
            // The attribute type: a word, a list, or both.
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
        while offset < end, SVGCharacter.isSpace(text[offset]) { offset += 1 }
    }

    /// Reads the next word; empty before a quote, a list or the end of the declaration.
    private mutating func word() -> [UInt8] {
        skipSpace()
        let start = offset
        while offset < end, !SVGCharacter.isSpace(text[offset]), !isQuote,
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

/// Rewrites a text without its internal subset: expands entities and adds default attributes.
///
/// Entities in content may contain tags and entities; each pass expands one level.
struct XMLEntities {
    private static let depthLimit = 32

    private let type: XMLDocumentType
    private let bytesLimit: Int
    private var work: SVGWork
    /// Whether the last pass wrote text that needs another pass.
    private var isOpen = true

    /// Returns the rewritten text; nil if it has no internal subset.
    static func resolve(
        _ text: Span<UInt8>, bytesLimit: Int
    ) throws(DecodeError) -> (text: [UInt8], hasEntities: Bool)? {
        guard let (range, type) = documentType(of: text) else { return nil }
        var entities = XMLEntities(
            type: type, bytesLimit: bytesLimit, work: SVGWork(bytes: text.count))
        var written = text.array(0..<range.lowerBound)
        written.append(text, range.upperBound..<text.count)
        var depth = 0
        while entities.isOpen {
            guard depth < depthLimit else { throw tooDeep }
            depth += 1
            written = try entities.walk(written.span)
        }
        return (written, type.hasEntities)
    }

    private static var tooDeep: DecodeError {
        .limitDecode("an SVG with more than \(depthLimit) nested entities")
    }

    private static func documentType(
        of text: Span<UInt8>
    ) -> (range: Range<Int>, type: XMLDocumentType)? {
        var walker = XMLWalker(text)
        while true {
            switch walker.next() {
            case .doctype(let range):
                return XMLDocumentType(text, range).map { (range, $0) }
            case .text: continue
            case .open, .close, .end, .truncated: return nil
            }
        }
    }

    /// Expands one level of entities in content, and all levels in attributes.
    private mutating func walk(_ text: Span<UInt8>) throws(DecodeError) -> [UInt8] {
        isOpen = false
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var copied = 0
        var walker = XMLWalker(text)
        loop: while true {
            switch walker.next() {
            case .open(let name, let attributes, let isEmpty):
                for attribute in attributes
                where text.contains("&", in: attribute.value) {
                    output.append(text, copied..<attribute.value.lowerBound)
                    try append(text, attribute.value, to: &output, depth: 0)
                    copied = attribute.value.upperBound
                }
                guard let missing = missing(text, name, attributes) else { continue }
                let end = walker.offset - (isEmpty ? 2 : 1)
                output.append(text, copied..<end)
                copied = end
                for value in missing {
                    output.append(UInt8(ascii: " "))
                    output += value.name
                    output.append("=\"")
                    let text = value.value.span
                    try append(text, 0..<text.count, to: &output, depth: 0, isQuoted: true)
                    output.append("\"")
                }
            case .text(let range):
                // CDATA contains no references.
                guard range.lowerBound == walker.start else { continue }
                var index = range.lowerBound
                while index < range.upperBound {
                    guard text[index] == UInt8(ascii: "&"),
                        let name = XMLReference.name(text, index, range.upperBound),
                        let value = type.entities[text.array(name)]
                    else {
                        index += 1
                        continue
                    }
                    output.append(text, copied..<index)
                    index = name.upperBound + 1
                    copied = index
                    try appendEntity(value, to: &output)
                    isOpen = true
                }
            case .close, .doctype: continue
            case .end, .truncated: break loop
            }
            try checkLength(output.count)
        }
        output.append(text, copied..<text.count)
        try checkLength(output.count)
        return output
    }

    /// Returns the default attributes that a tag does not state; nil if there are none.
    private func missing(
        _ text: Span<UInt8>, _ name: Range<Int>, _ attributes: [XMLWalker.Attribute]
    ) -> [XMLDocumentType.Default]? {
        guard !type.defaults.isEmpty, let defaults = type.defaults[text.array(name)] else {
            return nil
        }
        let stated = attributes.map { text.array($0.name) }
        let missing = defaults.filter { !stated.contains($0.name) }
        return missing.isEmpty ? nil : missing
    }

    /// Appends an attribute value with all of its entities expanded.
    private mutating func append(
        _ text: Span<UInt8>, _ range: Range<Int>, to output: inout [UInt8], depth: Int,
        isQuoted: Bool = false
    ) throws(DecodeError) {
        guard depth < Self.depthLimit else { throw Self.tooDeep }
        try work.spend(1 + range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = text[index]
            if byte == UInt8(ascii: "&"),
                let name = XMLReference.name(text, index, range.upperBound),
                let value = type.entities[text.array(name)]
            {
                let inner = value.span
                try append(
                    inner, 0..<inner.count, to: &output, depth: depth + 1, isQuoted: true)
                index = name.upperBound + 1
                continue
            }
            // A quote inside an entity does not end the value.
            if isQuoted, byte == UInt8(ascii: "\"") {
                output.append("&quot;")
            } else if isQuoted, byte == UInt8(ascii: "'") {
                output.append("&apos;")
            } else {
                output.append(byte)
            }
            index += 1
        }
        try checkLength(output.count)
    }

    private mutating func appendEntity(
        _ value: [UInt8], to output: inout [UInt8]
    ) throws(DecodeError) {
        try work.spend(1 + value.count)
        output += value
        try checkLength(output.count)
    }

    private func checkLength(_ count: Int) throws(DecodeError) {
        guard count <= bytesLimit else {
            throw .limitDecode("an SVG that grows to more than \(bytesLimit) bytes")
        }
    }
}

/// Resolves numeric character references and the five predefined entities of XML.
enum XMLReference {
    /// Returns the text of a range with numeric references resolved; also resolves the predefined
    /// names unless `keepingNames` is set.
    static func resolved(
        _ text: Span<UInt8>, _ range: Range<Int>, keepingNames: Bool = false
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            if text[index] == UInt8(ascii: "&"), let name = name(text, index, range.upperBound),
                let character = character(text, name, keepingNames: keepingNames)
            {
                bytes += character
                index = name.upperBound + 1
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return bytes
    }

    /// Returns the name between the `&` at `index` and its semicolon; nil if there is none.
    static func name(_ text: Span<UInt8>, _ index: Int, _ end: Int) -> Range<Int>? {
        var close = index + 1
        while close < end, text[close] != UInt8(ascii: ";") {
            if SVGCharacter.isSpace(text[close]) || text[close] == UInt8(ascii: "&") { return nil }
            close += 1
        }
        return close < end && close > index + 1 ? (index + 1)..<close : nil
    }

    /// Returns the character to which a reference refers. Nil for an unknown or invalid reference,
    /// and for a name if `keepingNames` is set.
    private static func character(
        _ text: Span<UInt8>, _ name: Range<Int>, keepingNames: Bool
    ) -> [UInt8]? {
        guard text[name.lowerBound] == UInt8(ascii: "#") else {
            guard !keepingNames, name.count <= 4 else { return nil }
            return known[text.string(name)].map { [$0] }
        }
        let isHex = text.hasWord("#x", at: name.lowerBound)
        // Skips leading zeros, whose number is unlimited.
        var start = name.lowerBound + (isHex ? 2 : 1)
        while start < name.upperBound - 1, text[start] == UInt8(ascii: "0") { start += 1 }
        guard name.upperBound - start <= 8,
            let value = UInt32(text.string(start..<name.upperBound), radix: isHex ? 16 : 10),
            value != 0, let scalar = Unicode.Scalar(value)
        else { return nil }
        return Array(String(Character(scalar)).utf8)
    }

    private static let known: [String: UInt8] = [
        "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"),
        "quot": UInt8(ascii: "\""), "apos": UInt8(ascii: "'"),
    ]
}
