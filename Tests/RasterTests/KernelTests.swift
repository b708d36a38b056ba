import Raster
import Support
import System
import Testing

@Suite("Fast kernels compared with plain ones")
struct KernelTests {
    /// Returns opaque, transparent and translucent pixels, some with colours above their alpha.
    private static func pixels(_ count: Int, _ random: inout SeededRandom) -> [UInt8] {
        var bytes: [UInt8] = []
        var kind = 0
        for index in 0..<count {
            if index % 11 == 0 { kind = random.number(in: 0...4) }
            let color = (0..<3).map { _ in UInt8(random.number(in: 0...255)) }
            switch kind {
            case 0: bytes += [0, 0, 0, 0]
            case 1: bytes += color + [255]
            case 2: bytes += color + [0]
            default: bytes += color + [UInt8(random.number(in: 0...255))]
            }
        }
        return bytes
    }

    private static func picture(_ bytes: [UInt8], width: Int) -> PixelBuffer {
        var result = PixelBuffer(size: PixelSize(width: width, height: bytes.count / 4 / width))
        var pixels = result.mutablePixels
        for index in bytes.indices { pixels[index] = bytes[index] }
        return result
    }

    @Test("the fast kernel premultiplies to the same bytes, in place and into a copy")
    func premultiply() {
        let seed = TestSeed.value
        var random = SeededRandom(seed: seed)
        for count in 1...90 {
            let source = Self.pixels(count, &random)
            var apart = [UInt8](repeating: 9, count: source.count)
            var inPlace = source
            let first = unsafe source.withUnsafeBytes { source in
                unsafe apart.withUnsafeMutableBytes { result in
                    guard let from = source.baseAddress, let to = result.baseAddress else {
                        return UInt32(0)
                    }
                    return unsafe Premultiplication.row(
                        from, result: to, count: count, kernel: .plain)
                }
            }
            let second = unsafe inPlace.withUnsafeMutableBytes { bytes in
                guard let base = bytes.baseAddress else { return UInt32(1) }
                return unsafe Premultiplication.row(base, result: base, count: count)
            }
            #expect(apart == inPlace)
            #expect(first >> 24 == second >> 24)
            for index in stride(from: 0, to: source.count, by: 4) {
                let alpha = Int(source[index + 3])
                #expect(Int(apart[index]) == (Int(source[index]) * alpha * 2 + 255) / 510)
            }
        }
    }

    @Test("the fast kernel draws one picture over another with the same bytes")
    func draw() {
        let seed = TestSeed.value
        var random = SeededRandom(seed: seed)
        for width in 1...70 {
            let back = Self.picture(Self.pixels(width * 3, &random), width: width)
            let front = Self.picture(Self.pixels(width * 2, &random), width: width)
            let (x, y) = (random.number(in: -4...4), random.number(in: -1...2))
            var fast = back.copy()
            var plain = back.copy()
            fast.draw(front, x: x, y: y)
            plain.draw(front, x: x, y: y, kernel: .plain)
            #expect(Pictures.bytes(fast) == Pictures.bytes(plain), "\(width) at \(x), \(y)")
        }
    }
}
