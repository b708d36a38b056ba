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
