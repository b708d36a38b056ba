import Codecs
import Raster
import Testing

@Suite("Size limits of a picture")
struct DecodeLimitsTests {
    @Test("the size limits apply to each side and to the number of pixels")
    func sides() throws {
        let limits = DecodeLimits(pixels: 9_000, edge: 99)
        try limits.check(PixelSize(width: 99, height: 90))
        for (width, height) in [(100, 9), (9, 100), (95, 95)] {
            #expect(throws: DecodeError.limitPixels) {
                try limits.check(PixelSize(width: width, height: height))
            }
        }
    }

    @Test("a progressive JPEG may have half of the pixel limit, or 25 million pixels if more")
    func progressive() throws {
        for (pixels, wanted) in [(50, 25), (100, 50), (30, 25), (10, 10)] {
            let limits = DecodeLimits(pixels: pixels * 1_000_000)
            try limits.check(PixelSize(width: wanted * 1000, height: 1000), progressive: true)
            #expect(throws: DecodeError.limitPixels) {
                try limits.check(
                    PixelSize(width: wanted * 1000 + 1, height: 1000), progressive: true)
            }
        }
        #expect("\(DecodeError.limitPixels)".contains("progressive JPEG"))
    }
}
