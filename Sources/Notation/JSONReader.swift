/// The state of one pass over a text that was checked to be UTF-8.
struct JSONReader: ~Escapable {
    private let bytes: Span<UInt8>
    private let limits: JSONLimits
    private var position = 0
    private var line = 1
    private var depth = 0
    private var values = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, _ limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            position = 3
        }
    }

    /// Reads the single value of the text. If `lines` is not nil, also stores the line of each
    /// value there.
    mutating func document(_ lines: inout JSONDocument.LineTree?) throws(JSONError) -> JSON {
        let root = try value(&lines)
        skipSpace()
        guard position == bytes.count else { throw error(.textAfterValue, at: position) }
        return root
    }

    /// Returns an error at a byte offset, converted to a line and a column.
    func error(_ reason: JSONError.Reason, at offset: Int) -> JSONError {
        var line = 1
        var column = 1
        var index = 0
        while index < min(offset, bytes.count) {
            let byte = bytes[index]
            index += 1
            if byte == 0x0A || (byte == 0x0D && !(index < bytes.count && bytes[index] == 0x0A)) {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 && !(byte == 0xEF && index == 1 && position >= 3) {
                column += 1
            }
        }
        return JSONError(line: line, column: column, reason: reason)
    }

    private mutating func value(_ lines: inout JSONDocument.LineTree?) throws(JSONError) -> JSON {
        skipSpace()
        if lines != nil { lines = JSONDocument.LineTree(line: line) }
        values += 1
        guard values <= limits.values else {
            throw error(.tooManyValues(limit: limits.values), at: position)
        }
        switch peek {
        case UInt8(ascii: "{"): return try object(&lines)
        case UInt8(ascii: "["): return try array(&lines)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
        default: throw unexpected(wanted: "a value")
        }
    }

    private mutating func object(_ lines: inout JSONDocument.LineTree?) throws(JSONError) -> JSON {
        try enter()
        defer { depth -= 1 }
        var members: [JSON.Member] = []
        var names = NameSet()
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object([]) }
        while true {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw unexpected(wanted: "a name in quotes") }
            let start = position
            let name = try string()
            guard names.insert(name, after: members) else {
                throw error(.duplicateName(name), at: start)
            }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw unexpected(wanted: "a colon") }
            var node = lines.map { _ in JSONDocument.LineTree(line: line) }
            members.append(JSON.Member(name, try value(&node)))
            if let node { lines?.children.append(node) }
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw unexpected(wanted: "a comma or a brace") }
        }
    }

    private mutating func array(_ lines: inout JSONDocument.LineTree?) throws(JSONError) -> JSON {
        try enter()
        defer { depth -= 1 }
        var elements: [JSON] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array([]) }
        while true {
            var node = lines.map { _ in JSONDocument.LineTree(line: line) }
            elements.append(try value(&node))
            if let node { lines?.children.append(node) }
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw unexpected(wanted: "a comma or a bracket") }
        }
    }

    private mutating func enter() throws(JSONError) {
        guard depth < limits.depth else {
            throw error(.tooDeep(limit: limits.depth), at: position)
        }
        depth += 1
        position += 1
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        let start = position
        for index in 0..<word.utf8CodeUnitCount {
            guard peek == (unsafe word.utf8Start[index]) else {
                throw error(peek == nil ? .endOfText : misspelt(start), at: start)
            }
            position += 1
        }
        return value
    }

    private func misspelt(_ start: Int) -> JSONError.Reason {
        .unexpected(character(at: start), wanted: "a value")
    }

    private mutating func number() throws(JSONError) -> JSON {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits(from: start) }
        if take(UInt8(ascii: ".")) { try digits(from: start) }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits(from: start)
        }
        switch peek ?? 0 {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            throw error(.badNumber, at: start)
        default: break
        }
        return .number(JSONNumber(checked: text(start..<position)))
    }

    private mutating func digits(from start: Int) throws(JSONError) {
        let first = position
        while case UInt8(ascii: "0")...UInt8(ascii: "9") = peek ?? 0 { position += 1 }
        guard position > first else { throw error(.badNumber, at: start) }
    }

    private mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        while true {
            position = PlainRun.end(in: bytes, from: position)
            switch peek {
            case UInt8(ascii: "\""):
                let result = text(start..<position)
                position += 1
                return result
            case UInt8(ascii: "\\"): return try escapedString(from: start)
            case nil: throw error(.endOfText, at: bytes.count)
            case .some(0..<0x20): throw error(.controlCharacter, at: position)
            default: position += 1
            }
        }
    }

    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var result: [UInt8] = []
        for index in start..<position { result.append(bytes[index]) }
        while true {
            guard let byte = peek else { throw error(.endOfText, at: bytes.count) }
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: result, as: UTF8.self)
            case UInt8(ascii: "\\"):
                let scalar = try escape()
                result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            case 0..<0x20: throw error(.controlCharacter, at: position)
            default:
                result.append(byte)
                position += 1
            }
        }
    }

    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        let start = position
        position += 1
        guard let byte = peek else { throw error(.endOfText, at: bytes.count) }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw error(.badEscape, at: start)
        }
        let first = try hexadecimal(start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw error(.loneSurrogate, at: start)
        }
        let second = try hexadecimal(start)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw error(.loneSurrogate, at: start) }
        return scalar
    }

    private mutating func hexadecimal(_ start: Int) throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek else { throw error(.endOfText, at: bytes.count) }
            guard let digit = Hexadecimal.value(of: byte) else {
                throw error(.badEscape, at: start)
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    private func text(_ range: Range<Int>) -> String {
        // The whole text was validated before, and both ends are ASCII.
        unsafe bytes.extracting(range).withUnsafeBufferPointer { part in
            unsafe String(decoding: part, as: UTF8.self)
        }
    }

    private var peek: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek {
            switch byte {
            case 0x0A: line += 1
            case 0x0D: if !(position + 1 < bytes.count && bytes[position + 1] == 0x0A) { line += 1 }
            case 0x20, 0x09: break
            default: return
            }
            position += 1
        }
    }

    private func unexpected(wanted: String) -> JSONError {
        position < bytes.count
            ? error(.unexpected(character(at: position), wanted: wanted), at: position)
            : error(.endOfText, at: position)
    }

    private func character(at offset: Int) -> String {
        let end = min(offset + 4, bytes.count)
        guard let scalar = text(offset..<end).unicodeScalars.first else { return "nothing" }
        return "'\(PrintableText.escaped(String(scalar)))'"
    }
}

/// The names of one object: searched one by one while they are few, and in a hash table later.
private struct NameSet {
    private var names: Set<[UInt8]> = []

    /// Returns false if the name exists already. Names are compared by their bytes.
    mutating func insert(_ name: String, after members: [JSON.Member]) -> Bool {
        if members.count < 16 {
            // Strings that compare as unequal have different bytes, but equal strings may also have
            // different bytes.
            return !members.contains {
                $0.name == name && $0.name.utf8.elementsEqual(name.utf8)
            }
        }
        if names.isEmpty { names = Set(members.map { Array($0.name.utf8) }) }
        return names.insert(Array(name.utf8)).inserted
    }
}

/// Reads JSON exactly as RFC 8259 defines it.
///
/// The text must be UTF-8; a byte order mark is skipped. A duplicate name in an object is an error,
/// because readers disagree on which value counts.
package enum JSONParser {
    package static func parse(
        _ bytes: Span<UInt8>, limits: JSONLimits = .standard
    ) throws(JSONError) -> JSON {
        var reader = try reader(bytes, limits)
        var lines: JSONDocument.LineTree?
        return try reader.document(&lines)
    }

    /// Parses a whole text and records the line of each value, for error messages.
    package static func document(
        _ bytes: Span<UInt8>, limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONDocument {
        var reader = try reader(bytes, limits)
        var lines: JSONDocument.LineTree? = JSONDocument.LineTree(line: 1)
        let root = try reader.document(&lines)
        return JSONDocument(root: root, lineTree: lines ?? JSONDocument.LineTree(line: 1))
    }

    @_lifetime(copy bytes)
    private static func reader(
        _ bytes: Span<UInt8>, _ limits: JSONLimits
    ) throws(JSONError) -> JSONReader {
        let reader = JSONReader(bytes, limits)
        guard bytes.count <= limits.bytes else {
            throw JSONError(line: 1, column: 1, reason: .tooLarge(limit: limits.bytes))
        }
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes)
        } catch {
            throw reader.error(.invalidUTF8, at: error.byteOffsets.lowerBound)
        }
        return reader
    }
}

package struct JSONLimits: Hashable, Sendable {
    package var bytes: Int
    /// The nesting of arrays and objects; at most 512, to protect the stack.
    package var depth: Int
    /// The number of values of any kind, which limits memory for texts such as `[0,0,0…`.
    package var values: Int

    package init(bytes: Int = 64 << 20, depth: Int = 64, values: Int = 8_000_000) {
        self.bytes = bytes
        self.depth = min(depth, 512)
        self.values = values
    }

    package static let standard = JSONLimits()
}

/// A value of a document with its line and access to the values inside it.
package struct JSONNode: Sendable {
    package let value: JSON
    private let lines: JSONDocument.LineTree

    init(_ value: JSON, _ lines: JSONDocument.LineTree) {
        self.value = value
        self.lines = lines
    }

    /// The line, counted from one.
    package var line: Int { lines.line }

    /// The members in the order written; empty for other kinds.
    package var members: [(name: String, node: JSONNode)] {
        guard case .object(let members) = value, members.count == lines.children.count else {
            return []
        }
        return zip(members, lines.children).map { ($0.name, JSONNode($0.value, $1)) }
    }

    /// The member under `name`, or nil; searches all members.
    package subscript(name: String) -> JSONNode? {
        members.first { $0.name == name }?.node
    }
}

extension JSONDocument {
    package var node: JSONNode { JSONNode(root, lineTree) }
}
