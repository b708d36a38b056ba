import Codecs
import Raster
import Testing

/// Embedded profiles are applied before premultiplying and ignored if they do not fit.
@Suite struct PNGProfileTests {
    /// Returns a profile with three primaries, in the given order, and one gamma.
    private static func profile(primaries: [[Double]], gamma: UInt16) -> [UInt8] {
        func fixed(_ value: Double) -> [UInt8] { PNGFile.big(UInt32(Int32(value * 65_536))) }
        func text(_ letters: String) -> [UInt8] { Array(letters.utf8) }
        let white = [0.9642, 1.0, 0.8249]
        let points = ([white] + primaries).map { text("XYZ ") + PNGFile.big(0) + $0.flatMap(fixed) }
        let curve =
            text("curv") + PNGFile.big(0) + PNGFile.big(1)
            + [UInt8(gamma >> 8), UInt8(gamma & 255), 0, 0]
        let names = ["wtpt", "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"]
        let start = 128 + 4 + names.count * 12
        var table = PNGFile.big(UInt32(names.count))
        for (index, name) in names.enumerated() {
            let offset = start + min(index, 4) * 20
            let size: UInt32 = index < 4 ? 20 : 16
            table += text(name) + PNGFile.big(UInt32(offset)) + PNGFile.big(size)
        }
        let body = table + points.flatMap(\.self) + curve
        var header = [UInt8](repeating: 0, count: 128)
        header.replaceSubrange(0..<4, with: PNGFile.big(UInt32(128 + body.count)))
        header.replaceSubrange(8..<12, with: [2, 0x40, 0, 0])
        header.replaceSubrange(12..<24, with: text("mntrRGB XYZ "))
        header.replaceSubrange(36..<40, with: text("acsp"))
        header.replaceSubrange(68..<80, with: white.flatMap(fixed))
        return header + body
    }

    private static func chunk(_ profile: [UInt8]) -> PNGFile.Chunk {
        .init(name: "iCCP", body: Array("p".utf8) + [0, 0] + PNGFile.stored(profile))
    }

    private static let red = [0.4361, 0.2225, 0.0139]
    private static let green = [0.3851, 0.7169, 0.0971]
    private static let blue = [0.1431, 0.0606, 0.7141]
    private static let swapped = chunk(profile(primaries: [green, red, blue], gamma: 0x0233))

    @Test("a PNG profile changes the colours of samples and palettes alike")
    func applied() throws {
        let colors: [[UInt8]] = [[250, 10, 10], [10, 200, 30], [90, 90, 90], [0, 0, 0]]
        let palette = PNGFile(
            width: 4, height: 1, depth: 8, type: 3,
            before: [Self.swapped, .init(name: "PLTE", body: colors.flatMap(\.self))],
            raw: [0, 0, 1, 2, 3])
        let samples = PNGFile(
            width: 4, height: 1, depth: 8, type: 2, before: [Self.swapped],
            raw: [0] + colors.flatMap(\.self))
        let veiled = PNGFile(
            width: 4, height: 1, depth: 8, type: 6, before: [Self.swapped],
            raw: [0] + colors.flatMap { $0 + [255] })
        let outcome = PNGOutcome(palette.bytes)
        #expect(PNGOutcome(samples.bytes) == outcome)
        #expect(PNGOutcome(veiled.bytes) == outcome)
        #expect(PNGOutcome.byRows(veiled.bytes) == outcome)
        let rgba = outcome.rgba
        #expect(rgba[1] > 200 && rgba[0] < 80, "red became green: \(rgba)")
        #expect(rgba[4] > 150 && rgba[5] < 80, "green became red: \(rgba)")
        let header = try PNGDecoder.header(of: samples.bytes.span, limits: DecodeLimits())
        #expect(header.hasProfile)
        let limits = DecodeLimits(profileBytes: 100)
        #expect(try !PNGDecoder.header(of: samples.bytes.span, limits: limits).hasProfile)
    }

    @Test("transparent PNG pixels stay transparent under a profile")
    func transparent() {
        let file = PNGFile(
            width: 2, height: 1, depth: 16, type: 6, before: [Self.swapped],
            raw: [0, 255, 255, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 128, 128])
        let rgba = PNGOutcome(file.bytes).rgba
        #expect(Array(rgba[..<4]) == [0, 0, 0, 0])
        #expect(rgba[7] == 128 && rgba[5] > 100)
    }

    @Test("a broken or mislabelled PNG profile leaves the picture unchanged")
    func dropped() throws {
        let plain = PNGSample(depth: 8, type: 2).file(seed: 21)
        let whole = PNGOutcome(plain.bytes)
        var wrong = Self.swapped
        wrong.checksumError = 1
        let chunks: [PNGFile.Chunk] = [
            wrong, Self.chunk([1, 2, 3]), Self.chunk([UInt8](repeating: 7, count: 500)),
            .init(name: "iCCP", body: []), .init(name: "iCCP", body: [65, 0]),
            .init(name: "iCCP", body: [65, 0, 9, 1, 2]), .init(name: "iCCP", body: [0, 0, 0, 1]),
            .init(name: "iCCP", body: [UInt8](repeating: 65, count: 200)),
        ]
        for chunk in chunks {
            var file = plain
            file.chunks.insert(chunk, at: 1)
            #expect(PNGOutcome(file.bytes) == whole)
        }
        // An RGB profile does not apply to grey.
        var grey = PNGSample(depth: 8, type: 0).file(seed: 21)
        let without = PNGOutcome(grey.bytes)
        grey.chunks.insert(Self.swapped, at: 1)
        #expect(PNGOutcome(grey.bytes) == without)
    }
}
