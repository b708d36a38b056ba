/// The result of identifying a format by its bytes.
package enum Sniffed: Hashable, Sendable {
    case picture(ImageFormat)
    /// A recognised format that is not supported, by name.
    case known(String)
    case unknown
}

/// Identifies formats by their bytes; file names and declared types are ignored.
package enum ImageSniffer {
    /// Reads only the first bytes, except for SVG, whose root may follow comments.
    package static func sniff(_ bytes: Span<UInt8>) -> Sniffed {
        for format in ImageFormat.allCases where format.recognizes(bytes) {
            return .picture(format)
        }
        return ForeignFormat.name(of: bytes).map { .known($0) } ?? .unknown
    }
}

/// A recognised but unsupported format, known so that its files can be reported.
struct ForeignFormat: Sendable {
    let name: String
    let fileExtensions: [String]
    private let recognizes: @Sendable (Span<UInt8>) -> Bool

    private init(
        _ name: String, _ fileExtensions: [String] = [],
        _ recognizes: @escaping @Sendable (Span<UInt8>) -> Bool
    ) {
        self.name = name
        self.fileExtensions = fileExtensions
        self.recognizes = recognizes
    }

    private init(_ name: String, magic: StaticString) {
        self.init(name) { ByteReader($0).holds(magic, at: 0) }
    }

    private init(_ name: String, _ fileExtensions: [String] = [], magics: [Int]) {
        self.init(name, fileExtensions) { bytes in
            ByteReader(bytes).big32(0).map(magics.contains) ?? false
        }
    }

    /// Returns the name of the matching format; `nil` if there is none.
    static func name(of bytes: Span<UInt8>) -> String? {
        for format in all where format.recognizes(bytes) { return format.name }
        return nil
    }

    static let all: [ForeignFormat] = [
        // These formats begin with an `ftyp` box, like HEIF.
        ForeignFormat("cr3") { bytes in
            let reader = ByteReader(bytes)
            return reader.holds("ftyp", at: 4) && reader.holds("crx ", at: 8)
        },
        ForeignFormat("video") { ByteReader($0).holds("ftyp", at: 4) },
        ForeignFormat("pdf", magic: "%PDF"), ForeignFormat("ps", magic: "%!PS"),
        ForeignFormat("psd", magic: "8BPS"), ForeignFormat("icns", magic: "icns"),
        ForeignFormat("mvg", magic: "push graphic-context"),
        ForeignFormat("mvg", magic: "viewbox "), ForeignFormat("dds", magic: "DDS "),
        ForeignFormat("qoi", magic: "qoif"), ForeignFormat("xcf", magic: "gimp xcf"),
        ForeignFormat("flif", magic: "FLIF"), ForeignFormat("bpg", magic: "BPG"),
        ForeignFormat("djvu", magic: "AT&TFORM"), ForeignFormat("hdr", magic: "#?RADIANCE"),
        ForeignFormat("fits", magic: "SIMPLE  ="), ForeignFormat("xpm", magic: "/* XPM */"),
        ForeignFormat("farbfeld", magic: "farbfeld"),
        ForeignFormat(
            "tiff", ["tif", "tiff"], magics: [0x4949_2A00, 0x4D4D_002A, 0x4949_2B00, 0x4D4D_002B]),
        ForeignFormat("jp2", ["jp2"]) { bytes in
            let reader = ByteReader(bytes)
            return reader.big32(0) == 0xFF4F_FF51
                || reader.big32(0) == 0x0000_000C && reader.holds("jP  ", at: 4)
        },
        ForeignFormat("jxl", ["jxl"]) { bytes in
            let reader = ByteReader(bytes)
            // The signature of a codestream, and the first box of a container.
            return reader.big16(0) == 0xFF0A
                || reader.big32(0) == 0x0000_000C && reader.holds("JXL ", at: 4)
        },
        ForeignFormat("vips", magics: [0x08F2_A6B6, 0xB6A6_F208]),
        ForeignFormat("exr", magics: [0x762F_3101]),
        ForeignFormat("wmf", magics: [0xD7CD_C69A]),
        ForeignFormat("emf") { bytes in
            let reader = ByteReader(bytes)
            return reader.big32(0) == 0x0100_0000 && reader.holds(" EMF", at: 40)
        },
        ForeignFormat("pnm") { bytes in
            let reader = ByteReader(bytes)
            guard reader.u8(0) == 0x50, let kind = reader.u8(1), let space = reader.u8(2) else {
                return false
            }
            return (0x31...0x37).contains(kind) && [0x09, 0x0A, 0x0D, 0x20].contains(space)
        },
        ForeignFormat("tga") { TargaHeader.begins($0) },
        ForeignFormat("gzip") { PackedText.isPacked($0) },
    ]
}

/// The header of a Targa file, which has no signature, only numbers that must be consistent.
///
/// A true-colour Targa begins like a cursor file without images.
enum TargaHeader {
    static func begins(_ bytes: Span<UInt8>) -> Bool {
        let reader = ByteReader(bytes)
        guard let hasMap = reader.u8(1), let kind = reader.u8(2), let entryBits = reader.u8(7),
            let width = reader.little16(12), let height = reader.little16(14),
            let bits = reader.u8(16), let flags = reader.u8(17),
            width > 0, height > 0, flags & 0xC0 == 0
        else { return false }
        // Run-length encoded images have the same types plus eight.
        switch kind & ~8 {
        case 1:
            return hasMap == 1 && [15, 16, 24, 32].contains(entryBits) && [8, 16].contains(bits)
        case 2: return hasNoMap(reader) && [15, 16, 24, 32].contains(bits)
        case 3: return hasNoMap(reader) && [8, 16].contains(bits)
        default: return false
        }
    }

    private static func hasNoMap(_ reader: borrowing ByteReader) -> Bool {
        reader.u8(1) == 0 && reader.big32(3) == 0 && reader.u8(7) == 0
    }
}
