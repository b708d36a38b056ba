import Artwork
import Codecs
import Raster
import Testing

@Suite("Built-in icons")
struct IconTests {
    @Test(
        "every built-in icon is a template of 24 x 24 by either rule",
        arguments: BuiltInIcon.allCases)
    func template(icon: BuiltInIcon) throws {
        let picture = try icon.picture()
        let (marked, width, height) = (picture.isTemplate, picture.exactWidth, picture.exactHeight)
        #expect(marked)
        #expect(width == 24 && height == 24)
        let unmarked = icon.svg.split(separator: " data-template=\"true\"").joined()
        #expect(unmarked.utf8.count < icon.svg.utf8.count)
        let again = try VectorPicture(svg: Array(unmarked.utf8).span, limits: DecodeLimits())
        let isTemplate = again.isTemplate
        #expect(isTemplate)
    }

    @Test(
        "every built-in icon is centred and fills its square evenly",
        arguments: BuiltInIcon.allCases)
    func balance(icon: BuiltInIcon) throws {
        let side = 240
        let pixels = try icon.picture().render(at: PixelSize(width: side, height: side))
        let found = pixels.inkBounds()
        let bounds = try #require(found)
        let (left, right) = (bounds.x, side - bounds.x - bounds.width)
        let (top, bottom) = (bounds.y, side - bounds.y - bounds.height)
        #expect(abs(left - right) <= 10, "off centre across")
        #expect(abs(top - bottom) <= 12, "off centre down")
        #expect(min(left, right, top, bottom) >= 8, "room around")
        #expect(max(bounds.width, bounds.height) >= 192, "large enough")
        // The optical weight: the share of the square that is ink.
        let weight = pixels.bytes().enumerated().reduce(0) {
            $1.offset % 4 == 3 ? $0 + Int($1.element) : $0
        }
        let share = Double(weight) / Double(side * side * 255)
        #expect((0.15...0.36).contains(share), "\(share)")
    }
}
