/// A straight (not premultiplied) sRGB colour, eight bits a channel.
public struct Color: Hashable, Sendable {
    /// The red channel, from 0 to 255.
    public var red: UInt8
    /// The green channel, from 0 to 255.
    public var green: UInt8
    /// The blue channel, from 0 to 255.
    public var blue: UInt8
    /// The opacity, from 0 (transparent) to 255 (opaque).
    public var alpha: UInt8

    /// Creates a colour from its channels.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    package static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
    package static let black = Color(red: 0, green: 0, blue: 0)
    package static let white = Color(red: 255, green: 255, blue: 255)
}

extension Color {
    /// The relative luminance of WCAG 2, 0 (black) to 1 (white); alpha is ignored.
    package var relativeLuminance: Double {
        0.2126 * SRGBCurve.linear(red) + 0.7152 * SRGBCurve.linear(green)
            + 0.0722 * SRGBCurve.linear(blue)
    }

    /// Returns the contrast ratio of WCAG 2, 1 to 21, independent of the order of the two colours.
    public func contrast(against other: Color) -> Double {
        let (first, second) = (relativeLuminance, other.relativeLuminance)
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }
}

extension Color {
    /// Creates a colour from `#RGB`, `#RRGGBB` or `#RRGGBBAA`. Other texts give `nil`.
    public init?(hex: String) {
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

    /// The colour as `#RRGGBB` in capitals, followed by `AA` if it is not opaque.
    public var hex: String {
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
    public var description: String { hex }
}

extension Color {
    package var premultiplied: Color {
        Color(
            red: product255(red, alpha), green: product255(green, alpha),
            blue: product255(blue, alpha), alpha: alpha)
    }

    /// Returns the straight colour that results from compositing this colour over `backdrop`.
    package func over(_ backdrop: Color) -> Color {
        let (front, back) = (Int(alpha), Int(backdrop.alpha))
        // The weights are in units of 1/65,025 (255²), so that only the last division rounds.
        let weight = front * 255
        let rest = back * (255 - front)
        let total = weight + rest
        guard total > 0 else { return .clear }
        func mix(_ top: UInt8, _ bottom: UInt8) -> UInt8 {
            UInt8((Int(top) * weight + Int(bottom) * rest + total / 2) / total)
        }
        return Color(
            red: mix(red, backdrop.red), green: mix(green, backdrop.green),
            blue: mix(blue, backdrop.blue), alpha: UInt8((total + 127) / 255))
    }

    /// The four channels as one word, in the memory order of a buffer's pixel.
    var word: UInt32 {
        UInt32(
            littleEndian: UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16
                | UInt32(alpha) << 24)
    }
}

/// Returns `value` × `factor` / 255, rounded to the nearest.
@inline(__always)
func product255(_ value: UInt8, _ factor: UInt8) -> UInt8 {
    UInt8(truncatingIfNeeded: (UInt32(value) * UInt32(factor) + 127) / 255)
}

/// Scales all four channels of a pixel by `factor`/255, each rounded to the nearest.
///
/// Two channels share a 32-bit product. The shifts give exactly t / 255, rounded down, for every
/// sum t below 65,535.
@inline(__always)
func scaled(_ word: UInt32, by factor: UInt32) -> UInt32 {
    let even = (word & 0x00FF_00FF) &* factor &+ 0x007F_007F
    let odd = (word >> 8 & 0x00FF_00FF) &* factor &+ 0x007F_007F
    let low = (even &+ 0x0001_0001 &+ (even >> 8 & 0x00FF_00FF)) >> 8
    let high = odd &+ 0x0001_0001 &+ (odd >> 8 & 0x00FF_00FF)
    return low & 0x00FF_00FF | high & 0xFF00_FF00
}

/// Adds two pixels channel by channel; each sum is limited to 255.
@inline(__always)
func saturatingSum(_ first: UInt32, _ second: UInt32) -> UInt32 {
    let even = saturated((first & 0x00FF_00FF) &+ (second & 0x00FF_00FF))
    let odd = saturated((first >> 8 & 0x00FF_00FF) &+ (second >> 8 & 0x00FF_00FF))
    return even | odd << 8
}

/// Limits the two values in the 16-bit halves of `pair`, each at most 510, to 255.
@inline(__always)
private func saturated(_ pair: UInt32) -> UInt32 {
    let over = pair & 0x0100_0100
    return (pair | (over &- (over >> 8))) & 0x00FF_00FF
}

/// The transfer curve of sRGB, computed with exact IEEE operations only, because the last bit of
/// the C library's `pow` may differ between processors.
enum SRGBCurve {
    /// The linear light, 0 to 1, of each 8-bit sRGB value.
    static let light: [Double] = (0...255).map { value in
        let encoded = Double(value) / 255
        guard encoded > 0.04045 else { return encoded / 12.92 }
        let base = (encoded + 0.055) / 1.055
        return base * base * fifthRoot(base * base)
    }

    static func linear(_ value: UInt8) -> Double { light[Int(value)] }

    private static func fifthRoot(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        var root = 1.0
        // From 1 the estimate falls by at most a fifth per step; 64 steps are enough for every
        // value of the table.
        for _ in 0..<64 {
            root -= (root - value / (root * root * root * root)) / 5
        }
        return root
    }
}
