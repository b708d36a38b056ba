import Raster
import Testing

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

    @Test("a resampled window stays near the exact result, even if enlarged")
    func windows() {
        let picture = Pictures.Logo.star.drawn(90, 60)
        let window = PixelRect(x: 30, y: 5, width: 100, height: 90)
        let target = PixelSize(width: 160, height: 107)
        let result = Resampler().resample(picture, to: target, visible: window)
        let exact = Reference.resample(picture, to: target, visible: window)
        #expect(Reference.psnr(Pictures.bytes(result), exact) > 50)
    }
}
