/// The bytes of a `data:` address as it stands in an attribute.
enum DataAddress {
    /// An address as a reader of XML and then one of addresses see it: what stands for signs is
    /// followed, blanks around it and breaks in it are gone.
    static func plain(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var value = text.array(range)
        // A break in an attribute is a blank; one that is written as a number stays.
        for index in value.indices where SVGSign.isSpace(value[index]) { value[index] = 0x20 }
        let signs = XMLSign.resolved(value.span, 0..<value.count)
        let whole = signs.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        let first = whole.firstIndex { $0 > 0x20 } ?? whole.count
        let last = whole.lastIndex { $0 > 0x20 } ?? first - 1
        return Array(whole[first..<(last + 1)])
    }

    static func isData(_ address: Span<UInt8>) -> Bool {
        address.hasWord("data:", at: 0, anyCase: true)
    }

    /// The bytes that an address holds; nil where it holds none.
    static func bytes(_ address: Span<UInt8>) -> [UInt8]? {
        guard isData(address) else { return nil }
        var comma = 5
        while comma < address.count, address[comma] != UInt8(ascii: ",") { comma += 1 }
        guard comma < address.count else { return nil }
        let isPacked = address.contains(";base64", in: 0..<comma, anyCase: true)
        var end = comma + 1
        while end < address.count, address[end] != UInt8(ascii: "#") { end += 1 }
        let body = percentDecoded(address, (comma + 1)..<end)
        return isPacked ? base64(body.span) : body
    }

    private static func percentDecoded(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            if text[index] == UInt8(ascii: "%"), index + 2 < range.upperBound,
                let byte = UInt8(text.string((index + 1)..<(index + 3)), radix: 16)
            {
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return bytes
    }

    /// Four signs to three bytes; whatever is none of the alphabet is stepped over.
    private static func base64(_ text: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        for index in 0..<text.count {
            guard let value = value(text[index]) else { continue }
            bits = bits << 6 | value
            count += 1
            if count == 4 {
                bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
                bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
                bytes.append(UInt8(truncatingIfNeeded: bits))
                (bits, count) = (0, 0)
            }
        }
        if count > 2 { bytes.append(UInt8(truncatingIfNeeded: bits >> 10)) }
        if count > 2 { bytes.append(UInt8(truncatingIfNeeded: bits >> 2)) }
        if count == 2 { bytes.append(UInt8(truncatingIfNeeded: bits >> 4)) }
        return bytes
    }

    /// Whether a range is whole groups of the alphabet, blanks between them, and nothing else.
    static func isStrict(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var (signs, padding) = (0, 0)
        for index in range where !SVGSign.isSpace(text[index]) {
            if text[index] == UInt8(ascii: "=") {
                padding += 1
            } else {
                guard padding == 0, value(text[index]) != nil else { return false }
                signs += 1
            }
        }
        return padding <= 2 && (signs + padding) % 4 == 0
    }

    @inline(__always)
    private static func value(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - 65)
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - 71)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte + 4)
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    /// Appends bytes in groups of four signs.
    static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
        output.reserveCapacity(output.count + (bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let left = bytes.count - start
            let bits =
                Int(bytes[start]) << 16 | (left > 1 ? Int(bytes[start + 1]) << 8 : 0)
                | (left > 2 ? Int(bytes[start + 2]) : 0)
            output.append(sign(bits >> 18))
            output.append(sign(bits >> 12))
            output.append(left > 1 ? sign(bits >> 6) : UInt8(ascii: "="))
            output.append(left > 2 ? sign(bits) : UInt8(ascii: "="))
        }
    }

    @inline(__always)
    private static func sign(_ bits: Int) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: bits & 63)
        switch value {
        case 0..<26: return value + UInt8(ascii: "A")
        case 26..<52: return value - 26 + UInt8(ascii: "a")
        case 52..<62: return value - 52 + UInt8(ascii: "0")
        default: return value == 62 ? UInt8(ascii: "+") : UInt8(ascii: "/")
        }
    }
}
