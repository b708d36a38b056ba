import Notation
import Raster

/// The tokens of a file, in the plain form, in the W3C form, or in a mix of both.
///
/// A group is an object. Names are joined by dots, so a name with dots is equivalent to nested
/// groups. A token is a string, a number, a W3C object with `$value`, or a colour or dimension
/// object of 2025.10. A token, or its `$value`, may be an object with `light` and `dark`; a value
/// without a scheme applies to both schemes.
struct TokenReader {
    private static let valuesLimit = 200_000

    private(set) var tokens: [String: TokenDefinition] = [:]
    /// The paths of the tokens, in the order of the file.
    private(set) var paths: [String] = []
    private(set) var warnings: [ThemeWarning] = []
    private let file: String
    private let kinds: [String: TokenKind]

    /// Reads `bytes`; `kinds` lists the tokens that must not be groups.
    init(_ bytes: Span<UInt8>, file: String, kinds: [String: TokenKind]) throws(ThemeError) {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONParser.document(
                bytes, limits: JSONLimits(bytes: 4 << 20, depth: 64, values: Self.valuesLimit))
        } catch {
            throw .badJSON(file: file, error)
        }
        self.file = file
        self.kinds = kinds
        let root = document.node
        guard case .object = root.value else {
            throw .wrongType(
                TokenLocation(file: file, path: "(root)", line: root.line), expected: "an object",
                found: root.value.kind)
        }
        try readGroup(root, path: "", type: nil)
    }

    /// - Parameter type: The W3C type of the nearest group that has one.
    private mutating func readGroup(
        _ node: JSONNode, path: String, type: String?
    ) throws(ThemeError) {
        if let kind = kinds[path] {
            throw .wrongType(location(node, path), expected: kind.name, found: "a group")
        }
        let type = node.value["$type"]?.stringValue ?? type
        for (name, inner) in node.members where !name.hasPrefix("$") {
            let innerPath = path.isEmpty ? name : path + "." + name
            let isToken = Self.isValue(inner) || Self.hasSchemes(inner)
            if isToken {
                add(inner, path: innerPath, type: type)
            } else {
                try readGroup(inner, path: innerPath, type: type)
            }
        }
    }

    private mutating func add(_ node: JSONNode, path: String, type: String?) {
        let location = location(node, path)
        let written = TokenDefinition.Written(node, type: type, location: location)
        var definition = TokenDefinition(light: written, dark: written)
        let value = node["$value"] ?? node
        if Self.hasSchemes(value) {
            definition = TokenDefinition()
            for (name, inner) in value.members {
                guard let scheme = ColorScheme(rawValue: name) else { continue }
                var location = location
                location.line = inner.line
                let one = TokenDefinition.Written(
                    inner, type: written.type, isTypeOwn: written.isTypeOwn, location: location)
                definition.set(one, in: scheme)
            }
        } else if node["$value"] != nil,
            let child = node.members.first(where: { !$0.name.hasPrefix("$") })
        {
            let reason = "ignoring \(child.name): a token with $value cannot have other tokens"
            warnings.append(ThemeWarning(location: location, reason: reason))
        }
        if tokens.updateValue(definition, forKey: path) == nil { paths.append(path) }
    }

    private func location(_ node: JSONNode, _ path: String) -> TokenLocation {
        TokenLocation(file: file, path: path.isEmpty ? "(root)" : path, line: node.line)
    }

    private static func isValue(_ node: JSONNode) -> Bool {
        guard case .object(let members) = node.value else { return true }
        func has(_ name: String) -> Bool { members.contains { $0.name == name } }
        let childCount = members.count { !$0.name.hasPrefix("$") }
        return has("$value") || has("colorSpace")
            || has("value") && has("unit") && childCount == 2
    }

    /// Whether the node has a value for light, for dark, or for both, and nothing else.
    private static func hasSchemes(_ node: JSONNode) -> Bool {
        guard !isValue(node) else { return false }
        let children = node.members.filter { !$0.name.hasPrefix("$") }
        return !children.isEmpty
            && children.allSatisfy { ColorScheme(rawValue: $0.name) != nil && isValue($0.node) }
    }
}

/// The unparsed values of a token, one per scheme.
struct TokenDefinition: Sendable {
    var light: Written?
    var dark: Written?

    struct Written: Sendable {
        let value: JSON
        /// The W3C type of the token or of an enclosing group.
        let type: String?
        /// Whether the type is given at the token itself.
        let isTypeOwn: Bool
        let location: TokenLocation

        /// Unwraps the value of a W3C object. The type is that of the group or of the token in
        /// which the object is.
        init(_ node: JSONNode, type: String?, isTypeOwn: Bool = false, location: TokenLocation) {
            let own = node.value["$type"]?.stringValue
            value = node.value["$value"] ?? node.value
            self.type = own ?? type
            self.isTypeOwn = isTypeOwn || own != nil
            self.location = location
        }

        /// The path of the token to which the value refers, as in `{a.b}`; nil for literal values.
        var reference: String? {
            guard case .string(let text) = value, text.utf8.count > 2,
                text.utf8.first == UInt8(ascii: "{"), text.utf8.last == UInt8(ascii: "}")
            else { return nil }
            return String(Substring(text.utf8.dropFirst().dropLast()))
        }
    }

    /// Returns the value for a scheme; a missing value is replaced by the value of the other
    /// scheme.
    func written(in scheme: ColorScheme) -> Written? {
        switch scheme {
        case .light: light ?? dark
        case .dark: dark ?? light
        }
    }

    mutating func set(_ written: Written, in scheme: ColorScheme) {
        switch scheme {
        case .light: light = written
        case .dark: dark = written
        }
    }

    /// Returns this definition with the values of a later file. A value that the later file lacks
    /// is kept.
    func layered(with later: TokenDefinition) -> TokenDefinition {
        TokenDefinition(light: later.light ?? light, dark: later.dark ?? dark)
    }

    var location: TokenLocation? { (light ?? dark)?.location }
}

package enum TokenKind: String, Hashable, Sendable {
    case color, dimension

    package var name: String {
        switch self {
        case .color: "a colour"
        case .dimension: "a dimension"
        }
    }
}

package enum TokenValue: Hashable, Sendable {
    case color(Color)
    /// The length in points.
    case dimension(Double)

    package var kind: TokenKind {
        switch self {
        case .color: .color
        case .dimension: .dimension
        }
    }
}

extension TokenValue: CustomStringConvertible {
    /// The value as written in a theme file: `#RRGGBB`, `#RRGGBBAA` or a number.
    package var description: String {
        switch self {
        case .color(let color): color.hex
        case .dimension(let value):
            value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : "\(value)"
        }
    }
}
