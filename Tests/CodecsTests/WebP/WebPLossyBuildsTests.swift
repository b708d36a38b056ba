import CWebPLossy
import Support
import System
import Testing

@Suite("The lossy WebP encoder for this processor and for any")
struct WebPLossyBuildsTests {
    /// Returns stripes of flat colours, gradients and noise.
    private static func pixels(_ width: Int, _ height: Int, _ random: inout SeededRandom) -> [UInt8]
    {
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let noise = UInt8(random.next() & 255)
                switch (x / 24 + y / 24) % 4 {
                case 0: bytes += [200, 30, 60, 255]
                case 1: bytes += [UInt8(x * 5 & 255), UInt8(y * 3 & 255), 90, 255]
                case 2: bytes += [noise, noise ^ 77, 255 - noise, 255]
                default: bytes += [noise & 3, 250, noise & 1 == 0 ? 0 : 255, 255]
                }
            }
        }
        return bytes
    }

    @Test("both builds of the lossy WebP encoder write the same bytes")
    func same() {
        let seed = TestSeed.value
        var random = SeededRandom(seed: seed)
        for (width, height) in [(1, 1), (3, 40), (16, 16), (97, 61), (160, 160), (260, 31)] {
            let pixels = Self.pixels(width, height, &random)
            for quantizer in [0, 11, 29, 60, 127] as [Int32] {
                var best = [UInt8](repeating: 0, count: pixels.count * 2 + 8192)
                var plain = best
                let (across, down, room) = (Int32(width), Int32(height), best.count)
                let first = unsafe emb_webp_encode(pixels, across, down, quantizer, &best, room)
                let second = unsafe emb_webp_encode_portable(
                    pixels, across, down, quantizer, &plain, room)
                #expect(first > 0)
                #expect(
                    first == second && best == plain, "\(width)x\(height), \(quantizer), \(seed)")
            }
        }
    }
}
