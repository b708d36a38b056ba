import Notation

/// Named values that a command prints as JSON or as lines of text.
extension [JSON.Member] {
    var jsonLine: String {
        var json = JSONWriter()
        json.object { json in
            for member in self { json.member(member.name, member.value) }
        }
        json.endLine()
        return String(decoding: json.take(), as: UTF8.self)
    }

    /// Returns a line for each value, with the names of the members that lead to it.
    func lines(indent: String) -> String {
        map { Self.lines(indent + $0.name, $0.value) }.joined()
    }

    private static func lines(_ name: String, _ value: JSON) -> String {
        func line(_ name: String, _ text: String) -> String {
            name + String(repeating: " ", count: Swift.max(2, 26 - name.count))
                + PrintableText.escaped(text) + "\n"
        }
        func word(_ value: JSON) -> String { value.stringValue ?? value.text }
        if let members = value.members { return members.lines(indent: name + " ") }
        guard let elements = value.elements else { return line(name, word(value)) }
        guard elements.contains(where: { $0.members != nil }) else {
            return line(name, elements.map(word).joined(separator: " "))
        }
        return elements.map { element in
            let parts = (element.members ?? []).filter { $0.value.elements == nil }
            let rest = parts.dropFirst().map { "\($0.name) \(word($0.value))" }
            return line(
                "\(name) \(parts.first.map { word($0.value) } ?? "")",
                rest.joined(separator: ", "))
        }.joined()
    }
}

extension JSON {
    static func whole(_ value: Int) -> JSON { .number(JSONNumber(value)) }
}
