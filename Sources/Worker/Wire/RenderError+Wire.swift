import Codecs
import Render

extension WireWriter {
    package mutating func put(_ error: RenderError) {
        switch error {
        case .stopped: put(UInt8(0))
        case .encode(let reason): put(1, reason)
        case .decode(.notImage): put(UInt8(2))
        case .decode(.unsupported(let what)): put(3, what)
        case .decode(.truncated): put(UInt8(4))
        case .decode(.corrupt(let what)): put(5, what)
        case .decode(.limitPixels): put(UInt8(6))
        case .decode(.limitDecode(let what)): put(7, what)
        }
    }

    private mutating func put(_ tag: UInt8, _ text: String) {
        put(tag)
        put(text)
    }
}

extension WireReader {
    package mutating func renderError() throws(WireDamage) -> RenderError {
        switch try byte() {
        case 0: .stopped
        case 1: .encode(try plain())
        case 2: .decode(.notImage)
        case 3: .decode(.unsupported(try plain()))
        case 4: .decode(.truncated)
        case 5: .decode(.corrupt(try plain()))
        case 6: .decode(.limitPixels)
        case 7: .decode(.limitDecode(try plain()))
        default: throw WireDamage()
        }
    }

    /// Reads a text and removes terminal control characters.
    private mutating func plain() throws(WireDamage) -> String {
        var words = String.UnicodeScalarView()
        for scalar in try text().unicodeScalars {
            words.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return String(words)
    }
}
