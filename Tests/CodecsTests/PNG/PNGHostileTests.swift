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

    @Test("a PNG with flipped bits has one outcome, whole and by rows")
    func flips() throws {
        var dice = SeededRandom(seed: 2024)
        let files = try [Self.encoded(24)] + PNGSample.all.map { $0.file(seed: 12).bytes }
        for file in files {
            for _ in 0..<60 {
                var damaged = file
                for _ in 0...Int(dice.next() % 3) {
                    let bit = Int(dice.next() % UInt64(file.count * 8))
                    damaged[bit / 8] ^= 1 << UInt8(bit % 8)
                }
                let outcome = PNGOutcome(damaged)
                let byRows = PNGOutcome.byRows(damaged)
                #expect(byRows.name == outcome.name && byRows.rgba == outcome.rgba)
            }
        }
    }

    @Test("a damaged PNG with valid checksums has one outcome, whole and by rows")
    func damagedStreams() throws {
        var dice = SeededRandom(seed: 77)
        let file = try Self.encoded(48)
        let data = try #require(Self.imageData(of: file))
        for _ in 0..<400 {
            var body = Array(file[data])
            let offset = Int(dice.next() % UInt64(body.count))
            body[offset] = UInt8(truncatingIfNeeded: dice.next())
            var damaged = Array(file[..<(data.lowerBound - 8)])
            damaged += PNGFile.big(UInt32(body.count))
            let part = Array("IDAT".utf8) + body
            damaged += part + PNGFile.big(PNGFile.checksum(part))
            let outcome = PNGOutcome(damaged)
            #expect(["ok", "corrupt", "truncated"].contains(outcome.name))
            let byRows = PNGOutcome.byRows(damaged)
            #expect(byRows.name == outcome.name && byRows.rgba == outcome.rgba, "byte \(offset)")
        }
    }

    private static func imageData(of file: [UInt8]) -> Range<Int>? {
        var offset = 8
        for (name, length) in PNGReference.chunks(of: file) {
            if name == "IDAT" { return offset + 8..<offset + 8 + length }
            offset += length + 12
        }
        return nil
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
