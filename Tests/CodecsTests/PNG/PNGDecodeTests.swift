import Codecs
import Raster
import Testing

@Suite struct PNGDecodeTests {
    @Test(
        "PNG of every colour type, depth and interlacing is decoded as by libpng",
        arguments: PNGSample.all)
    func allKinds(sample: PNGSample) throws {
        for seed: UInt64 in 1...6 {
            var sample = sample
            // Odd sizes, including a width of one, so that passes and last bytes are not full.
            sample.width = [37, 1, 2, 5, 64, 3][Int(seed) - 1]
            sample.height = [29, 7, 1, 4, 33, 3][Int(seed) - 1]
            let file = sample.file(seed: seed).bytes
            let reference = try #require(PNGReference.decode(file), "seed \(seed)")
            let outcome = PNGOutcome(file)
            #expect(outcome.rgba == PNGReference.premultiplied(reference), "seed \(seed)")
            #expect(outcome == PNGOutcome.byRows(file), "seed \(seed)")
        }
    }

    @Test(
        "an opaque PNG is marked as opaque, and no other is",
        arguments: PNGSample.all)
    func opacity(sample: PNGSample) {
        let outcome = PNGOutcome(sample.file(seed: 11).bytes)
        guard case .pixels(_, _, let rgba, let isOpaque) = outcome else {
            Issue.record("no pixels: \(outcome.name)")
            return
        }
        let expected = stride(from: 3, to: rgba.count, by: 4).allSatisfy { rgba[$0] == 255 }
        #expect(isOpaque == expected)
    }

    @Test("16-bit PNG samples are rounded to the nearest byte")
    func rounding() {
        let values = 0..<65_536
        let raw: [UInt8] = [0] + values.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let file = PNGFile(width: values.count, height: 1, depth: 16, type: 0, raw: raw).bytes
        let rgba = PNGOutcome(file).rgba
        #expect(values.allSatisfy { Int(rgba[$0 * 4]) == ($0 * 2 + 257) / 514 })
    }

    @Test("a PNG index beyond the palette is opaque black, as in libpng")
    func indexBeyondPalette() throws {
        let file = PNGFile(
            width: 4, height: 1, depth: 8, type: 3,
            before: [
                .init(name: "PLTE", body: [200, 100, 50, 10, 20, 30]),
                .init(name: "tRNS", body: [128]),
            ], raw: [0, 0, 1, 2, 255]
        ).bytes
        let rgba = PNGOutcome(file).rgba
        #expect(Array(rgba[8...]) == [0, 0, 0, 255, 0, 0, 0, 255])
        #expect(rgba == PNGReference.premultiplied(try #require(PNGReference.decode(file))))
    }

    @Test("a transparent PNG pixel keeps no hidden colour")
    func hiddenColor() {
        let file = PNGFile(
            width: 2, height: 1, depth: 8, type: 6, raw: [0, 255, 0, 0, 0, 255, 0, 0, 0])
        #expect(PNGOutcome(file.bytes).rgba == [UInt8](repeating: 0, count: 8))
    }

    @Test("the longest and thinnest PNG pictures are decoded")
    func thin() {
        let long = PNGFile(
            width: 1_000_000, height: 1, depth: 1, type: 0,
            raw: [UInt8](repeating: 0, count: 125_001))
        let tall = PNGFile(
            width: 1, height: 1_000_000, depth: 1, type: 0,
            raw: [UInt8](repeating: 0, count: 2_000_000))
        #expect(PNGOutcome(long.bytes).name == "ok")
        #expect(PNGOutcome(tall.bytes).name == "ok")
    }
}

extension PNGOutcome: CustomStringConvertible {
    var description: String { name }
}
