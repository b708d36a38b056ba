/// The set of fonts that a text needs. Loading fonts costs time, and most texts need few.
///
/// The set depends only on the text, never on earlier drawings.
package enum FontSet: Hashable, Sendable {
    /// Latin, Greek, Cyrillic, Hebrew and symbols.
    case usual
    /// All listed fonts.
    case wide

    package init(of text: some Sequence<Unicode.Scalar>) {
        self = text.contains(where: Self.isWide) ? .wide : .usual
    }

    /// Chooses the set for a document that is not parsed: its bytes may contain character
    /// references or a nested document.
    init(ofDocument bytes: Span<UInt8>) {
        self = .usual
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            // In UTF-8, characters below U+0600 have a first byte below D8. Three-byte sequences
            // are usual only for symbols and European letters.
            switch byte {
            case 0..<0x80:
                if byte == UInt8(ascii: "&"), Self.isNumericReference(bytes, index) { self = .wide }
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

    private static func isNumericReference(_ bytes: Span<UInt8>, _ index: Int) -> Bool {
        index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "#")
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x0600: false
        // Georgian, Georgian Extended, phonetics, additional Latin and Greek.
        case 0x10A0...0x10FF, 0x1C80...0x1CBF, 0x1D00...0x1FFF: false
        // Punctuation, symbols, arrows and box drawing; some of the symbols are colour emoji.
        case 0x2000...0x2BFF: scalar.value == 0x20E3 || scalar.properties.isEmojiPresentation
        case 0x2C60...0x2C7F, 0x2DE0...0x2E7F, 0xA640...0xA69F, 0xA700...0xA7FF: false
        case 0xFB00...0xFB4F, 0xFE00...0xFE0E, 0xFE20...0xFE2F, 0xFEFF: false
        case 0xFFF0...0xFFFF, 0x1D400...0x1D7FF: false
        default: true
        }
    }
}
