import Raster

/// What a token may be.
package enum TokenKind: String, Hashable, Sendable {
    case color, dimension

    /// The kind with its article, for messages.
    package var name: String {
        switch self {
        case .color: "a colour"
        case .dimension: "a dimension"
        }
    }
}

/// What a token is in the end, when all references are followed.
package enum TokenValue: Hashable, Sendable {
    case color(Color)
    /// In points.
    case dimension(Double)

    package var kind: TokenKind {
        switch self {
        case .color: .color
        case .dimension: .dimension
        }
    }
}

extension TokenValue: CustomStringConvertible {
    /// As a theme file would write it: `#RRGGBB`, `#RRGGBBAA` or a number.
    package var description: String {
        switch self {
        case .color(let color): color.hex
        case .dimension(let value):
            value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : "\(value)"
        }
    }
}
