/// Writes JSON in the order of the calls.
///
/// Hidden characters are escaped, so that a record is safe to show on a terminal. The caller must
/// close what it opens; a call in the wrong place is a precondition failure.
package struct JSONWriter: Sendable {
    package enum Form: Sendable {
        case compact
        /// Indented by two spaces per level, one value per line.
        case pretty
    }

    private enum Frame {
        case object, array
    }

    package private(set) var bytes: [UInt8] = []
    private let form: Form
    private var frames: [Frame] = []
    private var isFirst = true
    private var hasName = false

    package init(_ form: Form = .compact) {
        self.form = form
    }

    /// Ends the line after a complete value, for one JSON object per line.
    package mutating func endLine() {
        precondition(frames.isEmpty, "A line ends only after a whole value.")
        bytes.append(0x0A)
        isFirst = true
    }

    /// Returns the bytes written so far and removes them from the writer.
    package mutating func take() -> [UInt8] {
        precondition(frames.isEmpty, "Only whole values are taken.")
        defer {
            bytes.removeAll(keepingCapacity: true)
            isFirst = true
        }
        return bytes
    }

    package mutating func beginObject() { open(.object, UInt8(ascii: "{")) }
    package mutating func endObject() { close(.object, UInt8(ascii: "}")) }
    package mutating func beginArray() { open(.array, UInt8(ascii: "[")) }
    package mutating func endArray() { close(.array, UInt8(ascii: "]")) }

    package mutating func name(_ name: String) {
        precondition(frames.last == .object && !hasName, "A name stands in an object.")
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        if form == .pretty { bytes.append(0x20) }
        hasName = true
    }

    package mutating func writeNull() {
        begin()
        bytes.append(contentsOf: "null".utf8)
    }

    package mutating func write(_ value: Bool) {
        begin()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    package mutating func write(_ value: Int) {
        begin()
        bytes.append(contentsOf: String(value).utf8)
    }

    /// Writes the shortest digits that read back as the same value; `null` if it is not finite.
    package mutating func write(_ value: Double) {
        begin()
        bytes.append(contentsOf: JSONNumber.text(of: value).utf8)
    }

    package mutating func write(_ value: String) {
        begin()
        quote(value)
    }

    /// Writes bytes as text; invalid UTF-8 becomes U+FFFD.
    package mutating func write(utf8 value: Span<UInt8>) {
        begin()
        bytes.append(UInt8(ascii: "\""))
        JSONEscape.append(value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a complete value. The caller must limit its depth.
    package mutating func write(_ value: JSON) {
        switch value {
        case .null: writeNull()
        case .bool(let value): write(value)
        case .string(let value): write(value)
        case .number(let value):
            begin()
            bytes.append(contentsOf: value.text.utf8)
        case .array(let elements):
            beginArray()
            for element in elements { write(element) }
            endArray()
        case .object(let members):
            beginObject()
            for member in members { self.member(member.name, member.value) }
            endObject()
        }
    }

    private mutating func open(_ frame: Frame, _ bracket: UInt8) {
        begin()
        bytes.append(bracket)
        frames.append(frame)
        isFirst = true
    }

    private mutating func close(_ frame: Frame, _ bracket: UInt8) {
        precondition(frames.last == frame && !hasName, "What was opened last is closed first.")
        frames.removeLast()
        if !isFirst { breakLine() }
        bytes.append(bracket)
        isFirst = false
    }

    private mutating func begin() {
        if hasName {
            hasName = false
            return
        }
        precondition(frames.last != .object, "A value in an object has a name.")
        precondition(!frames.isEmpty || isFirst, "There is one value to a line.")
        if frames.isEmpty { isFirst = false } else { separate() }
    }

    private mutating func separate() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        breakLine()
    }

    private mutating func breakLine() {
        guard form == .pretty else { return }
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: frames.count * 2))
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        JSONEscape.append(text, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }
}

extension JSONWriter {
    package mutating func member(_ name: String, _ value: String) {
        self.name(name)
        write(value)
    }

    package mutating func member(_ name: String, _ value: Int) {
        self.name(name)
        write(value)
    }

    package mutating func member(_ name: String, _ value: Double) {
        self.name(name)
        write(value)
    }

    package mutating func member(_ name: String, _ value: Bool) {
        self.name(name)
        write(value)
    }

    package mutating func member(_ name: String, _ value: JSON) {
        self.name(name)
        write(value)
    }

    package mutating func object<Failure: Error>(
        _ name: String, _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        self.name(name)
        beginObject()
        try body(&self)
        endObject()
    }

    package mutating func array<Failure: Error>(
        _ name: String, _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        self.name(name)
        beginArray()
        try body(&self)
        endArray()
    }

    package mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginObject()
        try body(&self)
        endObject()
    }
}

enum JSONEscape {
    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        // Nearly all names and values are plain ASCII and are copied in one piece.
        let isDone = text.withUTF8 { utf8 in
            guard PlainRun.end(in: unsafe utf8.span, from: 0) == utf8.count else { return false }
            unsafe bytes.append(contentsOf: utf8)
            return true
        }
        if !isDone {
            for scalar in text.unicodeScalars { append(scalar, to: &bytes) }
        }
    }

    static func append(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
        var index = 0
        while index < text.count {
            let (scalar, length) = UTF8Walk.next(in: text, at: index)
            append(scalar ?? "\u{FFFD}", to: &bytes)
            index += length
        }
    }

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar {
        case "\"": bytes.append(contentsOf: "\\\"".utf8)
        case "\\": bytes.append(contentsOf: "\\\\".utf8)
        case "\n": bytes.append(contentsOf: "\\n".utf8)
        case "\r": bytes.append(contentsOf: "\\r".utf8)
        case "\t": bytes.append(contentsOf: "\\t".utf8)
        default:
            guard scalar.isHidden else {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                return
            }
            // All hidden characters are below U+FFFF, so one escape is enough.
            bytes.append(contentsOf: "\\u".utf8)
            bytes.append(contentsOf: Hexadecimal.text(scalar.value, width: 4).utf8)
        }
    }
}

/// The parts of a JSON string that need no escape: ASCII without quotes, backslashes and hidden
/// characters. Nearly all names and values consist of one such part.
enum PlainRun {
    /// Returns the index of the first byte from `start` on that is not plain, or the byte count.
    static func end(in bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        unsafe bytes.withUnsafeBytes { bytes in
            while index + 8 <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                let marks = marks(of: UInt64(littleEndian: word))
                guard marks == 0 else {
                    index += marks.trailingZeroBitCount / 8
                    return
                }
                index += 8
            }
            while index < bytes.count, isPlain(unsafe bytes[index]) { index += 1 }
        }
        return index
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// Sets the highest bit of each byte that is not plain. Bytes above the first such byte may be
    /// marked by mistake, because of borrows.
    private static func marks(of word: UInt64) -> UInt64 {
        func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
        let hidden = (word &- ones &* 0x20) & ~word
        let quotes = zeros(word ^ ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = zeros(word ^ ones &* UInt64(UInt8(ascii: "\\")))
        let deletes = zeros(word ^ ones &* 0x7F)
        return (hidden | quotes | backslashes | deletes | word) & (ones &* 0x80)
    }
}
