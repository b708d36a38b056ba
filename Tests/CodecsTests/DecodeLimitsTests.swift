import Codecs
import Raster
import Testing

@Suite("The limits of a picture")
struct DecodeLimitsTests {
    @Test("hold for either side alone, and for their product")
    func sides() throws {
        let limits = DecodeLimits(pixels: 9_000, edge: 99)
        try limits.check(PixelSize(width: 99, height: 90))
        for (width, height) in [(100, 9), (9, 100), (95, 95)] {
            #expect(throws: DecodeError.limitPixels) {
                try limits.check(PixelSize(width: width, height: height))
            }
        }
    }
}
