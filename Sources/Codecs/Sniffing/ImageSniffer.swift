/// What bytes turned out to be.
package enum Sniffed: Hashable, Sendable {
    /// A format that is read.
    case picture(ImageFormat)
    /// A format with a name that is not read.
    case known(String)
    /// Nothing that is known as a picture.
    case unknown
}

/// Tells formats apart by their bytes; names and declared types are never asked.
package enum ImageSniffer {
    /// Looks at the first bytes only, except for SVG, whose root may stand behind comments.
    package static func sniff(_ bytes: Span<UInt8>) -> Sniffed {
        let reader = ByteReader(bytes)
        if let format = raster(reader) { return .picture(format) }
        if let sniffed = boxes(reader) { return sniffed }
        if let name = foreign(reader) { return .known(name) }
        // A PNG that was sent as text is a damaged picture rather than none.
        if case .damaged = PNGSignature(of: bytes) { return .picture(.png) }
        if PackedText.isPacked(bytes) {
            let text = PackedText.beginning(of: bytes)
            return XMLRoot.isSVG(text.span) ? .picture(.svg) : .known("gzip")
        }
        return XMLRoot.isSVG(bytes) ? .picture(.svg) : .unknown
    }

    private static func raster(_ reader: borrowing ByteReader) -> ImageFormat? {
        if reader.big32(0) == 0x8950_4E47 { return .png }
        if reader.big16(0) == 0xFFD8, reader.count == 2 || reader.u8(2) == 0xFF { return .jpeg }
        if reader.holds("GIF87a", at: 0) || reader.holds("GIF89a", at: 0) { return .gif }
        if reader.holds("RIFF", at: 0) {
            if reader.count < 12 || reader.holds("WEBP", at: 8) { return .webp }
        }
        let kind = reader.big32(0)
        if kind == 0x0000_0100 || kind == 0x0000_0200 { return .ico }
        if reader.holds("BM", at: 0), let size = reader.little32(14),
            [12, 16, 40, 52, 56, 64, 108, 124].contains(size)
        {
            return .bmp
        }
        return nil
    }

    /// The family of formats that begin with a box of type `ftyp` and name their brands in it.
    private static func boxes(_ reader: borrowing ByteReader) -> Sniffed? {
        guard reader.holds("ftyp", at: 4), let length = reader.big32(0) else { return nil }
        var offset = 8
        var isHEIF = false
        while offset < min(length, 256), offset + 4 <= reader.count {
            if reader.holds("avif", at: offset) || reader.holds("avis", at: offset) {
                return .picture(.avif)
            }
            for brand in heicBrands where reader.holds(brand, at: offset) {
                return .picture(.heic)
            }
            isHEIF = isHEIF || reader.holds("mif1", at: offset) || reader.holds("msf1", at: offset)
            // Behind the major brand stands a version.
            offset += offset == 8 ? 8 : 4
        }
        if isHEIF { return .picture(.heic) }
        return .known(reader.holds("crx ", at: 8) ? "cr3" : "video")
    }

    private static let heicBrands: [StaticString] = [
        "heic", "heix", "hevc", "hevx", "heim", "heis",
    ]

    private static func foreign(_ reader: borrowing ByteReader) -> String? {
        for (name, magic) in foreignMagics where reader.holds(magic, at: 0) {
            return name
        }
        switch reader.big32(0) {
        case 0x4949_2A00, 0x4D4D_002A, 0x4949_2B00, 0x4D4D_002B: return "tiff"
        case 0xFF4F_FF51: return "jp2"
        case 0x0000_000C:
            if reader.holds("JXL ", at: 4) { return "jxl" }
            if reader.holds("jP  ", at: 4) { return "jp2" }
        case 0x08F2_A6B6, 0xB6A6_F208: return "vips"
        case 0x762F_3101: return "exr"
        case 0xD7CD_C69A: return "wmf"
        case 0x0100_0000 where reader.holds(" EMF", at: 40): return "emf"
        default: break
        }
        if reader.big16(0) == 0xFF0A { return "jxl" }
        if reader.u8(0) == 0x50, let kind = reader.u8(1), (0x31...0x37).contains(kind),
            let space = reader.u8(2), [0x09, 0x0A, 0x0D, 0x20].contains(space)
        {
            return "pnm"
        }
        return nil
    }

    private static let foreignMagics: [(String, StaticString)] = [
        ("pdf", "%PDF"), ("ps", "%!PS"), ("psd", "8BPS"), ("icns", "icns"),
        ("mvg", "push graphic-context"), ("mvg", "viewbox "), ("dds", "DDS "),
        ("qoi", "qoif"), ("xcf", "gimp xcf"), ("flif", "FLIF"), ("bpg", "BPG"),
        ("djvu", "AT&TFORM"), ("hdr", "#?RADIANCE"), ("fits", "SIMPLE  ="),
        ("xpm", "/* XPM */"), ("farbfeld", "farbfeld"),
    ]
}
