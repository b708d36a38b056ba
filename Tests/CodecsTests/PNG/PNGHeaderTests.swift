import Codecs
import Raster
import Testing

@Suite struct PNGHeaderTests {
    static func header(_ file: PNGFile) throws(DecodeError) -> ImageHeader {
        try PNGDecoder.header(of: file.bytes.span, limits: DecodeLimits())
    }

    @Test(
        "a PNG header of any kind states its size, depth, colour model and alpha",
        arguments: PNGSample.all)
    func kinds(sample: PNGSample) throws {
        let header = try Self.header(sample.file(seed: 3))
        #expect(header.format == .png)
        #expect(header.codedSize == PixelSize(width: 37, height: 29))
        #expect(header.bitsPerChannel == sample.depth)
        #expect(header.isProgressive == sample.interlaced)
        #expect(header.hasAlpha == (sample.type >= 4 || sample.transparency))
        let models: [ColorModel] = [.grey, .rgb, .rgb, .palette, .grey, .rgb, .rgb]
        #expect(header.colorModel == models[sample.type])
        #expect(!header.isAnimated && !header.hasProfile && header.orientation == .up)
    }

    @Test("the orientation of a PNG eXIf chunk is read before and after the image data")
    func orientation() throws {
        let tiff: [UInt8] = [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0,
        ]
        let exif = PNGFile.Chunk(name: "eXIf", body: tiff)
        var file = PNGSample(depth: 8, type: 2).file(seed: 1)
        file.chunks.insert(exif, at: 1)
        #expect(try Self.header(file).orientation == .right)
        #expect(try Self.header(file).size == PixelSize(width: 29, height: 37))
        file.chunks.remove(at: 1)
        file.chunks.insert(exif, at: 2)
        #expect(try Self.header(file).orientation == .right)
        file.chunks[2].checksumError = 1
        #expect(try Self.header(file).orientation == .up)
    }

    @Test("an animated PNG is recognised by its control chunk and shows its default image")
    func animation() throws {
        var file = PNGSample(depth: 8, type: 6).file(seed: 1)
        let still = PNGOutcome(file.bytes)
        file.chunks.insert(.init(name: "acTL", body: [0, 0, 0, 2, 0, 0, 0, 0]), at: 1)
        for number in 0..<20_000 {
            let name = number % 2 == 0 ? "fcTL" : "fdAT"
            file.chunks.insert(
                .init(name: name, body: [1, 2], checksumError: 1), at: file.chunks.count - 1)
        }
        #expect(try Self.header(file).isAnimated)
        #expect(PNGOutcome(file.bytes) == still)
    }

    @Test("a PNG header is read even if later chunks are damaged")
    func lenient() throws {
        var file = PNGSample(depth: 8, type: 3).file(seed: 1)
        file.chunks.removeSubrange(1...)
        #expect(try Self.header(file).codedSize.width == 37)
        file.chunks.append(.init(name: "1234", body: []))
        #expect(try Self.header(file).codedSize.width == 37)
    }

    @Test("the memory cost of a PNG follows its header and stays near the real memory")
    func memory() throws {
        let limits = DecodeLimits()
        for sample in PNGSample.all {
            var sample = sample
            sample.width = 500
            sample.height = 300
            let header = try Self.header(sample.file(seed: 2))
            let pixels = header.codedSize.byteCount
            let roomy = PNGDecoder.memoryCost(
                of: header, request: DecodeRequest(limits: limits, workingBytes: 100 << 20))
            let tight = PNGDecoder.memoryCost(
                of: header, request: DecodeRequest(limits: limits, workingBytes: 0))
            // libpng reads interlaced and 16-bit images row by row.
            let raw = sample.interlaced || sample.depth > 8 ? 0 : sample.depth * sample.channels
            #expect(roomy >= pixels + 500 * 300 * raw / 8)
            #expect(tight > pixels && tight < pixels + 120_000)
        }
        var huge = try Self.header(PNGSample(depth: 16, type: 6).file(seed: 2))
        huge.codedSize = PixelSize(width: .max / 2, height: .max / 2)
        #expect(PNGDecoder.memoryCost(of: huge, request: DecodeRequest()) == .max)
    }
}
