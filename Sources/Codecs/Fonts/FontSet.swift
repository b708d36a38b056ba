/// Which fonts a text asks for: reading them costs time, and most texts need few.
///
/// It follows from the text alone, never from what was drawn before.
package enum FontSet: Hashable, Sendable {
    /// Latin, Greek, Cyrillic, Hebrew and signs.
    case usual
    /// Every listed font.
    case wide

    package init(of text: some Sequence<Unicode.Scalar>) {
        self = text.contains(where: Self.isWide) ? .wide : .usual
    }

    /// What a document asks for that is not read by us: the bytes may spell characters by number
    /// or hold a document of their own.
    init(ofDocument bytes: Span<UInt8>) {
        self = .usual
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            // Below U+0600 a character has a first byte under D8; of those of three bytes the
            // ones for signs and for the letters of Europe are let through.
            switch byte {
            case 0..<0x80:
                if byte == UInt8(ascii: "&"), Self.isNumbered(bytes, index) { self = .wide }
                index += 1
            case 0x80..<0xD8:
                index += 1
            case 0xE1, 0xE2:
                guard index + 2 < bytes.count else { return }
                let value =
                    UInt32(byte & 15) << 12 | UInt32(bytes[index + 1] & 63) << 6
                    | UInt32(bytes[index + 2] & 63)
                if let scalar = Unicode.Scalar(value), Self.isWide(scalar) { self = .wide }
                index += 3
            default:
                self = .wide
            }
            if self == .wide { return }
        }
    }

    private static func isNumbered(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
        index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "#")
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x0600: false
        // Georgian, Cherokee's neighbours, phonetics, more Latin and Greek.
        case 0x10A0...0x10FF, 0x1C80...0x1CBF, 0x1D00...0x1FFF: false
        // Punctuation, signs, arrows, boxes; some of the signs are pictures in colour.
        case 0x2000...0x2BFF: scalar.value == 0x20E3 || scalar.properties.isEmojiPresentation
        case 0x2C60...0x2C7F, 0x2DE0...0x2E7F, 0xA640...0xA69F, 0xA700...0xA7FF: false
        case 0xFB00...0xFB4F, 0xFE00...0xFE0E, 0xFE20...0xFE2F, 0xFEFF: false
        case 0xFFF0...0xFFFF, 0x1D400...0x1D7FF: false
        default: true
        }
    }
}
