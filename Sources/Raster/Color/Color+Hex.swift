extension Color {
    /// Reads `#RGB`, `#RRGGBB` or `#RRGGBBAA`, and nothing else.
    package init?(hex: String) {
        let text = Array(hex.utf8)
        guard text.first == UInt8(ascii: "#") else { return nil }
        var digits: [UInt8] = []
        for byte in text.dropFirst() {
            guard let digit = Color.digit(byte) else { return nil }
            digits.append(digit)
        }
        switch digits.count {
        case 3:
            self.init(red: digits[0] * 17, green: digits[1] * 17, blue: digits[2] * 17)
        case 6, 8:
            self.init(
                red: digits[0] << 4 | digits[1], green: digits[2] << 4 | digits[3],
                blue: digits[4] << 4 | digits[5],
                alpha: digits.count == 8 ? digits[6] << 4 | digits[7] : 255)
        default:
            return nil
        }
    }

    /// `#RRGGBB` in capitals, with `AA` after it where the colour is not opaque.
    package var hex: String {
        let letters = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = [UInt8(ascii: "#")]
        for channel in alpha == 255 ? [red, green, blue] : [red, green, blue, alpha] {
            text.append(letters[Int(channel >> 4)])
            text.append(letters[Int(channel & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

extension Color: CustomStringConvertible {
    package var description: String { hex }
}
