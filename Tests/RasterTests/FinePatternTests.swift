import Glibc
import Raster
import Testing

/// Fine patterns, which halving could damage, at ratios from no halving to four halvings.
@Suite("Fine patterns at strong reduction")
struct FinePatternTests {
    /// A pattern with the value of each pixel, 0 to 255.
    struct Pattern: Sendable {
        let name: String
        let paint: @Sendable (_ x: Double, _ y: Double) -> Double
    }

    static let patterns: [Pattern] = {
        var all: [Pattern] = []
        for width in [1.0, 2, 3, 5, 8] {
            all.append(Pattern(name: "stripes of \(width)") { x, _ in square(x / width) })
            all.append(
                Pattern(name: "checks of \(width)") { x, y in
                    square((x / width).rounded(.down) + (y / width).rounded(.down))
                })
            all.append(
                Pattern(name: "rings of \(width)") { x, y in
                    square((x * x + y * y).squareRoot() / width)
                })
        }
        for length in [2.42, 4.65, 9.3, 16.2] {
            all.append(
                Pattern(name: "waves of \(length)") { x, _ in
                    127.5 + 127.5 * sin(2 * Double.pi * (x + 0.3) / length)
                })
            all.append(
                Pattern(name: "slanted bars of \(length)") { x, y in
                    square((x + 0.37 * y) / length * 2)
                })
        }
        return all
    }()

    private static func square(_ x: Double) -> Double { Int(x) % 2 == 0 ? 255 : 0 }

    /// Source sides for a target of 20 pixels: ratios of 8 to 51, even and odd, with up to four odd
    /// sizes in the halvings.
    static let edges = [160, 161, 173, 320, 357, 449, 640, 897, 1025]

    @Test("reduced logos reach 48 dB at every ratio", arguments: edges)
    func fine(edge: Int) {
        let target = PixelSize(width: 20, height: 20)
        for pattern in Self.patterns {
            let picture = Pictures.make(edge, edge, opaque: true) { x, y in
                let level = UInt8(pattern.paint(Double(x), Double(y)).rounded())
                return Color(red: level, green: level, blue: level)
            }
            let result = Pictures.bytes(Resampler().resample(picture, to: target))
            let exact = Reference.resample(picture, to: target)
            // Only the red channel is compared, because the constant alpha would raise the ratio.
            let reds = stride(from: 0, to: result.count, by: 4)
            let ratio = Reference.psnr(reds.map { result[$0] }, reds.map { exact[$0] })
            // Values just between two levels may round either way, which limits the ratio to 48.1
            // if all do. The lowest value of these patterns is 48.4.
            #expect(ratio > 48.2, "\(pattern.name)")
        }
    }
}
