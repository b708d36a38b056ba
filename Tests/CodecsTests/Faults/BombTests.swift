import CShims
import Codecs
import Raster
import Support
import System
import Testing

@Suite("Decompression bombs")
struct BombTests {
    @Test(
        "a header with too many pixels is refused without cost",
        arguments: [
            (30_000, 30_000, 8, 6, false), (65_535, 65_535, 1, 0, false),
            (16_384, 16_384, 8, 3, false), (20_000, 20_000, 8, 6, false),
            (12_000, 12_000, 8, 6, true),
        ])
    func declared(width: Int, height: Int, depth: Int, type: Int, interlaced: Bool) {
        var file = PNGFile(width: 1, height: 1, depth: depth, type: type, raw: [])
        file.chunks[0] = PNGFile.header(
            width: width, height: height, depth, type, interlaced ? 1 : 0)
        file.chunks[1].body = PNGFile.bomb(runs: 100_000)
        let bytes = file.bytes
        let cost = processorSeconds { #expect(Outcome(bytes).name == "limit_pixels") }
        #expect(cost < 0.05)
    }

    @Test("a JPEG with two thousand scans is refused without decoding them")
    func scans() throws {
        var bytes = JPEGSample(progressive: true).bytes(Sample.waves(640, 480))
        let last = try #require(
            bytes.indices.last { bytes[$0] == 0xFF && bytes[min($0 + 1, bytes.count - 1)] == 0xDA })
        let scan = Array(bytes[last..<bytes.count - 2])
        bytes.removeLast(2)
        for _ in 0..<2_000 { bytes += scan }
        bytes += [0xFF, 0xD9]
        let file = bytes
        let cost = processorSeconds { #expect(Outcome(file).name == "limit_decode") }
        #expect(cost < 1)
    }

    @Test("a picture of 81 megapixels is refused, or reduced during decoding if allowed")
    func large() throws {
        let side = 9_000
        let bytes = JPEGSample(colour: EMB_JPEG_GREY, quality: 30).bytes(
            [UInt8](repeating: 90, count: side * side), side, side)
        #expect(Outcome(bytes).name == "limit_pixels")
        let request = DecodeRequest(
            limits: DecodeLimits(pixels: 100_000_000),
            neededSize: PixelSize(width: 240, height: 240))
        let header = try readHeader(bytes, limits: request.limits)
        #expect(ImageDecoder.memoryCost(of: header, request: request) < 100 << 20)
        let size = try decode(bytes, request).size
        #expect(size == PixelSize(width: 1_125, height: 1_125))
    }

    @Test("a GIF with random codes and thousands of frames ends at its first frame")
    func frames() {
        var dice = SeededRandom(seed: 54)
        var bytes = Array("GIF89a".utf8) + le16(2_000) + le16(2_000) + [0x80, 0, 0]
        bytes += [0, 0, 0, 255, 255, 255]
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0] + le16(2_000) + le16(2_000) + [0, 8]
        var noise: [UInt8] = []
        for _ in 0..<3_000 {
            noise += [255] + (0..<255).map { _ in UInt8(dice.below(256)) }
        }
        bytes += frame + noise + [0]
        for _ in 0..<3_000 { bytes += frame + [1, 0x2A, 0] }
        let file = bytes + [0x3B]
        let cost = processorSeconds {
            #expect(["ok", "corrupt", "truncated"].contains(Outcome(file).name))
        }
        #expect(cost < 1)
    }

    @Test("a thousand nested boxes, or a box in every byte, end with an error")
    func boxes() {
        let head = be32(16) + Array("ftypheic".utf8) + be32(0)
        var nested: [UInt8] = []
        for _ in 0..<1_000 {
            nested = be32(nested.count + 8) + Array("ipco".utf8) + nested
        }
        let inside = be32(nested.count + 8) + Array("iprp".utf8) + nested
        let file = head + be32(inside.count + 12) + Array("meta".utf8) + be32(0) + inside
        let many =
            head + [[UInt8]](repeating: be32(8) + Array("free".utf8), count: 100_000).joined()
        for bytes in [file, many] {
            let cost = processorSeconds { #expect(Outcome(bytes).name != "ok") }
            #expect(cost < 1)
        }
    }

    @Test("a HEIC is decoded, or its error states why it cannot be")
    func heic() {
        let outcome = Outcome(HEIFSample.heicTurned)
        #expect(["ok", "unsupported"].contains(outcome.name))
    }

    @Test("an icon with a false directory shows its best valid picture, or none")
    func icons() {
        let good = ICOTests.png(20, 20)
        let whole = Outcome(ICOTests.file([(20, good)]))
        var crowded = ICOTests.file([(20, good)])
        crowded.replaceSubrange(4..<6, with: le16(65_535))
        let cost = processorSeconds { _ = Outcome(crowded) }
        #expect(cost < 0.1)
        // A PNG inside a 16-pixel icon that claims 900 megapixels.
        var lie = PNGFile(width: 1, height: 1, depth: 8, type: 6, raw: [])
        lie.chunks[0] = PNGFile.header(width: 30_000, height: 30_000, 8, 6)
        #expect(Outcome(ICOTests.file([(16, lie.bytes)])).name == "limit_pixels")
        var bitmap = BMPSample(bits: 24).head(isIcon: true)
        bitmap.replaceSubrange(4..<12, with: le32(0x7FFF_FFFF) + le32(0x8000_0000))
        #expect(["limit_pixels", "corrupt"].contains(Outcome(ICOTests.file([(16, bitmap)])).name))
        var long = ICOTests.file([(20, good)])
        long.replaceSubrange(14..<18, with: le32(0x7FFF_FFFF))
        #expect(Outcome(long) == whole)
        #expect(Outcome(ICOTests.file([(20, good)], kind: 2)) == whole)
        #expect(Outcome(good) == whole)
    }

    @Test("an APNG with twenty thousand frames shows its default image")
    func apng() {
        var file = PNGSample(depth: 8, type: 6).file(seed: 9)
        let whole = Outcome(file.bytes)
        let control = PNGFile.big(20_000) + PNGFile.big(0)
        file.chunks.insert(.init(name: "acTL", body: control), at: 1)
        let frame = PNGFile.Chunk(name: "fcTL", body: [UInt8](repeating: 0xFF, count: 26))
        let data = PNGFile.Chunk(name: "fdAT", body: [UInt8](repeating: 7, count: 60))
        let frames = (0..<20_000).flatMap { _ in [frame, data] }
        file.chunks.insert(contentsOf: frames, at: file.chunks.count - 1)
        let bytes = file.bytes
        let cost = processorSeconds { #expect(Outcome(bytes) == whole) }
        #expect(cost < 1)
    }

    @Test("Apple's CgBI variant of PNG is unsupported, and its channels are never swapped")
    func apple() {
        var file = PNGSample(depth: 8, type: 6).file(seed: 9)
        file.chunks.insert(.init(name: "CgBI", body: [0x50, 0, 0x20, 2]), at: 0)
        #expect(Outcome(file.bytes).name == "unsupported")
    }
}
