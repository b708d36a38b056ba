import Codecs
import Raster
import Testing

@Suite("SVG filters")
struct SVGShadowTests {
    private let shape = "<rect x='20' y='20' width='60' height='60' fill='#f00' filter='url(#f)'/>"

    /// Returns a pixel of the shadow alone; the shape that casts it is elsewhere.
    private func shadow(_ primitive: String, _ x: Int, _ y: Int) throws -> [UInt8] {
        try color("<filter id='f'>\(primitive)</filter>" + shape, at: x, y)
    }

    @Test(
        "an SVG drop shadow lies below its shape, with its offset and colour",
        arguments: [
            "<feDropShadow dx='8' dy='8' stdDeviation='0.2' flood-color='#00f'/>",
            "<feDropShadow dx=\"8\" dy=\"8\" stdDeviation=\".2\" style=\"flood-color:#00f\"/>",
            "<feDropShadow dx='8' dy='8' stdDeviation='.2' flood-color='blue'><!-- --></feDropShadow>",
            "<feOffset dx='4' result='a'/><feDropShadow in='SourceGraphic' dx='8' dy='8' "
                + "stdDeviation='.2' flood-color='#00f' result='b'/><feOffset in='b'/>",
        ])
    func shadow(primitive: String) throws {
        #expect(try shadow(primitive, 50, 50) == [255, 0, 0, 255])
        #expect(try shadow(primitive, 84, 84) == [0, 0, 255, 255])
        #expect(try shadow(primitive, 10, 10) == [0, 0, 0, 0])
        #expect(try !isLinted("<filter id='f'>\(primitive)</filter>" + shape))
    }

    @Test("an SVG drop shadow without attributes is two pixels of black")
    func defaults() throws {
        let beside = try shadow("<feDropShadow/>", 80, 50)
        #expect(beside[0] < 3 && beside[3] > 100)
        #expect(try shadow("<feDropShadow/>", 50, 50)[0] > 250)
    }

    @Test("several SVG drop shadows overlap, in any namespace prefix")
    func several() throws {
        let body =
            "<s:filter id='f'><s:feDropShadow dx='-9' stdDeviation='.1' flood-color='#0f0'/>"
            + "<s:feDropShadow dx='9' stdDeviation='.1' flood-color='#00f'/></s:filter>"
            + "<s:rect x='20' y='20' width='60' height='60' fill='#f00' filter='url(#f)'/>"
        let text =
            "<s:svg xmlns:s='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>\(body)</s:svg>"
        let picture = try drawing(
            Array(text.utf8), at: PixelSize(width: 100, height: 100))
        #expect(picture.rgba(50, 50) == [255, 0, 0, 255])
        #expect(picture.rgba(14, 50) == [0, 255, 0, 255])
        #expect(picture.rgba(86, 50) == [0, 0, 255, 255])
    }

    @Test("style sheets colour SVG shadows by class and by type")
    func sheets() throws {
        for selector in [".s", "feDropShadow"] {
            let body =
                "<style>\(selector){flood-color:#00f}</style><filter id='f'>"
                + "<feDropShadow class='s' dx='8' dy='8' stdDeviation='.2'/></filter>" + shape
            #expect(try color(body, at: 84, 84) == [0, 0, 255, 255])
        }
    }

    @Test("an SVG full of shadows reaches a limit quickly")
    func many() {
        let body = String(repeating: "<feDropShadow/>", count: 400_000)
        guard case .limitDecode = refusal(svg("", "<filter id='f'>\(body)</filter>")) else {
            Issue.record("not refused")
            return
        }
    }

    @Test(
        "an unsupported SVG filter primitive is linted",
        arguments: [
            "<feBogus/>", "<feOffset in='BackgroundImage'/>",
            "<feFlood/><feOffset in='FillPaint'/>",
            "<feOffset in='nothing'/>", "<feImage href='data:image/png;base64,AAAA'/>",
            "<feComposite in2='SourceGraphic' operator='lighter'/>",
            "<feGaussianBlur stdDeviation='-2'/>",
        ])
    func lint(primitive: String) throws {
        #expect(try isLinted("<filter id='f'>\(primitive)</filter>" + shape))
    }

    @Test("an SVG filter without references is not linted")
    func unusedFilter() throws {
        #expect(try !isLinted("<filter id='other'><feBogus/></filter>" + shape))
        #expect(try isLinted("<filter id='g'><feBogus/></filter><g style='filter:url( \"#g\" )'/>"))
    }

    @Test(
        "a supported SVG filter primitive is not linted",
        arguments: [
            "<feGaussianBlur stdDeviation='2' result='b'/><feOffset in='b' dx='1e-3'/>",
            "<feFlood result='a b'/><feMerge><feMergeNode in='a b'/><feMergeNode/></feMerge>",
            "<feComponentTransfer><feFuncA type='linear'/></feComponentTransfer><desc>feBogus</desc>",
            "<feImage href='#x'/>", "",
        ])
    func noLint(primitive: String) throws {
        #expect(try !isLinted("<filter id='f'>\(primitive)</filter><feBogus/>" + shape))
    }
}
