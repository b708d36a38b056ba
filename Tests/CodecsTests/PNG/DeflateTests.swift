import CDeflate
import CLibDeflate
import CZlib
import Support
import System
import Testing

@Suite struct DeflateTests {
    private static let efforts = [EMB_DEFLATE_QUICK, EMB_DEFLATE_THOROUGH]

    private static func packed(
        _ source: [UInt8], row: Int = 513, step: Int = 4,
        effort: emb_deflate_effort = EMB_DEFLATE_THOROUGH
    ) -> [UInt8] {
        var output = [UInt8](repeating: 0xEE, count: emb_deflate_bound(source.count))
        let size = unsafe emb_deflate(
            source, source.count, emb_deflate_rows(length: row, step: step), effort, &output)
        return Array(output[..<size])
    }

    /// Returns the output of zlib and libdeflate, or nil if they reject the stream or leave bytes
    /// over.
    private static func unpacked(
        _ packed: [UInt8], of source: [UInt8]
    ) -> (zlib: [UInt8]?, other: [UInt8]?) {
        var bytes = [UInt8](repeating: 0, count: source.count + 1)
        var count = UInt(bytes.count)
        let checksum = unsafe UInt32(adler32(1, source, UInt32(source.count)))
        let whole =
            [0x78, 0x9C] + packed
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> $0) }
        var used = UInt(whole.count)
        let result = unsafe uncompress2(&bytes, &count, whole, &used)
        let isWhole = result == Z_OK && used == whole.count
        let zlib = isWhole ? Array(bytes[..<Int(count)]) : nil

        guard let inflater = unsafe libdeflate_alloc_decompressor() else { return (zlib, nil) }
        defer { unsafe libdeflate_free_decompressor(inflater) }
        bytes = [UInt8](repeating: 0, count: source.count)
        // Without a pointer for the actual size, libdeflate fails unless the size matches.
        let other = unsafe libdeflate_deflate_decompress(
            inflater, packed, packed.count, &bytes, bytes.count, nil)
        return (zlib, other == LIBDEFLATE_SUCCESS ? bytes : nil)
    }

    private static func expectRoundTrip(
        _ source: [UInt8], _ what: String, row: Int = 513, step: Int = 4
    ) {
        for effort in efforts {
            let packed = packed(source, row: row, step: step, effort: effort)
            #expect(packed.count > 0 && packed.count <= emb_deflate_bound(source.count), "\(what)")
            let (zlib, other) = unpacked(packed, of: source)
            #expect(zlib == source, "\(what), effort \(effort.rawValue)")
            #expect(other == source, "\(what), effort \(effort.rawValue)")
        }
    }

    @Test("Deflate restores short inputs", arguments: [0, 1, 2, 3, 4, 9, 40])
    func few(count: Int) {
        var dice = SeededRandom(seed: UInt64(count))
        for step in 1...8 {
            Self.expectRoundTrip(dice.bytes(count), "noise", row: step + 1, step: step)
            let same = [UInt8](repeating: 7, count: count)
            Self.expectRoundTrip(same, "one byte", row: count + 1, step: step)
            let few = (0..<count).map { _ in UInt8(dice.below(2)) }
            Self.expectRoundTrip(few, "two bytes", row: 3 * step + 1, step: step)
        }
    }

    @Test("Deflate restores long runs and repetitions at any distance")
    func repetitions() {
        var dice = SeededRandom(seed: 7)
        Self.expectRoundTrip([UInt8](repeating: 0, count: 3_000_000), "zeros")
        for period in [1, 2, 3, 255, 257, 258, 259, 32_767, 32_768, 32_769, 65_535, 65_536, 65_537]
        {
            let once = dice.bytes(period)
            let source = Array(repeatElement(once, count: 200_000 / period + 2).joined())
            Self.expectRoundTrip(source, "period \(period)")
            let reach = period <= 32_768
            let size = Self.packed(source).count
            #expect((size < source.count / 2) == reach, "period \(period): \(size)")
        }
    }

    @Test("Deflate restores mixed data in blocks that fit each part")
    func parts() {
        var dice = SeededRandom(seed: 9)
        // Symbols with Fibonacci-like counts need codes longer than the maximum.
        var rare: [UInt8] = []
        var (count, before) = (1, 1)
        for letter in 0..<24 {
            rare += [UInt8](repeating: UInt8(letter), count: count)
            (count, before) = (count + before, count)
        }
        rare.shuffle(using: &dice)
        let low = (0..<60_000).map { _ in UInt8(dice.below(8)) }
        let high = (0..<60_000).map { _ in UInt8(200 + dice.below(8)) }
        let noise = dice.bytes(300_000)
        Self.expectRoundTrip(rare, "rare letters")
        Self.expectRoundTrip(noise, "noise")
        Self.expectRoundTrip(low + noise + high + rare + low, "parts")
        #expect(Self.packed(noise).count <= noise.count + noise.count / 1000)
        // With one code for both parts, each symbol would need one bit more, in total 15,000 bytes.
        let apart = Self.packed(low).count + Self.packed(high).count
        #expect(Self.packed(low + high).count < apart + 1000)
    }

    @Test(
        "Deflate restores more literals than one block holds and the data after them",
        arguments: [1, 3, 4])
    func literals(step: Int) {
        var dice = SeededRandom(seed: UInt64(step))
        // Each pixel starts with four new bytes.
        let width = 512
        var number = 0
        var source: [UInt8] = []
        while source.count < (5 << 20) / 2 {
            source.append(0)
            let repeats = source.count > 3 << 19
            for x in 0..<width {
                if repeats, x % 3 > 0 {
                    // An array slice would copy all bytes on each append.
                    source += Array(source.suffix(step))
                    continue
                }
                number += 1
                for part in 0..<step {
                    let byte = part < 3 ? number >> (7 * part) : dice.below(128)
                    source.append(UInt8(byte & 127))
                }
            }
        }
        Self.expectRoundTrip(source, "numbers", row: 1 + width * step, step: step)
    }

    @Test("Deflate restores data with an impossible row length", arguments: [0, 1, 9, 20, 1 << 21])
    func oddShapes(step: Int) {
        var dice = SeededRandom(seed: 3)
        let source = dice.bytes(2000) + [UInt8](repeating: 1, count: 2000) + dice.bytes(13)
        for row in [0, 1, 20, 1 << 40] { Self.expectRoundTrip(source, "odd", row: row, step: step) }
    }

    @Test("Deflate restores rows of pixels with any declared shape")
    func shapes() {
        var dice = SeededRandom(seed: TestSeed.value)
        for _ in 0..<60 {
            let step = 1 + dice.below(8)
            let width = 1 + dice.below(200)
            let row = 1 + width * step
            var source: [UInt8] = []
            for line in 0..<(1 + dice.below(200)) {
                source.append(UInt8(line % 5))
                for x in 0..<width {
                    let pixel = dice.below(9) == 0 ? dice.bytes(step) : Array(0..<UInt8(step))
                    source += x > line ? pixel : [UInt8](repeating: 0, count: step)
                }
            }
            Self.expectRoundTrip(source, "\(row) by \(step)", row: row, step: step)
            Self.expectRoundTrip(
                source, "another shape", row: 1 + dice.below(3 * row), step: 1 + dice.below(8))
        }
    }
}
