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

@Suite("The quality of resampling")
struct ResamplerQualityTests {
    /// Source and target sizes: slight and strong shrinking, odd sizes, enlarging.
    static let sizes: [(PixelSize, PixelSize)] = [
        (size(512, 512), size(128, 128)), (size(512, 512), size(48, 48)),
        (size(1024, 1024), size(40, 40)),
        (size(1024, 768), size(128, 96)),
        (size(333, 257), size(61, 47)), (size(128, 128), size(96, 96)),
        (size(1023, 511), size(64, 32)), (size(160, 160), size(80, 80)),
        (size(64, 64), size(160, 160)), (size(100, 37), size(240, 89)),
        (size(597, 613), size(80, 81)), (size(1024, 1024), size(160, 160)),
        (size(512, 512), size(96, 96)), (size(642, 320), size(160, 80)),
    ]

    static func size(_ width: Int, _ height: Int) -> PixelSize {
        PixelSize(width: width, height: height)
    }

    @Test("resampled logos stay near the exact result", arguments: sizes)
    func logos(source: PixelSize, target: PixelSize) {
        for logo in Pictures.Logo.allCases {
            let picture = logo.drawn(source.width, source.height)
            let result = Pictures.bytes(Resampler().resample(picture, to: target))
            var exact = Reference.resample(picture, to: target)
            #expect(Reference.psnr(result, exact) > 50, "\(logo.rawValue)")
            // Only the reference lets colours overshoot their alpha, so they are limited here.
            // Apart from that hardly a pixel differs; the checks have many values exactly between
            // two levels.
            for index in exact.indices {
                exact[index] = min(exact[index], exact[index | 3])
            }
            #expect(
                Reference.psnr(result, exact) > (logo == .checks ? 50 : 57), "\(logo.rawValue)")
        }
    }

    @Test("resampled photographs stay near the exact result", arguments: sizes)
    func photos(source: PixelSize, target: PixelSize) {
        let picture = Pictures.photo(source.width, source.height, seed: 7)
        let result = Resampler().resample(picture, to: target)
        let ratio = Reference.psnr(
            Pictures.bytes(result), Reference.resample(picture, to: target))
        #expect(ratio > 60)
    }
}
