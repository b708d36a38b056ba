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
