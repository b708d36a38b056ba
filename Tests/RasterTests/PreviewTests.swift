import Glibc
import Raster
import Support
import System
import Testing

@Suite("ThumbHash and dominant colour")
struct PreviewTests {
    /// The hash by the format's own description, without optimisation.
    ///
    /// - Parameter bias: added before values are rounded.
    private func referenceHash(_ picture: borrowing PixelBuffer, bias: Double = 0) -> [UInt8] {
        let (w, h) = (picture.width, picture.height)
        let bytes = Pictures.bytes(picture).map { Double($0) / 255 }
        func plane(_ value: (Int) -> Double) -> [Double] { (0..<(w * h)).map(value) }
        let alphas = plane { bytes[$0 * 4 + 3] }
        let total = alphas.reduce(0, +)
        func average(_ channel: Int) -> Double {
            total > 0 ? plane { bytes[$0 * 4 + channel] }.reduce(0, +) / total : 0
        }
        let averages = [average(0), average(1), average(2)]
        func over(_ channel: Int) -> [Double] {
            plane { bytes[$0 * 4 + channel] + averages[channel] * (1 - alphas[$0]) }
        }
        let (r, g, b) = (over(0), over(1), over(2))
        let hasAlpha = Pictures.bytes(picture).enumerated().contains { $0 % 4 == 3 && $1 < 255 }
        let limit = hasAlpha ? 5.0 : 7.0
        func count(_ side: Int) -> Int {
            max(1, Int((limit * Double(side) / Double(max(w, h)) + 0.5).rounded(.down)))
        }
        func round(_ value: Double) -> Int { Int((value + 0.5 + bias).rounded(.down)) }
        func encode(_ plane: [Double], _ nx: Int, _ ny: Int) -> (Double, [Double], Double) {
            var (constant, others, scale) = (0.0, [Double](), 0.0)
            for cy in 0..<ny {
                for cx in 0..<nx where cx * ny < nx * (ny - cy) {
                    var f = 0.0
                    for y in 0..<h {
                        for x in 0..<w {
                            f +=
                                plane[x + y * w]
                                * cos(Double.pi / Double(w) * Double(cx) * (Double(x) + 0.5))
                                * cos(Double.pi / Double(h) * Double(cy) * (Double(y) + 0.5))
                        }
                    }
                    f /= Double(w * h)
                    // A coefficient of zero is between two levels, where rounding noise would
                    // decide.
                    if abs(f) < 1e-9 { f = 0 }
                    if cx == 0 && cy == 0 {
                        constant = f
                    } else {
                        others.append(f)
                        scale = max(scale, abs(f))
                    }
                }
            }
            return (constant, others.map { scale > 1e-9 ? 0.5 + 0.5 / scale * $0 : 0 }, scale)
        }
        let l = encode(plane { (r[$0] + g[$0] + b[$0]) / 3 }, max(3, count(w)), max(3, count(h)))
        let p = encode(plane { (r[$0] + g[$0]) / 2 - b[$0] }, 3, 3)
        let q = encode(plane { r[$0] - g[$0] }, 3, 3)
        let a = encode(alphas, 5, 5)
        let wide = w > h
        let first =
            round(63 * l.0) | round(31.5 + 31.5 * p.0) << 6 | round(31.5 + 31.5 * q.0) << 12
            | round(31 * l.2) << 18 | (hasAlpha ? 1 : 0) << 23
        let second =
            (wide ? count(h) : count(w)) | round(63 * p.2) << 3 | round(63 * q.2) << 9
            | (wide ? 1 : 0) << 15
        var hash = [first & 255, first >> 8 & 255, first >> 16, second & 255, second >> 8]
        if hasAlpha { hash.append(round(15 * a.0) | round(15 * a.2) << 4) }
        let nibbles = (l.1 + p.1 + q.1 + (hasAlpha ? a.1 : [])).map { round(15 * $0) }
        for index in stride(from: 0, to: nibbles.count, by: 2) {
            hash.append(nibbles[index] | (index + 1 < nibbles.count ? nibbles[index + 1] << 4 : 0))
        }
        return hash.map { UInt8($0) }
    }

    @Test("the ThumbHash matches the reference description")
    func hashes() {
        let seed = TestSeed.value
        var random = SeededRandom(seed: seed)
        for round in 0..<24 {
            let width = random.number(in: 1...60)
            let height = random.number(in: 1...60)
            let picture =
                round % 3 == 0
                ? Pictures.photo(width, height, seed: seed)
                : Pictures.noise(width, height, seed: seed ^ UInt64(round), opaque: round % 3 == 1)
            // Between two levels the order of summation decides, so both results are right.
            let (below, above) = (
                referenceHash(picture, bias: -1e-9), referenceHash(picture, bias: 1e-9)
            )
            let hash = ThumbHash.bytes(of: picture)
            #expect(
                hash.count == below.count
                    && hash.indices.allSatisfy { [below[$0], above[$0]].contains(hash[$0]) },
                "\(TestSeed.words), round \(round): \(width)x\(height)")
        }
    }

    @Test("the dominant colour of a logo ignores transparent and white surroundings")
    func dominantLogo() {
        let blue = Color(red: 10, green: 95, blue: 255)
        let ring = Pictures.Logo.rings.drawn(90, 90)
        #expect(DominantColor.of(ring) == blue)
        let large = Pictures.Logo.rings.drawn(400, 300)
        #expect(DominantColor.of(large) == blue)
        let spot = Pictures.make(50, 50, opaque: true) { x, y in
            x < 15 && y < 15 ? blue : Color(red: 250, green: 250, blue: 250)
        }
        #expect(DominantColor.of(spot) == blue)
    }

    @Test("the dominant colour is weighted by alpha, and invisible pixels do not count")
    func weights() {
        let picture = Pictures.make(50, 50) { x, _ in
            x < 35
                ? Color(red: 255, green: 0, blue: 0, alpha: 60) : Color(red: 0, green: 160, blue: 0)
        }
        #expect(DominantColor.of(picture) == Color(red: 0, green: 160, blue: 0))
        let clear = PixelBuffer(size: PixelSize(width: 4, height: 4))
        #expect(DominantColor.of(clear) == nil)
        var white = PixelBuffer(size: PixelSize(width: 4, height: 4))
        white.fill(.white)
        #expect(DominantColor.of(white) == .white)
    }
}
