import Codecs
import Raster
import Support
import System
import Testing

/// Files that cost time or memory, truncated files, and files with flipped bits.
@Suite struct PNGHostileTests {
    private static func encoded(_ side: Int = 64) throws -> [UInt8] {
        var picture = PixelBuffer(size: PixelSize(width: side, height: side))
        TestEmblem.draw(3, on: &picture)
        return try PNGEncoder.encode(picture, palette: false)
    }

    @Test("every prefix of a PNG is truncated, whole and by rows")
    func prefixes() throws {
        var files = [try Self.encoded()]
        for sample in [
            PNGSample(depth: 8, type: 6), PNGSample(depth: 4, type: 3, interlaced: true),
        ] {
            files.append(sample.file(seed: 8).bytes)
        }
        for file in files {
            // The two checksums and the end marker may be missing, and the last two bytes of a
            // stream may contain no pixel data.
            for count in 4..<file.count - 24 {
                let prefix = Array(file[..<count])
                #expect(PNGOutcome(prefix).name == "truncated", "\(count) of \(file.count)")
                #expect(PNGOutcome.byRows(prefix).name == "truncated", "\(count)")
            }
            for count in file.count - 12..<file.count {
                #expect(PNGOutcome(Array(file[..<count])).name == "ok", "\(count)")
            }
        }
    }

    @Test("a PNG with a million tiny chunks or a hundred thousand texts costs little")
    func manyChunks() {
        let sample = PNGSample(depth: 8, type: 6, width: 500, height: 500)
        var file = sample.file(seed: 6)
        let whole = PNGOutcome(file.bytes)
        let data = file.chunks[1].body
        file.chunks[1].body = []
        let text = PNGFile.Chunk(name: "tEXt", body: [65, 0, 66])
        var bytes = file.bytes
        bytes.removeLast(24)
        for _ in 0..<100_000 {
            bytes += PNGFile.big(3) + Array("tEXt".utf8) + text.body + [0, 0, 0, 0]
        }
        for byte in data {
            let part = Array("IDAT".utf8) + [byte]
            bytes += PNGFile.big(1) + part + PNGFile.big(PNGFile.checksum(part))
        }
        let hostile = bytes
        let cost = processorSeconds { #expect(PNGOutcome(hostile) == whole) }
        let costByRows = processorSeconds { #expect(PNGOutcome.byRows(hostile) == whole) }
        #expect(cost < 1 && costByRows < 2)
    }

    @Test("PNG data that inflates to 300 MB in an 8x8 picture is stopped early")
    func bomb() {
        var file = PNGSample(depth: 8, type: 6, width: 8, height: 8).file(seed: 6)
        file.chunks[1].body = PNGFile.bomb(runs: 1_200_000)
        let bytes = file.bytes
        let cost = processorSeconds { #expect(PNGOutcome(bytes).name == "ok") }
        #expect(cost < 0.2)
        // In a text or profile chunk, this data is never inflated beyond the limit.
        let bomb = Array("name".utf8) + [0, 0] + file.chunks[1].body
        file = PNGSample(depth: 8, type: 6, width: 8, height: 8).file(seed: 6)
        let whole = PNGOutcome(file.bytes)
        file.chunks.insert(.init(name: "zTXt", body: bomb), at: 1)
        file.chunks.insert(.init(name: "iCCP", body: bomb), at: 1)
        let framed = file.bytes
        let costOfProfile = processorSeconds { #expect(PNGOutcome(framed) == whole) }
        #expect(costOfProfile < 0.2)
    }
}
