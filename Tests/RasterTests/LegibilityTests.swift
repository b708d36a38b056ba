import Raster
import Support
import System
import Testing

@Suite("The visible part of a picture")
struct LegibilityTests {
    private static let ground = Color(red: 231, green: 233, blue: 252)

    @Test("a picture is visible if one hundredth of its visible pixels has contrast")
    func share() {
        for (clear, isLegible) in [(0, false), (3, false), (4, true), (5, true), (400, true)] {
            var picture = PixelBuffer(size: PixelSize(width: 20, height: 30))
            // 400 visible pixels; the others are too faint to count.
            var pixels = picture.mutablePixels
            for index in 0..<600 {
                let value: UInt8 = 400 - clear..<400 ~= index ? 0 : 255
                let alpha: UInt8 = index < 400 ? 255 : Legibility.leastAlpha - 1
                for channel in 0..<3 { pixels[index * 4 + channel] = min(value, alpha) }
                pixels[index * 4 + 3] = alpha
            }
            let legibility = Legibility(picture, over: Self.ground)
            #expect(legibility.isLegible == isLegible, "\(clear) of 400")
        }
    }

    @Test("the contrast of a picture is that of WCAG on its background")
    func contrast() {
        var seed = SeededRandom(seed: TestSeed.value)
        for _ in 0..<40 {
            func color() -> Color {
                Color(
                    red: UInt8(seed.below(256)), green: UInt8(seed.below(256)),
                    blue: UInt8(seed.below(256)))
            }
            let (ground, ink) = (color(), color())
            var picture = PixelBuffer(size: PixelSize(width: 1, height: 1))
            picture.fill(ink)
            let expected = ink.contrast(against: ground) >= Legibility.contrast
            #expect(
                Legibility(picture, over: ground).isLegible == expected,
                "\(ink) \(ground) \(TestSeed.words)")
            #expect(
                Legibility(picture, tint: ink, over: ground).isLegible == expected, "as a tint")
            // A translucent tint mixes with the background.
            var half = ink
            half.alpha = UInt8(64 + seed.below(128))
            picture.fill(half)
            let shown = half.over(ground)
            guard abs(shown.contrast(against: ground) - Legibility.contrast) > 0.03 else {
                continue
            }
            #expect(
                Legibility(picture, over: ground).isLegible
                    == (shown.contrast(against: ground) >= Legibility.contrast))
        }
    }

    @Test("margins of one colour or none are found, and are never the whole picture")
    func margins() {
        let blue = Color(red: 10, green: 20, blue: 200)
        for margin in [Color.clear, .white, Color(red: 90, green: 200, blue: 40)] {
            var picture = PixelBuffer(size: PixelSize(width: 30, height: 20))
            picture.fill(margin)
            let isBare = picture.contentBounds == nil
            #expect(isBare, "nothing but margin")
            var mark = PixelBuffer(size: PixelSize(width: 7, height: 5))
            mark.fill(blue)
            picture.draw(mark, x: 11, y: 3)
            let bounds = picture.contentBounds
            #expect(bounds == PixelRect(x: 11, y: 3, width: 7, height: 5))
            picture.crop(to: PixelRect(x: 11, y: 3, width: 7, height: 5))
            let size = picture.size
            #expect(size == PixelSize(width: 7, height: 5))
            let rest = picture.contentBounds
            #expect(rest == nil)
        }
        // Different corners have no common margin.
        var picture = PixelBuffer(size: PixelSize(width: 30, height: 20))
        picture.fill(.white)
        var corner = PixelBuffer(size: PixelSize(width: 3, height: 3))
        corner.fill(.black)
        picture.draw(corner, x: 0, y: 0)
        let none = picture.contentBounds
        #expect(none == nil)
    }
}
