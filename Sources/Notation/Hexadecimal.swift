/// The sixteen digits, read and written.
package enum Hexadecimal {
    /// 0 to 15 for an ASCII digit of either case.
    package static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The lower-case ASCII digit of the low four bits.
    package static func digit(_ value: UInt8) -> UInt8 {
        let low = value & 15
        return low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10
    }

    /// `value` in at least `width` digits.
    package static func text(_ value: UInt32, width: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// All sixteen digits of `value`.
    package static func text(_ value: UInt64) -> String {
        text(UInt32(truncatingIfNeeded: value >> 32), width: 8)
            + text(UInt32(truncatingIfNeeded: value), width: 8)
    }
}
