import Raster
import Support
import System
import Testing

@Suite("Pictures made of planes")
struct ColorPlanesTests {
    private static func planes(
        _ width: Int, _ height: Int, hasAlpha: Bool,
        _ pixel: (Int, Int) -> (luma: UInt8, blue: UInt8, red: UInt8, alpha: UInt8)
    ) -> ColorPlanes {
        let planes = ColorPlanes(
            unwritten: PixelSize(width: width, height: height), hasAlpha: hasAlpha)
        for y in 0..<height {
            for x in 0..<width {
                let values = pixel(x, y)
                unsafe planes.luma[y * width + x] = values.luma
                unsafe planes.alpha?[y * width + x] = values.alpha
                let quarter = y / 2 * planes.chromaSize.width + x / 2
                unsafe planes.blue[quarter] = values.blue
                unsafe planes.red[quarter] = values.red
            }
        }
        return planes
    }

    private static func noise(_ width: Int, _ height: Int, hasAlpha: Bool, seed: UInt64)
        -> ColorPlanes
    {
        var random = SeededRandom(seed: seed)
        return planes(width, height, hasAlpha: hasAlpha) { x, y in
            let bits = random.next()
            // Wide transparent and opaque areas, with random alpha in between.
            let field = (x / 37 + y / 5) % 3
            let alpha = field == 0 ? 0 : field == 1 ? 255 : UInt8(bits >> 32 & 255)
            return (UInt8(bits & 255), UInt8(bits >> 8 & 255), UInt8(bits >> 16 & 255), alpha)
        }
    }

    @Test("every plane kernel gives the same bytes", arguments: [false, true])
    func twins(hasAlpha: Bool) {
        let seed = TestSeed.value
        for (width, height) in [(2, 2), (3, 5), (31, 9), (64, 33), (65, 34), (200, 3), (331, 87)] {
            let pictures = KernelChoice.allCases.map { kernel in
                let planes = Self.noise(width, height, hasAlpha: hasAlpha, seed: seed)
                return Pictures.bytes(planes.halved(kernel: kernel))
            }
            #expect(Set(pictures).count == 1, "\(width) by \(height), seed \(seed)")
            #expect(pictures[0].count == (width + 1) / 2 * ((height + 1) / 2) * 4)
        }
    }

    @Test("planes of one colour keep that colour at any alpha", arguments: [nil, 255, 128, 9, 0])
    func even(alpha: UInt8?) {
        for (luma, blue, red) in [(235, 128, 128), (16, 128, 128), (81, 90, 240), (145, 54, 34)] {
            let planes = Self.planes(67, 41, hasAlpha: alpha != nil) { _, _ in
                (UInt8(luma), UInt8(blue), UInt8(red), alpha ?? 255)
            }
            let picture = planes.halved()
            #expect(picture.isOpaque == (alpha == nil))
            let bytes = Pictures.bytes(picture)
            let first = Array(bytes[0..<4])
            for offset in stride(from: 0, to: bytes.count, by: 4) {
                #expect(Array(bytes[offset..<offset + 4]) == first)
            }
            #expect(first[3] == alpha ?? 255)
            guard alpha ?? 255 > 100 else { continue }
            // BT.601 in floating point.
            let (y, u, v) = (Double(luma - 16) * 255 / 219, Double(blue - 128), Double(red - 128))
            let exact = [
                y + 1.596027 * v, y - 0.391762 * u - 0.812968 * v, y + 2.017232 * u,
            ]
            for (found, value) in zip(first, exact) {
                #expect(abs(Double(found) - min(max(value, 0), 255)) < 3)
            }
        }
    }

    @Test("an even picture from planes has the same weights as one from pixels")
    func weights() {
        // Grey, so that only luma matters.
        let seed = TestSeed.value
        for (width, height) in [(64, 48), (65, 47)] {
            var random = SeededRandom(seed: seed)
            let levels = (0..<width * height).map { _ in UInt8(16 + random.next() % 220) }
            let planes = Self.planes(width, height, hasAlpha: false) { x, y in
                (levels[y * width + x], 128, 128, 255)
            }
            let picture = Pictures.make(width, height, opaque: true) { x, y in
                let level = levels[y * width + x]
                return Color(red: level, green: level, blue: level)
            }
            let other = picture.halved(
                for: [PixelSize(width: width / 8, height: height / 8)])
            let (found, known) = (Pictures.bytes(planes.halved()), Pictures.bytes(other))
            #expect(found.count == known.count)
            for offset in stride(from: 0, to: found.count, by: 4) {
                let shown = (Double(known[offset]) - 16) * 255 / 219
                #expect(abs(Double(found[offset]) - shown) < 1.01)
            }
        }
    }
}
