import Codecs
import Raster
import Testing

/// Files with a single fault, and the expected result of each.
@Suite struct PNGDamageTests {
    /// A change to a valid file and the expected class.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var expected: String
        var sample = PNGSample(depth: 8, type: 2)
        var change: @Sendable (inout PNGFile) -> Void

        init(
            _ name: String, _ expected: String, _ sample: PNGSample? = nil,
            _ change: @escaping @Sendable (inout PNGFile) -> Void
        ) {
            testDescription = name
            self.expected = expected
            self.sample = sample ?? self.sample
            self.change = change
        }
    }

    static let palette = PNGSample(depth: 2, type: 3, transparency: true)

    static let cases: [Case] = [
        Case("IHDR with a wrong checksum", "corrupt") { $0.chunks[0].checksumError = 1 },
        Case("IDAT with a wrong checksum", "corrupt") { $0.chunks[1].checksumError = 1 },
        Case("PLTE with a wrong checksum", "corrupt", palette) { $0.chunks[1].checksumError = 1 },
        Case("tRNS with a wrong checksum", "ok", palette) { $0.chunks[2].checksumError = 1 },
        Case("IEND with a wrong checksum", "corrupt") { $0.chunks[2].checksumError = 1 },
        Case("wrong Adler-32", "corrupt") { $0.chunks[1].body[$0.chunks[1].body.count - 1] ^= 1 },
        Case("no IEND", "ok") { $0.chunks.removeLast() },
        Case("no IDAT", "corrupt") { $0.chunks.remove(at: 1) },
        Case("no IDAT, no IEND", "truncated") { $0.chunks.removeSubrange(1...) },
        Case("no IHDR", "corrupt") { $0.chunks.removeFirst() },
        Case("two IHDR", "corrupt") { $0.chunks.insert($0.chunks[0], at: 1) },
        Case("IHDR too long", "corrupt") { $0.chunks[0].body.append(0) },
        Case("IHDR too short", "corrupt") { $0.chunks[0].body.removeLast() },
        Case("width zero", "corrupt") { $0.chunks[0] = PNGFile.header(width: 0, height: 9, 8, 2) },
        Case("height zero", "corrupt") { $0.chunks[0] = PNGFile.header(width: 9, height: 0, 8, 2) },
        Case("depth 0", "corrupt") { $0.chunks[0] = PNGFile.header(width: 9, height: 9, 0, 0) },
        Case("depth 3", "corrupt") { $0.chunks[0] = PNGFile.header(width: 9, height: 9, 3, 0) },
        Case("depth 99", "corrupt") { $0.chunks[0] = PNGFile.header(width: 9, height: 9, 99, 0) },
        Case("RGB of 4 bits", "corrupt") {
            $0.chunks[0] = PNGFile.header(width: 9, height: 9, 4, 2)
        },
        Case("palette of 16 bits", "corrupt") {
            $0.chunks[0] = PNGFile.header(width: 9, height: 9, 16, 3)
        },
        Case("colour type 1", "corrupt") {
            $0.chunks[0] = PNGFile.header(width: 9, height: 9, 8, 1)
        },
        Case("colour type 9", "corrupt") {
            $0.chunks[0] = PNGFile.header(width: 9, height: 9, 8, 9)
        },
        Case("interlace 2", "corrupt") {
            $0.chunks[0] = PNGFile.header(width: 9, height: 9, 8, 2, 2)
        },
        Case("compression 1", "corrupt") {
            $0.chunks[0] = PNGFile.header(width: 9, height: 9, 8, 2, compression: 1)
        },
        Case("filter method 1", "corrupt") {
            $0.chunks[0] = PNGFile.header(width: 9, height: 9, 8, 2, filter: 1)
        },
        Case("missing PLTE", "corrupt", palette) { $0.chunks.remove(at: 1) },
        Case("PLTE of 2 bytes", "corrupt", palette) { $0.chunks[1].body = [1, 2] },
        Case("PLTE of none", "corrupt", palette) { $0.chunks[1].body = [] },
        Case("PLTE of 257 colours", "corrupt", palette) {
            $0.chunks[1].body = [UInt8](repeating: 1, count: 771)
        },
        Case("PLTE longer than the depth allows", "ok", palette) {
            $0.chunks[1].body += [UInt8](repeating: 1, count: 60)
        },
        Case("two PLTE", "corrupt", palette) { $0.chunks.insert($0.chunks[1], at: 1) },
        Case("PLTE after IDAT", "ok") { $0.chunks.insert(.init(name: "PLTE", body: [1]), at: 2) },
        Case("broken PLTE in RGB", "ok") {
            $0.chunks.insert(.init(name: "PLTE", body: [1]), at: 1)
        },
        Case("tRNS too long", "ok", palette) { $0.chunks[2].body += [1, 2, 3, 4] },
        Case("tRNS before PLTE", "ok", palette) { $0.chunks.swapAt(1, 2) },
        Case("tRNS of RGB too short", "ok") {
            $0.chunks.insert(.init(name: "tRNS", body: [1]), at: 1)
        },
        Case("length 0xFFFFFFF0", "corrupt") { $0.chunks[1].claimedLength = 0xFFFF_FFF0 },
        Case("length 0xFFFFFFF0 first", "corrupt") { $0.chunks[0].claimedLength = 0xFFFF_FFF0 },
        Case("IDAT that claims two gigabytes", "ok") {
            $0.chunks[1].claimedLength = 0x7FFF_FFFF
        },
        Case("text that claims two gigabytes", "truncated") {
            $0.chunks.insert(.init(name: "tEXt", body: [], claimedLength: 0x7FFF_FFFF), at: 1)
        },
        Case("unknown critical chunk", "unsupported") {
            $0.chunks.insert(.init(name: "ABCD", body: []), at: 1)
        },
        Case("name that is not letters", "corrupt") {
            $0.chunks.insert(.init(name: "aB1D", body: []), at: 1)
        },
        Case("Apple's variant", "unsupported") {
            $0.chunks.insert(.init(name: "CgBI", body: [0x50, 0, 0x20, 2]), at: 0)
        },
        Case("filter 5", "corrupt") { file in
            file.chunks[1].body = PNGFile.stored([UInt8](repeating: 5, count: 112 * 29))
        },
        Case("half the rows", "truncated") {
            $0.chunks[1].body = PNGFile.stored([UInt8](repeating: 0, count: 112 * 14))
        },
        Case("no rows", "truncated") { $0.chunks[1].body = PNGFile.stored([]) },
        Case("empty IDAT", "truncated") { $0.chunks[1].body = [] },
        Case("not zlib", "corrupt") { $0.chunks[1].body = [0xFF, 0xFF, 1, 2, 3, 4, 5, 6] },
        Case("twice the rows", "ok") {
            $0.chunks[1].body = PNGFile.stored([UInt8](repeating: 0, count: 112 * 58))
        },
        Case("no Adler-32", "ok") { $0.chunks[1].body.removeLast(4) },
        Case("bytes behind the stream", "ok") { $0.chunks[1].body += [1, 2, 3] },
        Case("image data that goes on after another chunk", "truncated") {
            let half = $0.chunks[1].body.count / 2
            let rest = Array($0.chunks[1].body[half...])
            $0.chunks[1].body.removeSubrange(half...)
            $0.chunks.insert(.init(name: "tEXt", body: []), at: 2)
            $0.chunks.insert(.init(name: "IDAT", body: rest), at: 3)
        },
    ]

    @Test(
        "a PNG with one error has the expected error class, whole and by rows", arguments: cases)
    func surgery(item: Case) {
        var file = item.sample.file(seed: 5)
        item.change(&file)
        let outcome = PNGOutcome(file.bytes)
        #expect(outcome.name == item.expected, "\(outcome)")
        let byRows = PNGOutcome.byRows(file.bytes)
        #expect(byRows.name == outcome.name && byRows.rgba == outcome.rgba)
    }

    @Test("a PNG chunk with a bad checksum is treated as missing")
    func dropped() {
        var file = Self.palette.file(seed: 5)
        file.chunks[2].checksumError = 1
        let damaged = PNGOutcome(file.bytes)
        file.chunks.remove(at: 2)
        #expect(PNGOutcome(file.bytes) == damaged)
    }

    @Test(
        "a PNG over the size limits is refused on its header alone",
        arguments: [
            (Int(Int32.max), Int(Int32.max)), (Int(UInt32.max), Int(UInt32.max)), (46_341, 46_341),
            (32_768, 32_768), (30_000, 30_000), (65_535, 65_535), (1_000_001, 1), (1, 2_000_000),
            (Int(UInt32.max), 1),
        ])
    func limits(width: Int, height: Int) {
        for (depth, type, interlace) in [(1, 0, 0), (8, 3, 0), (8, 6, 0), (16, 6, 1)] {
            var file = PNGFile(width: 1, height: 1, depth: 8, type: 0, raw: [])
            file.chunks = [PNGFile.header(width: width, height: height, depth, type, interlace)]
            #expect(PNGOutcome(file.bytes).name == "limitPixels")
        }
    }

    @Test("a PNG within the size limits but without its data is truncated at no cost")
    func claimed() {
        var file = PNGFile(width: 7000, height: 7000, depth: 16, type: 6, raw: [0, 1, 2])
        #expect(PNGOutcome(file.bytes).name == "truncated")
        file.chunks.removeLast()
        #expect(PNGOutcome(file.bytes).name == "truncated")
    }

    @Test("a damaged PNG signature is not an image, or a truncated PNG")
    func signatures() {
        let bytes = PNGSample(depth: 8, type: 6).file(seed: 1).bytes
        func outcome(_ bytes: [UInt8]) -> String { PNGOutcome(bytes).name }
        #expect(outcome([]) == "notImage")
        #expect(outcome([0x89]) == "notImage")
        #expect(outcome([UInt8](repeating: 0, count: 100)) == "notImage")
        for count in 4...33 { #expect(outcome(Array(bytes[..<count])) == "truncated") }
        for offset in [0, 1, 2, 3, 6] {
            var damaged = bytes
            damaged[offset] ^= 0x80
            #expect(outcome(damaged) == "corrupt", "byte \(offset)")
            #expect(ImageSniffer.sniff(damaged.span) == .picture(.png))
        }
        // Text-mode transfers insert a carriage return before, or after, a line feed.
        #expect(outcome(Array(bytes[..<4] + [0x0D] + bytes[4...])) == "corrupt")
        #expect(outcome(Array(bytes[..<6] + [0x0A] + bytes[6...])) == "corrupt")
    }
}
