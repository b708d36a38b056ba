import Codecs
import Raster
import Support
import System
import Testing

@Suite("Truncated and foreign files")
struct BeginningFaultTests {
    static let magics: [(String, [UInt8])] = [
        ("png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), ("jpeg", [0xFF, 0xD8, 0xFF]),
        ("gif", Array("GIF89a".utf8)), ("webp", Array("RIFF\0\0\0\0WEBP".utf8)),
        ("ico", [0, 0, 1, 0]),
        ("bmp", Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + le32(40)),
        ("avif", be32(16) + Array("ftypavif".utf8) + be32(0)),
        ("svg", Array("<?xml version=".utf8)),
    ]

    @Test("empty input, single bytes, zeros and noise are not images")
    func nothing() {
        var dice = SeededRandom(seed: 42)
        #expect(Outcome([]).name == "not_image")
        for count in [1, 100, 5_000] {
            #expect(Outcome([UInt8](repeating: 0, count: count)).name == "not_image")
            let noise = (0..<count).map { _ in UInt8(1 + dice.below(60)) }
            #expect(Outcome(noise).name == "not_image")
        }
    }

    @Test("a magic number alone is a truncated image", arguments: magics)
    func magic(name: String, bytes: [UInt8]) {
        #expect(Outcome(bytes).name == "truncated", "\(name)")
    }

    @Test("a file of each format cut at any byte is truncated or not an image")
    func cuts() {
        for (name, whole) in DamageTests.samples where name != "icon" {
            for length in stride(from: 1, to: whole.count * 9 / 10, by: 7) {
                let outcome = Outcome(Array(whole.prefix(length))).name
                let isFine = outcome == "truncated" || length < 16 && outcome != "ok"
                // An arithmetic coder omits trailing zeros.
                #expect(
                    isFine || name.contains("arithmetic") && length > whole.count * 8 / 10,
                    "\(name), \(length) of \(whole.count): \(outcome)")
            }
        }
    }

    @Test("foreign formats under any name are unsupported and named")
    func foreign() {
        let files: [(String, [UInt8])] = [
            ("pdf", Array("%PDF-1.7\n".utf8)), ("ps", Array("%!PS-Adobe-3.0".utf8)),
            ("mvg", Array("push graphic-context\nimage over 0,0 9,9 '/etc/passwd'".utf8)),
            ("vips", [0x08, 0xF2, 0xA6, 0xB6]), ("tiff", [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]),
            ("jp2", be32(12) + Array("jP  \r\n\u{87}\n".utf8)),
            ("psd", Array("8BPS\0\u{1}".utf8)), ("icns", Array("icns\0\0\0\0".utf8)),
        ]
        for (name, bytes) in files {
            #expect(Outcome(bytes).error == .unsupported(name))
        }
        #expect(Outcome(Array("<?xml version='1.0'?><image/>".utf8)).name == "not_image")
    }

    @Test("bytes after the end of a picture are ignored")
    func polyglots() throws {
        let picture = Sample.waves(40, 30)
        let archive = [0x50, 0x4B, 3, 4, 20, 0] + [UInt8](repeating: 0x41, count: 1 << 20)
        let video = be32(24) + Array("ftypmp42".utf8) + [UInt8](repeating: 3, count: 100_000)
        let png = try ImageEncoder.encode(picture, EncodeSettings(format: .png))
        let jpeg = JPEGSample().bytes(picture)
        for (whole, rest) in [
            (png, archive), (png, jpeg), (jpeg, video), (jpeg, jpeg), (jpeg, png),
        ] {
            #expect(Outcome(whole + rest) == Outcome(whole))
        }
        let webp = WebPSample.plain(picture)
        #expect(Outcome(webp + archive) == Outcome(webp))
        #expect(Outcome(GIFSample().bytes() + archive) == Outcome(GIFSample().bytes()))
    }

    @Test("no metadata of a source is in an output")
    func metadata() throws {
        let secret = Array("GPSLatitude 48.1".utf8)
        let segments =
            JPEGSample.exif(6) + JPEGSample.segment(0xFE, secret)
            + JPEGSample.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + secret)
            + JPEGSample.profile(ProfileSample.adobe)
        let decoded = try decode(JPEGSample(segments: segments).bytes(Sample.waves(40, 30)))
        for format in OutputFormat.allCases {
            let bytes = try ImageEncoder.encode(decoded, EncodeSettings(format: format))
            for word in [
                "GPSLatitude", "Exif", "EXIF", "eXIf", "ICC_PROFILE", "ICCP", "iCCP", "xap",
            ] {
                #expect(bytes.firstRange(of: Array(word.utf8)) == nil, "\(word) in \(format)")
            }
        }
    }
}
