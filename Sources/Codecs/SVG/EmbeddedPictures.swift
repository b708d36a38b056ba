import Raster

/// The pictures inside of a document, as `data:` addresses: librsvg decodes them whole, whatever they
/// declare, so they are held against the limits before.
///
/// The pixels of all of them together are what one picture may have. A document in a document is
/// looked through likewise, a few levels deep.
enum EmbeddedPictures {
    /// The deepest document in a document.
    private static let depthLimit = 4

    static func check(_ text: Span<UInt8>, limits: DecodeLimits) throws(DecodeError) {
        var pixels = 0
        try check(text, limits: limits, depth: 0, &pixels)
    }

    private static func check(
        _ text: Span<UInt8>, limits: DecodeLimits, depth: Int, _ pixels: inout Int
    ) throws(DecodeError) {
        var walker = XMLWalker(text)
        while true {
            switch walker.next() {
            case .open(_, let attributes, _):
                for attribute in attributes {
                    let value = text.trimmed(attribute.value)
                    guard text.hasWord("data:", at: value.lowerBound, anyCase: true),
                        text.hasName("href", attribute.name)
                            || text.hasName("xlink:href", attribute.name)
                            || text.contains(":href", in: attribute.name)
                    else { continue }
                    try check(address: text, value, limits: limits, depth: depth, &pixels)
                }
            case .close, .text, .doctype: continue
            case .end, .cut: return
            }
        }
    }

    private static func check(
        address text: Span<UInt8>, _ range: Range<Int>, limits: DecodeLimits, depth: Int,
        _ pixels: inout Int
    ) throws(DecodeError) {
        guard let bytes = DataAddress.bytes(text, range) else { return }
        switch ImageSniffer.sniff(bytes.span) {
        case .picture(.svg):
            guard depth < depthLimit else {
                throw .limitDecode("an SVG of more than \(depthLimit) documents in each other")
            }
            if SVGText.isPacked(bytes.span) {
                let inner = try SVGText.inflate(bytes.span, limits: limits)
                try check(document: inner.span, limits: limits, depth: depth, &pixels)
            } else {
                try check(document: bytes.span, limits: limits, depth: depth, &pixels)
            }
        case .picture:
            let header: ImageHeader
            do throws(DecodeError) {
                header = try ImageDecoder.header(of: bytes.span, limits: .headerOnly)
            } catch {
                // What has no header is not decoded by anybody.
                return
            }
            let (sum, overflow) = pixels.addingReportingOverflow(header.codedSize.area)
            pixels = overflow ? .max : sum
            guard pixels <= limits.pixels, header.codedSize.width <= limits.edge,
                header.codedSize.height <= limits.edge
            else { throw .limitDecode("an SVG with pictures of more pixels than one may have") }
        case .known, .unknown: return
        }
    }

    private static func check(
        document text: Span<UInt8>, limits: DecodeLimits, depth: Int, _ pixels: inout Int
    ) throws(DecodeError) {
        try SVGHazards.check(text)
        guard FontSizeClamp.look(at: text).clamped == nil else {
            throw .limitDecode("an SVG with text of more than a million pixels")
        }
        try check(text, limits: limits, depth: depth + 1, &pixels)
    }
}

/// The bytes of a `data:` address as it stands in an attribute.
enum DataAddress {
    static func bytes(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
        var comma = range.lowerBound
        while comma < range.upperBound, text[comma] != UInt8(ascii: ",") { comma += 1 }
        guard comma < range.upperBound else { return nil }
        let isPacked = text.contains(";base64", in: range.lowerBound..<comma, anyCase: true)
        let body = (comma + 1)..<range.upperBound
        return isPacked ? base64(text, body) : plain(text, body)
    }

    /// Four signs to three bytes; whatever is none of the alphabet is stepped over, as white space
    /// and the entities that stand for it are.
    private static func base64(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        var index = range.lowerBound
        while index < range.upperBound {
            var byte = text[index]
            if byte == UInt8(ascii: "&") || byte == UInt8(ascii: "%") {
                (byte, index) = sign(text, index, to: range.upperBound)
            } else {
                index += 1
            }
            let value: UInt32
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(byte - 65)
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(byte - 71)
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(byte + 4)
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            default: continue
            }
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

    private static func plain(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            var byte = text[index]
            if byte == UInt8(ascii: "&") || byte == UInt8(ascii: "%") {
                (byte, index) = sign(text, index, to: range.upperBound)
            } else {
                index += 1
            }
            bytes.append(byte)
        }
        return bytes
    }

    /// The byte that an entity or a percent sign stands for, and the place behind it.
    private static func sign(
        _ text: Span<UInt8>, _ start: Int, to end: Int
    ) -> (byte: UInt8, next: Int) {
        if text[start] == UInt8(ascii: "%") {
            guard start + 2 < end,
                let byte = UInt8(text.string((start + 1)..<(start + 3)), radix: 16)
            else { return (text[start], start + 1) }
            return (byte, start + 3)
        }
        var close = start + 1
        while close < min(end, start + 10), text[close] != UInt8(ascii: ";") { close += 1 }
        guard close < end, text[close] == UInt8(ascii: ";") else { return (text[start], start + 1) }
        let name = text.string((start + 1)..<close)
        if name.hasPrefix("#") {
            let isHex = name.hasPrefix("#x") || name.hasPrefix("#X")
            let digits = name.dropFirst(isHex ? 2 : 1)
            let value = UInt32(digits, radix: isHex ? 16 : 10) ?? 0x20
            return (UInt8(truncatingIfNeeded: min(value, 0x7F)), close + 1)
        }
        let known: [String: UInt8] = [
            "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"),
            "quot": UInt8(ascii: "\""), "apos": UInt8(ascii: "'"),
        ]
        return (known[name] ?? 0x20, close + 1)
    }
}
