import Notation

/// Finds the tokens in a file, in plain form and in the W3C form, also mixed.
///
/// A group is an object; its members' names are joined by dots, so a name with dots in it says the
/// same as nested groups. A token is a string or number, a W3C object with `$value` (or `$ref`), a
/// colour or dimension object as of 2025.10, or an object with nothing but `light` and `dark`,
/// each a value of any of these forms. A value without schemes holds in both.
struct TokenReader {
    /// Every token found, in the order of the file.
    private(set) var tokens: [(path: String, definition: TokenDefinition)] = []
    private(set) var warnings: [ThemeWarning] = []
    private let document: JSONDocument
    private let file: String
    private let kinds: [String: TokenKind]

    /// Reads `bytes`; `kinds` are the tokens that must not be groups.
    init(_ bytes: Span<UInt8>, file: String, kinds: [String: TokenKind]) throws(ThemeError) {
        do throws(JSONError) {
            document = try JSONParser.document(
                bytes, limits: JSONLimits(bytes: 4 << 20, depth: 64, values: 200_000))
        } catch {
            throw .badJSON(file: file, error)
        }
        self.file = file
        self.kinds = kinds
        guard case .object = document.root else {
            throw .wrongType(
                place([], path: "(root)"), expected: "an object", found: document.root.kind)
        }
        try walk(document.root, names: [], type: nil)
    }

    private mutating func walk(_ value: JSON, names: [String], type: String?) throws(ThemeError) {
        guard case .object(let members) = value, !Self.isValue(members) else {
            add(value, names: names, type: type)
            return
        }
        let path = Self.path(names)
        if let kind = kinds[path] {
            throw .wrongType(place(names, path: path), expected: kind.name, found: "a group")
        }
        let type = value["$type"]?.stringValue ?? type
        for member in members {
            if member.name == "$root" || !member.name.hasPrefix("$") {
                try walk(member.value, names: names + [member.name], type: type)
            } else if member.name == "$extends" {
                warnings.append(
                    ThemeWarning(
                        place: place(names, path: path), reason: "$extends is not followed"))
            }
        }
    }

    /// An object that stands for one value rather than for a group.
    private static func isValue(_ members: [JSON.Member]) -> Bool {
        func has(_ name: String) -> Bool { members.contains { $0.name == name } }
        return has("$value") || has("$ref") || has("colorSpace") || has("value") && has("unit")
            || isSchemes(members)
    }

    private static func isSchemes(_ members: [JSON.Member]) -> Bool {
        !members.isEmpty && members.allSatisfy { ColorScheme(rawValue: $0.name) != nil }
    }

    private mutating func add(_ value: JSON, names: [String], type: String?) {
        let path = Self.path(names)
        var written = TokenDefinition.Written(
            value: value, type: type, place: place(names, path: path))
        Self.unwrap(&written)
        var definition = TokenDefinition()
        if case .object(let members) = written.value, Self.isSchemes(members) {
            for member in members {
                var one = written
                one.value = member.value
                one.place.line = document.line(of: names + [member.name]) ?? one.place.line
                Self.unwrap(&one)
                if member.name == ColorScheme.dark.rawValue {
                    definition.dark = one
                } else {
                    definition.light = one
                }
            }
        } else {
            definition.light = written
            definition.dark = written
        }
        tokens.append((path, definition))
    }

    /// Takes a value out of its W3C object.
    private static func unwrap(_ written: inout TokenDefinition.Written) {
        guard let inner = written.value["$value"] else { return }
        written.type = written.value["$type"]?.stringValue ?? written.type
        written.value = inner
    }

    private static func path(_ names: [String]) -> String {
        names.filter { $0 != "$root" }.joined(separator: ".")
    }

    private func place(_ names: [String], path: String) -> TokenPlace {
        TokenPlace(file: file, path: path, line: document.line(of: names) ?? 1)
    }
}
