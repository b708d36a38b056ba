import Codecs
import Foundation
import Raster
import Support
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

    @Test("the codec libraries have names, versions, and a mark for each release")
    func libraries() {
        let libraries = Set(CodecLibrary.all.map(\.name))
        #expect(libraries.count == CodecLibrary.all.count)
        #expect(libraries.isSuperset(of: ["libjpeg-turbo", "libpng", "libwebp", "libheif"]))
        #expect(CodecLibrary.all.allSatisfy { $0.version.contains(/^[0-9]/) })
        // The mark of a file distinguishes releases of a library without opening it.
        let marks = CodecLibrary.all.compactMap(\.fileMark)
        #expect(!marks.isEmpty && Set(marks).count == marks.count, "\(marks)")
        #expect(!marks.contains("-"), "\(marks)")
    }

    @Test("AVIF is read back nearly as written", arguments: [false, true])
    func avif(hasAlpha: Bool) throws {
        let picture = Sample.waves(64, 50, hasAlpha: hasAlpha)
        for (quality, limit) in [(EncodeQuality.lossy(90), 5), (.lossless, hasAlpha ? 0.6 : 0.01)] {
            let settings = EncodeSettings(format: .avif, quality: quality)
            let bytes = try ImageEncoder.encode(picture, settings)
            let decoded = try decode(bytes)
            let (error, isOpaque) = (distance(decoded, picture), decoded.isOpaque)
            #expect(error < limit && isOpaque != hasAlpha)
            #expect(try ImageEncoder.encode(picture, settings) == bytes)
        }
    }

    @Test("the format table gives every name, extension and media type to one format only")
    func isUnambiguous() {
        let all = ImageFormat.allCases
        #expect(Set(all.map(\.name)).count == all.count)
        #expect(Set(all.map(\.mediaType)).count == all.count)
        let extensions = all.flatMap(\.fileExtensions)
        #expect(Set(extensions).count == extensions.count)
        #expect(extensions.allSatisfy { $0 == $0.lowercased() && (2...5).contains($0.count) })
    }

    @Test("the format table agrees with itself about reading and writing a format")
    func agrees() {
        for output in OutputFormat.allCases {
            let format = ImageFormat.named(output.name)
            #expect(format?.output == output)
            #expect(format?.fileExtensions.contains(output.fileExtension) == true)
            #expect(OutputFormat.ofFile("a/b.\(output.fileExtension.uppercased())") == output)
            #expect(output.canBeLossless || output.canBeLossy)
            if case .lossless = output.defaultQuality { #expect(output.canBeLossless) }
        }
    }

    @Test(
        "the format table decides which files of a folder are pictures by name",
        arguments: ImageFormat.allCases)
    func names(format: ImageFormat) {
        for ending in format.fileExtensions {
            #expect(PictureName.hasPictureExtension(Array("a.\(ending)".utf8)))
            #expect(PictureName.withoutPictureExtension("a.\(ending.uppercased())") == "a")
        }
        #expect(PictureName.hasPictureExtension(Array("scan.TIFF".utf8)))
        #expect(!PictureName.hasPictureExtension(Array("notes.md".utf8)))
    }

    @Test("the format table equals the list in the schema of the manifest")
    func schema() throws {
        let url = Repository.root.appending(
            path: "Sources/EmblemKit/EmblemKit.docc/Schemas/manifest-1.schema.json")
        let text = try String(contentsOf: url, encoding: .utf8)
        let list = try #require(
            text.firstMatch(of: /"format": \{[^}]*"enum": \[([^\]]*)\]/)?.output.1)
        let names = list.split(separator: ",").map { $0.filter { $0.isLetter || $0.isNumber } }
        #expect(Set(names) == Set(ImageFormat.allCases.map(\.name)))
    }
}
