import Notation
import Raster

/// A reference to a token, or to a part of its value.
struct TokenReference: Hashable {
    var path: String
    /// The names and indices that lead from the token's value to the part.
    var property: [String] = []

    /// Parses `{a.b}`, or an object whose `$ref` is a JSON pointer such as `#/a/b/$value/alpha`;
    /// nil for literal values.
    init?(_ value: JSON) {
        switch value {
        case .string(let text): self.init(braces: text)
        case .object:
            guard let pointer = value["$ref"]?.stringValue else { return nil }
            self.init(pointer: pointer)
        default: return nil
        }
    }

    /// Parses the target of a group's `$extends` or `$ref`, in either form.
    init?(group text: String) {
        if let reference = TokenReference(braces: text) {
            self = reference
        } else if let reference = TokenReference(pointer: text) {
            self = reference
        } else {
            return nil
        }
    }

    private init?(braces text: String) {
        guard text.utf8.first == UInt8(ascii: "{"), text.utf8.last == UInt8(ascii: "}"),
            text.utf8.count > 2
        else { return nil }
        let inner = text.utf8.dropFirst().dropLast()
        path = String(Substring(inner))
        // `$root` names the token that has the path of the group itself.
        guard inner.contains(UInt8(ascii: "$")) else { return }
        path = path.split(separator: ".", omittingEmptySubsequences: false)
            .filter { $0 != "$root" }.joined(separator: ".")
    }

    private init?(pointer: String) {
        guard pointer.utf8.starts(with: "#/".utf8) else { return nil }
        let parts = pointer.utf8.dropFirst(2)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { Self.unescaped(Array($0)) }
        let end = parts.firstIndex(of: "$value") ?? parts.endIndex
        path = parts[..<end].filter { $0 != "$root" }.joined(separator: ".")
        property = Array(parts[end...].dropFirst())
    }

    /// Decodes a part of a pointer in a URL: percent signs first, then `~1` and `~0`.
    private static func unescaped(_ part: [UInt8]) -> String {
        let decoded = String(decoding: PercentCoding.decoded(part.span), as: UTF8.self)
        return decoded.replacing("~1", with: "/").replacing("~0", with: "~")
    }
}

extension TokenReference: CustomStringConvertible {
    var description: String {
        property.isEmpty ? path : path + ".$value." + property.joined(separator: ".")
    }
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
