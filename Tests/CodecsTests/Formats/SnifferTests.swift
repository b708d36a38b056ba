import Codecs
import Support
import System
import Testing

@Suite("Format detection")
struct SnifferTests {
    private func sniff(_ bytes: [UInt8]) -> Sniffed { ImageSniffer.sniff(bytes.span) }
    private func sniff(_ text: String) -> Sniffed { sniff(Array(text.utf8)) }

    @Test(
        "SVG is detected after a BOM, white space, comments, declarations and DOCTYPE",
        arguments: [
            "<svg/>", "  \n<svg xmlns='x'>", "\u{FEFF}<svg>", "<?xml version='1.0'?>\n<svg >",
            "<!-- <html> --><svg>",
            "<?xml version='1.0'?><!-- a --><?pi x?><!DOCTYPE svg PUBLIC \"a>b\""
                + " [<!ENTITY e '>'>]><!-- b --><svg>",
            "<svg:svg xmlns:svg='x'>", "<!--" + String(repeating: "x", count: 60_000) + "--><svg>",
            "<?xml version='1.0' enc",
        ])
    func vectors(text: String) {
        #expect(sniff(text) == .picture(.svg))
    }

    @Test("SVG is detected in UTF-16 with and without a BOM", arguments: [0, 1])
    func wide(low: Int) {
        let text = Array("<?xml version='1.0'?><svg>".utf8)
        let wide = text.flatMap { (byte: UInt8) -> [UInt8] in
            low == 0 ? [byte, 0] : [0, byte]
        }
        #expect(sniff(wide) == .picture(.svg))
        let mark: [UInt8] = low == 0 ? [0xFF, 0xFE] : [0xFE, 0xFF]
        #expect(sniff(mark + wide) == .picture(.svg))
    }

    @Test(
        "other texts are not an image format",
        arguments: [
            "", " ", "hello", "<html><svg/></html>", "<!DOCTYPE html><svg>", "<svgx>", "<!-- never",
            "<?xml version='1.0'?><rss>", "{}", "<", "BMW is a car, not a bitmap at all",
        ])
    func texts(text: String) {
        #expect(sniff(text) == .unknown)
    }

    @Test("noise and zeros are not an image format")
    func noise() {
        #expect(sniff([UInt8](repeating: 0, count: 5000)) == .unknown)
        #expect(sniff([7]) == .unknown)
        var dice = SeededRandom(seed: 42)
        let noise = (0..<5000).map { _ in UInt8(dice.below(255)) }
        #expect(sniff(noise) == .unknown)
        #expect(Outcome([]).error == .notImage)
        #expect(Outcome(noise).error == .notImage)
    }

    @Test("image formats are detected by their first bytes")
    func pictures() {
        #expect(sniff([0x89, 0x50, 0x4E, 0x47]) == .picture(.png))
        #expect(sniff([0xFF, 0xD8, 0xFF]) == .picture(.jpeg))
        #expect(sniff("GIF87a") == .picture(.gif))
        #expect(sniff(Array("RIFF".utf8) + le32(9) + Array("WEBP".utf8)) == .picture(.webp))
        #expect(sniff(Array("RIFF".utf8) + le32(9) + Array("WAVE".utf8)) == .unknown)
        #expect(sniff([0, 0, 1, 0]) == .picture(.ico) && sniff([0, 0, 2, 0]) == .picture(.ico))
        func box(_ brands: String) -> [UInt8] {
            be32(8 + brands.utf8.count) + Array("ftyp".utf8) + Array(brands.utf8)
        }
        #expect(sniff(box("avif0000")) == .picture(.avif))
        #expect(sniff(box("mif10000avif")) == .picture(.avif))
        #expect(sniff(box("mif10000heic")) == .picture(.heic))
        #expect(sniff(box("mif10000miaf")) == .picture(.heic))
        #expect(sniff(box("isom0000mp42")) == .known("video"))
        #expect(sniff(box("crx 0000isom")) == .known("cr3"))
    }

    @Test("known formats that cannot be read are named")
    func foreign() {
        for (text, name) in [
            ("%PDF-1.7", "pdf"), ("%!PS-Adobe", "ps"), ("8BPS", "psd"), ("icns", "icns"),
            ("push graphic-context", "mvg"), ("qoif", "qoi"), ("P6\n4 4", "pnm"),
        ] {
            #expect(sniff(text) == .known(name))
            #expect(Outcome(Array(text.utf8)).error == .unsupported(name))
        }
        #expect(sniff([0x49, 0x49, 0x2A, 0, 8, 0]) == .known("tiff"))
        #expect(sniff([0x4D, 0x4D, 0, 0x2A, 0, 0]) == .known("tiff"))
        #expect(sniff([0xFF, 0x0A, 1]) == .known("jxl"))
        #expect(sniff([0, 0, 0, 12] + Array("JXL ".utf8)) == .known("jxl"))
        #expect(sniff([0, 0, 0, 12] + Array("jP  ".utf8)) == .known("jp2"))
        #expect(sniff([0xFF, 0x4F, 0xFF, 0x51]) == .known("jp2"))
        #expect(sniff([0x08, 0xF2, 0xA6, 0xB6]) == .known("vips"))
        #expect(sniff([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0]) == .known("gzip"))
    }

    @Test("a JPEG-LS frame is not reported as a damaged JPEG")
    func jpegLS() {
        let frame: [UInt8] = [0xFF, 0xF7, 0, 11, 8, 0, 4, 0, 4, 1, 1, 0x11, 0]
        let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0, 0, 0, 0xFF, 0xD9]
        #expect(Outcome([0xFF, 0xD8] + frame + scan).error == .unsupported("JPEG-LS"))
    }

    @Test("a Targa picture is not detected as a cursor")
    func targa() {
        func header(_ kind: UInt8, map: [UInt8] = [0, 0, 0, 0, 0], bits: UInt8) -> [UInt8] {
            [0, map[4] == 0 ? 0 : 1, kind] + map + [0, 0, 0, 0, 4, 0, 4, 0, bits, 0x20]
        }
        let palette: [UInt8] = [0, 0, 0, 1, 24]
        for (kind, map, bits): (UInt8, [UInt8], UInt8) in [
            (2, [0, 0, 0, 0, 0], 24), (2, [0, 0, 0, 0, 0], 32), (10, [0, 0, 0, 0, 0], 16),
            (3, [0, 0, 0, 0, 0], 8), (11, [0, 0, 0, 0, 0], 8), (1, palette, 8), (9, palette, 8),
        ] {
            let bytes = header(kind, map: map, bits: bits)
            #expect(sniff(bytes) == .known("tga"))
            #expect(Outcome(bytes + [UInt8](repeating: 7, count: 64)).error == .unsupported("tga"))
        }
        // The first three headers are not valid TGA: no pixels, an invalid depth, and a palette that the
        // kind does not use. The fourth is a cursor with one image.
        #expect(sniff(Array(header(2, bits: 24)[..<12]) + [0, 0, 4, 0, 24, 0]) == .picture(.ico))
        #expect(sniff(header(2, bits: 5)) == .picture(.ico))
        #expect(sniff(header(3, map: palette, bits: 8)) == .unknown)
        #expect(
            sniff([0, 0, 2, 0, 1, 0, 16, 16, 0, 0, 0, 0, 8, 0, 0, 0, 24, 0]) == .picture(.ico))
    }
}
