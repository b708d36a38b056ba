import Render
import Theming

extension WireWriter {
    /// Writes every token with its values; references are already resolved.
    package mutating func put(_ theme: Theme) {
        let pairs = zip(theme.resolved(.light), theme.resolved(.dark))
        put(list: Array(pairs)) { wire, pair in
            wire.put(pair.0.path)
            wire.put(pair.0.value)
            wire.put(pair.1.value)
        }
    }

    private mutating func put(_ value: TokenValue) {
        switch value {
        case .color(let color):
            put(UInt8(0))
            put(color)
        case .dimension(let points):
            put(UInt8(1))
            put(points)
        }
    }
}

extension WireReader {
    package mutating func theme() throws(WireDamage) -> Theme {
        Theme(
            resolved: try list(limit: .max) { wire throws(WireDamage) in
                (path: try wire.text(), light: try wire.token(), dark: try wire.token())
            })
    }

    private mutating func token() throws(WireDamage) -> TokenValue {
        switch try byte() {
        case 0: .color(try color())
        case 1: .dimension(try real())
        default: throw WireDamage()
        }
    }
}
