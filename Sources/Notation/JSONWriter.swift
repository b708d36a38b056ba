/// Writes JSON piece by piece into bytes, in the order of the calls.
///
/// Hidden characters leave as `\u` escapes, so that a record can be shown on a terminal as it
/// is. The caller closes what it opens; a call out of place is a fault of ours and stops.
package struct JSONWriter: Sendable {
    /// How much room the text takes.
    package enum Form: Sendable {
        /// No space and no line break.
        case compact
        /// Two spaces a level, one value a line.
        case pretty
    }

    private enum Frame {
        case object, array
    }

    /// What was written so far.
    package private(set) var bytes: [UInt8] = []
    private let form: Form
    private var frames: [Frame] = []
    private var isFirst = true
    private var hasName = false

    /// An empty writer.
    package init(_ form: Form = .compact) {
        self.form = form
    }

    /// Ends the line after a whole value, as one JSON object a line wants it.
    package mutating func endLine() {
        precondition(frames.isEmpty, "A line ends only after a whole value.")
        bytes.append(0x0A)
        isFirst = true
    }

    /// Hands over the bytes and begins anew.
    package mutating func take() -> [UInt8] {
        precondition(frames.isEmpty, "Only whole values are taken.")
        defer {
            bytes.removeAll(keepingCapacity: true)
            isFirst = true
        }
        return bytes
    }

    /// Opens a brace; names and values follow in turn.
    package mutating func beginObject() { open(.object, UInt8(ascii: "{")) }
    /// Closes the brace that was opened last.
    package mutating func endObject() { close(.object, UInt8(ascii: "}")) }
    /// Opens a bracket; values follow.
    package mutating func beginArray() { open(.array, UInt8(ascii: "[")) }
    /// Closes the bracket that was opened last.
    package mutating func endArray() { close(.array, UInt8(ascii: "]")) }

    /// The name of the member whose value comes next.
    package mutating func name(_ name: String) {
        precondition(frames.last == .object && !hasName, "A name stands in an object.")
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        if form == .pretty { bytes.append(0x20) }
        hasName = true
    }

    /// The word for nothing.
    package mutating func writeNull() {
        begin()
        bytes.append(contentsOf: "null".utf8)
    }

    /// `true` or `false`.
    package mutating func write(_ value: Bool) {
        begin()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// Decimal digits.
    package mutating func write(_ value: Int) {
        begin()
        bytes.append(contentsOf: String(value).utf8)
    }

    /// The shortest digits that read back as the same value; `null` if it is not finite.
    package mutating func write(_ value: Double) {
        begin()
        bytes.append(contentsOf: JSONNumber.text(of: value).utf8)
    }

    /// A text in quotes, hidden characters escaped.
    package mutating func write(_ value: String) {
        begin()
        quote(value)
    }

    /// Bytes that should be UTF-8; what is not becomes U+FFFD.
    package mutating func write(utf8 value: Span<UInt8>) {
        begin()
        bytes.append(UInt8(ascii: "\""))
        JSONEscape.append(value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// A whole value. Its depth is bounded by whoever built it.
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
    /// A name and a text.
    package mutating func member(_ name: String, _ value: String) {
        self.name(name)
        write(value)
    }

    /// A name and an integer.
    package mutating func member(_ name: String, _ value: Int) {
        self.name(name)
        write(value)
    }

    /// A name and a number, `null` if it is not finite.
    package mutating func member(_ name: String, _ value: Double) {
        self.name(name)
        write(value)
    }

    /// A name and a truth value.
    package mutating func member(_ name: String, _ value: Bool) {
        self.name(name)
        write(value)
    }

    /// A name and a whole value of any kind.
    package mutating func member(_ name: String, _ value: JSON) {
        self.name(name)
        write(value)
    }

    /// A member that holds an object, filled by `body`.
    package mutating func object<Failure: Error>(
        _ name: String, _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        self.name(name)
        beginObject()
        try body(&self)
        endObject()
    }

    /// A member that holds an array, filled by `body`.
    package mutating func array<Failure: Error>(
        _ name: String, _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        self.name(name)
        beginArray()
        try body(&self)
        endArray()
    }

    /// An object as a whole line or as an element, filled by `body`.
    package mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginObject()
        try body(&self)
        endObject()
    }
}

/// The inside of a JSON string.
enum JSONEscape {
    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        // Plain ASCII, which nearly all names and values are, goes over in one piece.
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
            // Every hidden character lies below U+FFFF, so one escape is enough.
            bytes.append(contentsOf: "\\u".utf8)
            bytes.append(contentsOf: Hexadecimal.text(scalar.value, width: 4).utf8)
        }
    }
}

/// The stretches of a JSON string that stand for themselves: ASCII without quotes, backslashes and
/// hidden characters. Nearly all names and values are one.
enum PlainRun {
    /// Where the first byte at or after `start` stands that is not plain; the count where all are.
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

    /// The highest bit of each byte that is not plain. Above the first of them others may be marked
    /// that are: a borrow went through them.
    private static func marks(of word: UInt64) -> UInt64 {
        func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
        let hidden = (word &- ones &* 0x20) & ~word
        let quotes = zeros(word ^ ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = zeros(word ^ ones &* UInt64(UInt8(ascii: "\\")))
        let deletes = zeros(word ^ ones &* 0x7F)
        return (hidden | quotes | backslashes | deletes | word) & (ones &* 0x80)
    }
}
