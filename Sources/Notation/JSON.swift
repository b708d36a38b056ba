/// A JSON value whose members keep the order in which they were written.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSON])
    case object([Member])

    /// One name and its value in an object.
    package struct Member: Hashable, Sendable {
        /// Any text, empty too; unique only in objects that were parsed.
        package var name: String
        /// What stands behind the colon.
        package var value: JSON

        /// A pair ready to be put into an object.
        package init(_ name: String, _ value: JSON) {
            self.name = name
            self.value = value
        }
    }
}

extension JSON {
    /// The value under `name`, if this is an object that has it; costs a walk over the members.
    package subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The element at `index`, if this is an array that reaches so far.
    package subscript(index: Int) -> JSON? {
        guard case .array(let elements) = self, elements.indices.contains(index) else {
            return nil
        }
        return elements[index]
    }

    /// What stands at the end of a path of member names and array indices.
    package subscript(path path: [String]) -> JSON? {
        var value = self
        for step in path {
            guard let next = value[step] ?? Int(step).flatMap({ value[$0] }) else { return nil }
            value = next
        }
        return value
    }

    /// True for the word `null`, not for a member that is missing.
    package var isNull: Bool { self == .null }

    /// Nil for everything but `true` and `false`.
    package var boolValue: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The text without quotes and escapes; nil for other kinds.
    package var stringValue: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The digits as written; nil for other kinds.
    package var numberValue: JSONNumber? {
        guard case .number(let value) = self else { return nil }
        return value
    }

    /// The number as an integer; nil for anything that is not exactly one.
    package var intValue: Int? { numberValue?.int }

    /// The number as the nearest double; nil where it would be infinite.
    package var doubleValue: Double? { numberValue?.double }

    /// What the brackets hold; nil for other kinds.
    package var elements: [JSON]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// What the braces hold, in the order written; nil for other kinds.
    package var members: [Member]? {
        guard case .object(let value) = self else { return nil }
        return value
    }

    /// The kind of the value with its article, as error messages name it.
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

    /// The value on one line, without spaces.
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
    /// `nil` in source text.
    package init(nilLiteral: ()) {
        self = .null
    }

    /// `true` and `false` in source text.
    package init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// Digits in source text.
    package init(integerLiteral value: Int) {
        self = .number(JSONNumber(value))
    }

    /// Digits with a fraction in source text.
    package init(floatLiteral value: Double) {
        self = .number(JSONNumber(value))
    }

    /// Quoted words in source text.
    package init(stringLiteral value: String) {
        self = .string(value)
    }

    /// Brackets in source text.
    package init(arrayLiteral elements: JSON...) {
        self = .array(elements)
    }

    /// Names and values in brackets, whose order is kept.
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}

/// A JSON number in the digits it was written with, so that nothing is lost on the way through.
///
/// Two numbers are equal when their texts are: `1.0` and `1` are different.
package struct JSONNumber: Hashable, Sendable {
    /// The digits as written.
    package let text: String

    /// The decimal digits of an integer.
    package init(_ value: Int) {
        text = String(value)
    }

    /// The decimal digits of a count that may pass the largest `Int`.
    package init(_ value: UInt64) {
        text = String(value)
    }

    /// The shortest digits that read back as the same double; a number that is not finite, which
    /// JSON cannot say, becomes `null` as most writers do.
    package init(_ value: Double) {
        text = Self.text(of: value)
    }

    /// Text that the parser found to be a number.
    init(checked text: String) {
        self.text = text
    }

    /// The value, if the text is a whole number that fits; `1.0` and `1e2` are whole too.
    package var int: Int? {
        if let value = Int(text) { return value }
        guard let value = double, value.magnitude < 9_007_199_254_740_992 else { return nil }
        return Int(exactly: value)
    }

    /// The nearest double, if it is finite.
    package var double: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// Whole values below 2^53 are written without a fraction: `2`, not `2.0`.
    static func text(of value: Double) -> String {
        guard value.isFinite else { return "null" }
        if value.magnitude < 9_007_199_254_740_992, let whole = Int(exactly: value) {
            return String(whole)
        }
        return value.description
    }
}

extension JSON {
    /// A scale as people write it: 2, not 2.0.
    package static func number(ofScale scale: Double) -> JSON {
        .number(Int(exactly: scale).map { JSONNumber($0) } ?? JSONNumber(scale))
    }
}

/// A JSON value together with the line on which each part of it stands.
package struct JSONDocument: Sendable {
    /// The value of the whole text.
    package let root: JSON
    let lines: Lines

    /// The line of a value and of what is in it, in the order of its members or elements.
    struct Lines: Sendable {
        var line: Int
        var children: [Lines] = []
    }

    /// The line, counted from one, of the value at the end of a path of member names and array
    /// indices; nil where the path leads nowhere.
    package func line(of path: [String]) -> Int? {
        var value = root
        var node = lines
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
