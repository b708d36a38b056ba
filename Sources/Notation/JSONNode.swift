/// A value of a document with its line, from which the values in it are reached one by one.
package struct JSONNode: Sendable {
    package let value: JSON
    private let lines: JSONDocument.Lines

    init(_ value: JSON, _ lines: JSONDocument.Lines) {
        self.value = value
        self.lines = lines
    }

    /// Counted from one.
    package var line: Int { lines.line }

    /// What the braces hold, in the order written; nothing for other kinds.
    package var members: [(name: String, node: JSONNode)] {
        guard case .object(let members) = value, members.count == lines.children.count else {
            return []
        }
        return zip(members, lines.children).map { ($0.name, JSONNode($0.value, $1)) }
    }

    /// The member under `name`; costs a walk over the members.
    package subscript(name: String) -> JSONNode? {
        members.first { $0.name == name }?.node
    }
}

extension JSONDocument {
    /// The value of the whole text.
    package var node: JSONNode { JSONNode(root, lines) }
}
