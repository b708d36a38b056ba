import Raster
import Testing

@Suite("The quality of resampling")
struct ResamplerQualityTests {
    /// Source and target sizes: slight and strong shrinking, odd sizes, enlarging.
    static let sizes: [(PixelSize, PixelSize)] = [
        (size(512, 512), size(128, 128)), (size(512, 512), size(48, 48)),
        (size(1024, 1024), size(48, 48)), (size(1024, 1024), size(40, 40)),
        (size(1024, 768), size(128, 96)), (size(700, 700), size(80, 80)),
        (size(333, 257), size(61, 47)), (size(128, 128), size(96, 96)),
        (size(1023, 511), size(64, 32)), (size(160, 160), size(80, 80)),
        (size(64, 64), size(160, 160)), (size(100, 37), size(240, 89)),
        (size(1000, 1000), size(125, 125)), (size(997, 1013), size(80, 81)),
    ]

    static func size(_ width: Int, _ height: Int) -> PixelSize {
        PixelSize(width: width, height: height)
    }

    @Test("logos stay near the exact result", arguments: sizes)
    func logos(source: PixelSize, target: PixelSize) {
        for logo in Pictures.Logo.allCases {
            let picture = logo.drawn(source.width, source.height)
            let result = Resampler(linear: false).resample(picture, to: target)
            let ratio = Reference.psnr(
                Pictures.bytes(result), Reference.resample(picture, to: target))
            print("psnr \(logo.rawValue) \(source) -> \(target): \(ratio)")
            #expect(ratio > 50, "\(logo.rawValue) \(source) -> \(target)")
        }
    }

    @Test("photographs stay near the exact result", arguments: sizes)
    func photos(source: PixelSize, target: PixelSize) {
        let picture = Pictures.photo(source.width, source.height, seed: 7)
        let result = Resampler(linear: false).resample(picture, to: target)
        let ratio = Reference.psnr(
            Pictures.bytes(result), Reference.resample(picture, to: target))
        print("psnr photo \(source) -> \(target): \(ratio)")
        #expect(ratio >= 55, "\(source) -> \(target)")
    }
}
