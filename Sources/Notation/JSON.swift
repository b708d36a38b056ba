/// A JSON value whose members keep the order in which they were written.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSON])
    case object([Member])

    package struct Member: Hashable, Sendable {
        /// Any text, including an empty text; unique only in parsed objects.
        package var name: String
        package var value: JSON

        package init(_ name: String, _ value: JSON) {
            self.name = name
            self.value = value
        }
    }
}

extension JSON {
    /// The value under `name`, or nil; searches all members.
    package subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    package subscript(index: Int) -> JSON? {
        guard case .array(let elements) = self, elements.indices.contains(index) else {
            return nil
        }
        return elements[index]
    }

    /// The value at the end of a path of member names and array indices.
    package subscript(path path: [String]) -> JSON? {
        var value = self
        for step in path {
            guard let next = value[step] ?? Int(step).flatMap({ value[$0] }) else { return nil }
            value = next
        }
        return value
    }

    package var isNull: Bool { self == .null }

    package var boolValue: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The text without quotes and escapes; nil for other kinds.
    package var stringValue: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The number with the digits as written; nil for other kinds.
    package var numberValue: JSONNumber? {
        guard case .number(let value) = self else { return nil }
        return value
    }

    /// The number as an integer, if it is one exactly.
    package var intValue: Int? { numberValue?.int }

    /// The number as the nearest double; nil if it would be infinite.
    package var doubleValue: Double? { numberValue?.double }

    package var elements: [JSON]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The members in the order written; nil for other kinds.
    package var members: [Member]? {
        guard case .object(let value) = self else { return nil }
        return value
    }

    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    package var text: String {
        var writer = JSONWriter()
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) {
        self = .null
    }

    package init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    package init(integerLiteral value: Int) {
        self = .number(JSONNumber(value))
    }

    package init(floatLiteral value: Double) {
        self = .number(JSONNumber(value))
    }

    package init(stringLiteral value: String) {
        self = .string(value)
    }

    package init(arrayLiteral elements: JSON...) {
        self = .array(elements)
    }

    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}

/// A JSON number with the digits it was written with, so that no precision is lost.
///
/// Numbers are equal if their texts are equal: `1.0` and `1` differ.
package struct JSONNumber: Hashable, Sendable {
    package let text: String

    package init(_ value: Int) {
        text = String(value)
    }

    /// A count that may exceed the largest `Int`.
    package init(_ value: UInt64) {
        text = String(value)
    }

    /// The shortest digits that read back as the same double; `null` if the number is not finite.
    package init(_ value: Double) {
        text = Self.text(of: value)
    }

    /// Takes a text that the parser has checked.
    init(checked text: String) {
        self.text = text
    }

    /// The value, if the text is a whole number in range; `1.0` and `1e2` are whole too.
    package var int: Int? {
        if let value = Int(text) { return value }
        guard let value = double, value.magnitude < 9_007_199_254_740_992 else { return nil }
        return Int(exactly: value)
    }

    package var double: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// Formats a double; whole values below 2^53 have no fraction (`2`, not `2.0`).
    static func text(of value: Double) -> String {
        guard value.isFinite else { return "null" }
        if value.magnitude < 9_007_199_254_740_992, let whole = Int(exactly: value) {
            return String(whole)
        }
        return value.description
    }
}

extension JSON {
    /// Formats a scale without a needless fraction: 2, not 2.0.
    package static func number(ofScale scale: Double) -> JSON {
        .number(Int(exactly: scale).map { JSONNumber($0) } ?? JSONNumber(scale))
    }
}

/// A parsed text, with the line of each value.
package struct JSONDocument: Sendable {
    package let root: JSON
    let lineTree: LineTree

    /// The line of a value, and of each value inside it.
    struct LineTree: Sendable {
        var line: Int
        var children: [LineTree] = []
    }

    /// Returns the line, counted from one, of the value at the end of a path of member names and
    /// array indices; nil if there is none.
    package func line(of path: [String]) -> Int? {
        var value = root
        var node = lineTree
        for step in path {
            let index: Int?
            switch value {
            case .object(let members): index = members.firstIndex { $0.name == step }
            case .array: index = Int(step)
            default: index = nil
            }
            guard let index, node.children.indices.contains(index) else { return nil }
            node = node.children[index]
            switch value {
            case .object(let members): value = members[index].value
            case .array(let elements): value = elements[index]
            default: return nil
            }
        }
        return node.line
    }
}
