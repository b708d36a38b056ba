import Codecs
import Raster
import Testing

@Suite("Encoders")
struct EncoderTests {
    static let settings: [EncodeSettings] = [
        EncodeSettings(format: .png), EncodeSettings(format: .webp),
        EncodeSettings(format: .webp, quality: .lossless), EncodeSettings(format: .jpeg),
        EncodeSettings(format: .jpeg, quality: .lossy(95)),
    ]

    @Test(
        "an encoder gives the same bytes for the same picture, which decode to nearly the same",
        arguments: settings)
    func again(settings: EncodeSettings) throws {
        let picture = Sample.waves(70, 50)
        let bytes = try ImageEncoder.encode(picture, settings)
        #expect(try ImageEncoder.encode(picture, settings) == bytes)
        #expect(try readHeader(bytes).format.output == settings.format)
        let error = distance(try decode(bytes), picture)
        #expect(error < 6)
    }

    @Test("the matte replaces transparency in JPEG")
    func matte() throws {
        var picture = PixelBuffer(size: PixelSize(width: 32, height: 16))
        do {
            var pixels = picture.mutablePixels
            for index in 0..<512 where index % 32 >= 16 {
                pixels[index * 4] = 128
                pixels[index * 4 + 3] = 128
            }
        }
        let matte = Color(red: 0, green: 100, blue: 200, alpha: 3)
        let settings = EncodeSettings(format: .jpeg, quality: .lossy(95), matte: matte)
        let decoded = try decode(try ImageEncoder.encode(picture, settings))
        let (clear, half) = (pixel(decoded, 4, 8), pixel(decoded, 28, 8))
        #expect(abs(Int(clear[1]) - 100) < 4 && abs(Int(clear[2]) - 200) < 4)
        #expect(abs(Int(half[0]) - 128) < 4 && abs(Int(half[1]) - 50) < 4)
    }

    @Test("a picture that a format cannot hold is an error")
    func errors() {
        let wide = PixelBuffer(size: PixelSize(width: 16_384, height: 1))
        #expect(throws: EncodeError.tooLarge(.webp, PixelSize(width: 16_384, height: 1))) {
            try ImageEncoder.encode(wide, EncodeSettings(format: .webp))
        }
        let wider = PixelBuffer(size: PixelSize(width: 65_537, height: 1))
        for format in [OutputFormat.jpeg, .avif] {
            #expect(throws: EncodeError.tooLarge(format, PixelSize(width: 65_537, height: 1))) {
                try ImageEncoder.encode(wider, EncodeSettings(format: format))
            }
        }
        #expect(throws: EncodeError.self) {
            try ImageEncoder.encode(wide, EncodeSettings(format: .jpeg, quality: .lossless))
        }
    }

    @Test("an output format is found by its name, and has qualities and extensions")
    func names() {
        #expect(OutputFormat.jpeg.fileExtension == "jpg")
        #expect(OutputFormat.webp.fileExtension == "webp")
        #expect(OutputFormat.webp.defaultQuality == .lossy(82))
        #expect(!OutputFormat.jpeg.canBeLossless && !OutputFormat.jpeg.hasAlpha)
        #expect(ImageFormat.svg.fileExtensions.contains("svgz"))
        let extensions = ImageFormat.allCases.flatMap { $0.fileExtensions }
        #expect(Set(extensions).count == extensions.count)
        #expect(ImageFormat.allCases.allSatisfy { !$0.fileExtensions.isEmpty })
        let libraries = Set(CodecLibrary.all.map(\.name))
        #expect(libraries.count == CodecLibrary.all.count)
        #expect(libraries.isSuperset(of: ["libjpeg-turbo", "libpng", "libwebp", "libheif"]))
        #expect(CodecLibrary.all.allSatisfy { $0.version.contains(/^[0-9]/) })
        // The mark of a file distinguishes releases of a library without opening it.
        let marks = CodecLibrary.all.compactMap(\.fileMark)
        #expect(!marks.isEmpty && Set(marks).count == marks.count, "\(marks)")
        #expect(!marks.contains("-"), "\(marks)")
        #expect(EncodeError.failed(.png, "no memory").description.hasSuffix(": no memory."))
        let tooLarge = EncodeError.tooLarge(.webp, PixelSize(width: 20_000, height: 1))
        #expect(tooLarge.description.contains("20000"))
        #expect(EncodeError.unavailable(.avif, "no aom").description.hasSuffix(": no aom."))
    }
}
