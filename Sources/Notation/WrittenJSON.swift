import Glibc

/// Reads the output of `JSONWriter` in compact form, in the order of its calls.
///
/// Only the writer's exact bytes are accepted: a space, another order or another spelling throws.
/// Writing the values again therefore gives the same bytes.
package struct WrittenJSON: ~Escapable {
    /// The error for a text that has another value than requested, or is spelt otherwise than by
    /// the writer.
    package struct Otherwise: Error {
        package init() {}
    }

    private let bytes: Span<UInt8>
    private var position = 0
    /// Whether the next member or element is the first after an opening bracket.
    private var isFirst = true

    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    package mutating func beginObject() throws(Otherwise) { try open(UInt8(ascii: "{")) }

    package mutating func beginArray() throws(Otherwise) { try open(UInt8(ascii: "[")) }

    /// Reads the closing brace of an object, which must have no further members.
    package mutating func endObject() throws(Otherwise) {
        guard take(UInt8(ascii: "}")) else { throw Otherwise() }
        isFirst = false
    }

    /// Advances to the next element; returns false at the end of the array.
    package mutating func nextElement() throws(Otherwise) -> Bool {
        if take(UInt8(ascii: "]")) {
            isFirst = false
            return false
        }
        guard isFirst || take(UInt8(ascii: ",")) else { throw Otherwise() }
        return true
    }

    /// Advances to the next member's value if the member has this name.
    package mutating func has(_ name: StaticString) -> Bool {
        let start = isFirst ? position : position + 1
        let colon = start + name.utf8CodeUnitCount + 2
        guard colon < bytes.count, isFirst || bytes[position] == UInt8(ascii: ","),
            bytes[start] == UInt8(ascii: "\""), bytes[colon - 1] == UInt8(ascii: "\""),
            bytes[colon] == UInt8(ascii: ":")
        else { return false }
        let isSame = unsafe bytes.extracting(start + 1..<colon - 1).withUnsafeBytes { part in
            guard let start = part.baseAddress else { return true }
            return unsafe memcmp(start, name.utf8Start, part.count) == 0
        }
        guard isSame else { return false }
        position = colon + 1
        return true
    }

    /// Advances to the next member's value; the member must have this name.
    package mutating func name(_ name: StaticString) throws(Otherwise) {
        guard has(name) else { throw Otherwise() }
    }

    /// Reads the name of the next member, or returns nil at the end of the object.
    package mutating func nextName() throws(Otherwise) -> String? {
        if take(UInt8(ascii: "}")) {
            isFirst = false
            return nil
        }
        guard isFirst || take(UInt8(ascii: ",")) else { throw Otherwise() }
        let name = try string()
        guard take(UInt8(ascii: ":")) else { throw Otherwise() }
        return name
    }

    package mutating func string(_ name: StaticString) throws(Otherwise) -> String {
        try self.name(name)
        return try string()
    }

    package mutating func int(_ name: StaticString) throws(Otherwise) -> Int {
        try self.name(name)
        return try int()
    }

    package mutating func string() throws(Otherwise) -> String {
        let end = PlainRun.end(in: bytes, from: position + 1)
        guard end < bytes.count, bytes[position] == UInt8(ascii: "\""),
            bytes[end] == UInt8(ascii: "\"")
        else {
            // The text has escapes or characters beyond ASCII.
            guard let text = try value().stringValue else { throw Otherwise() }
            return text
        }
        let text = text(position + 1..<end)
        position = end + 1
        isFirst = false
        return text
    }

    package mutating func bool() throws(Otherwise) -> Bool {
        guard let value = try value().boolValue else { throw Otherwise() }
        return value
    }

    package mutating func int() throws(Otherwise) -> Int {
        let isNegative = take(UInt8(ascii: "-"))
        let start = position
        var value = 0
        while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"),
            digit < 10
        {
            let (tens, isTooMuch) = value.multipliedReportingOverflow(by: 10)
            let (sum, isMore) =
                isNegative
                ? tens.subtractingReportingOverflow(Int(digit))
                : tens.addingReportingOverflow(Int(digit))
            guard !isTooMuch, !isMore else { throw Otherwise() }
            value = sum
            position += 1
        }
        let hasLeadingZero = position > start + 1 && bytes[start] == UInt8(ascii: "0")
        guard position > start, !hasLeadingZero, value != 0 || !isNegative else {
            throw Otherwise()
        }
        isFirst = false
        return value
    }

    package mutating func scale() throws(Otherwise) -> Double {
        let end = valueEnd
        let digits = text(position..<end)
        guard let scale = Double(digits),
            JSON.number(ofScale: scale) == .number(JSONNumber(checked: digits))
        else { throw Otherwise() }
        position = end
        isFirst = false
        return scale
    }

    package mutating func value() throws(Otherwise) -> JSON {
        let part = bytes.extracting(position..<valueEnd)
        guard let value = try? JSONParser.parse(part) else { throw Otherwise() }
        var writer = JSONWriter()
        writer.write(value)
        guard writer.bytes.count == part.count,
            writer.bytes.indices.allSatisfy({ writer.bytes[$0] == part[$0] })
        else { throw Otherwise() }
        position += part.count
        isFirst = false
        return value
    }

    package var isAtEnd: Bool { position == bytes.count }

    private var valueEnd: Int {
        var index = position
        var depth = 0
        var isQuoted = false
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\") where isQuoted: index += 1
            case UInt8(ascii: "\""):
                isQuoted.toggle()
                if !isQuoted, depth == 0 { return index + 1 }
            case _ where isQuoted: break
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","):
                if depth == 0 { return index }
                if bytes[index] != UInt8(ascii: ",") { depth -= 1 }
            default: break
            }
            index += 1
        }
        return bytes.count
    }

    private func text(_ range: Range<Int>) -> String {
        unsafe bytes.extracting(range).withUnsafeBufferPointer { part in
            unsafe String(decoding: part, as: UTF8.self)
        }
    }

    private mutating func open(_ bracket: UInt8) throws(Otherwise) {
        guard take(bracket) else { throw Otherwise() }
        isFirst = true
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }
}
