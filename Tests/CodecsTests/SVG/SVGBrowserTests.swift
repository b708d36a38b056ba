import Codecs
import Raster
import Support
import Testing

@Suite("SVG as browsers draw it")
struct SVGBrowserTests {
    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let square = "<path d='M0 0h100v100H0z' fill='red'/>"
    private static let stops = "<stop stop-color='blue'/><stop offset='1' stop-color='red'/>"

    @Test(
        "a blurred SVG shape beyond the edge of the drawing does not fade at the edge",
        arguments: [(20, 0), (20, 99), (40, 50)])
    func blur(deviation: Int, place: Int) throws {
        let body =
            "<filter id='f' x='-900' y='-900' width='1900' height='1900'"
            + " filterUnits='userSpaceOnUse'><feGaussianBlur stdDeviation='\(deviation)'/></filter>"
            + "<rect x='-800' y='-800' width='1700' height='1700' fill='red' filter='url(#f)'/>"
        let seen = try color(body, at: place, place)
        // The widest margin clips a little of the widest blur.
        #expect(seen[0] == 255 && seen[3] >= 240, "\(seen)")
    }

    @Test("the margin for blurs in an SVG counts for memory")
    func blurMemory() throws {
        func surfaces(_ deviation: Double) throws -> Int {
            let body =
                "<filter id='f'><feGaussianBlur stdDeviation='\(deviation)'/></filter>"
                + "<rect width='900' height='9' filter='url(#f)'/>"
            return try VectorPicture.header(
                of: svg("viewBox='0 0 100 100'", body).span, limits: DecodeLimits()
            ).surfaces
        }
        #expect(try surfaces(40) >= 11 * (surfaces(0) + 2))
        #expect(try surfaces(1e300) <= VectorPicture.surfacesLimit)
    }

    @Test(
        "an SVG namespace that is not a valid URL is accepted",
        arguments: [
            "<metadata><sfw xmlns='ns_sfw;'/></metadata>", "<g xmlns:a='http://a b/c'/>",
            "<g xmlns:a='a&amp;b:c'><a:g/></g>",
        ])
    func namespaces(body: String) throws {
        #expect(try color(body + Self.square, at: 50, 50) == Self.red)
        #expect(refusal(svg("viewBox='0 0 9 9'", body + "<g></p>")) != nil)
    }

    @Test(
        "a malformed attribute of the SVG root is ignored",
        arguments: [
            "preserveAspectRatio='meet'", "preserveAspectRatio='xMidYMid slices'",
            "preserveAspectRatio=''",
        ])
    func rootAttributes(root: String) throws {
        #expect(try color(Self.square, at: 50, 50, root: root) == Self.red)
    }

    @Test("a malformed SVG view box is ignored", arguments: ["0 0 9", "0 0 9px 9px", "a"])
    func viewBox(box: String) throws {
        let seen = try drawing(
            svg("width='9' height='9' viewBox='\(box)'", Self.square),
            at: PixelSize(width: 9, height: 9))
        #expect(seen.rgba(4, 4) == Self.red)
    }

    @Test(
        "a transform of the SVG root turns the drawing about its centre",
        arguments: [
            "transform='scale(-1 1)'", "transform='rotate(180)'",
            "style='transform:scale(.5);fill:blue'", "style='fill:blue;transform:rotate(0.5turn)'",
            "transform='matrix(1 0 0-1 0 0)'", "transform='translate(10px)'",
        ])
    func rootTransform(root: String) throws {
        #expect(try color(Self.square, at: 50, 50, root: root) == Self.red)
        let corner = try color(Self.square, at: 1, 1, root: root)
        #expect((corner[3] == 0) == (root.contains(".5)") || root.contains("10px")))
    }

    @Test(
        "an SVG gradient is drawn with any small or skewed transform",
        arguments: [
            "<linearGradient id='a' x1='0' x2='0' y1='-25141' y2='-3175300'"
                + " gradientTransform='scale(.00001)' gradientUnits='userSpaceOnUse'>",
            "<radialGradient id='a' r='1%' cx='-90%' cy='0'"
                + " gradientTransform='scale(.00001)' gradientUnits='userSpaceOnUse'>",
            "<linearGradient id='a' gradientTransform='skewY(90)'>",
            "<radialGradient id='a' gradientTransform='skewX(90)'>",
            "<radialGradient id='a' gradientTransform='skewX(90)' cx='5' cy='5' r='4'"
                + " gradientUnits='userSpaceOnUse'>",
        ])
    func gradients(gradient: String) throws {
        let end = gradient.hasPrefix("<linear") ? "</linearGradient>" : "</radialGradient>"
        let body =
            gradient + Self.stops + end + "<path d='M0 0h100v100H0z' fill='url(#a)'/>"
        let seen = try color(body, at: 50, 50)
        #expect(seen == (gradient.contains("y1") ? [0, 0, 255, 255] : Self.red))
    }

    @Test(
        "the background of the SVG root is painted behind the drawing",
        arguments: [
            "background:#00f", "fill:red; background-color : #0000FF", "background:#00fF",
        ])
    func background(style: String) throws {
        let bytes = svg(
            "viewBox='0 0 100 100' opacity='.5' style='\(style)'",
            "<path d='M0 0h50v50H0z' fill='currentColor'/>")
        let picture = try VectorPicture(svg: bytes.span, limits: DecodeLimits())
        let drawn = try picture.render(at: PixelSize(width: 200, height: 100))
        #expect(drawn.rgba(190, 90) == [0, 0, 255, 255])
        #expect(!picture.hasUnsupportedFeature && !picture.isTemplate)
    }

    @Test(
        "an SVG root background that is not a hexadecimal colour is linted",
        arguments: ["url(a.png)", "red none", "rgb(0,0,255)"])
    func otherBackground(value: String) throws {
        #expect(try isTold("", root: "style='background:\(value)'"))
    }

    @Test(
        "an SVG with a shape whose paint is not drawn is not blank",
        arguments: [
            ("<linearGradient id='a' href='#a'>\(stops)</linearGradient>", "fill='url(#a)'", true),
            ("<linearGradient id='a' href='#b'>\(stops)</linearGradient>", "fill='url(#a)'", true),
            ("", "fill='none'", false), ("", "style='fill:none'", false),
            ("", "fill-opacity='0'", false),
            ("", "fill='#0000'", false),
            ("", "transform='translate(500)'", false), ("", "visibility='hidden'", false),
        ])
    func blank(before: String, paint: String, isFault: Bool) throws {
        let bytes = svg("viewBox='0 0 9 9'", before + "<path d='M0 0h9v9H0z' \(paint)/>")
        let picture = try VectorPicture(svg: bytes.span, limits: DecodeLimits())
        #expect(picture.shouldShowPaint(in: .light) == isFault)
    }

    @Test(
        "a difference from browsers in an SVG is linted",
        arguments: [
            ("<clipPath id='c'><path d='M0 0h9z' clip-rule='evenodd'/><path/></clipPath>", true),
            ("<clipPath id='c'><path d='M0 0h9z' clip-rule='evenodd'/></clipPath><path/>", false),
            (
                "<clipPath clipPathUnits='objectBoundingBox' transform='scale(2)'><path/></clipPath>",
                true
            ),
            ("<symbol opacity='.5'><path/></symbol>", true),
            ("<symbol transform='scale(2)'><path/></symbol>", true),
            ("<path style='filter:hue-rotate(90deg)'/>", true),
            ("<path filter='saturate(2)'/>", true),
            ("<text>\u{1F485}</text>", true), ("<title>\u{1F485}</title><text>a</text>", false),
        ])
    func told(body: String, isTold: Bool) throws {
        #expect(try self.isTold(body) == isTold)
    }

    private func isTold(_ body: String, root: String = "") throws -> Bool {
        try VectorPicture(
            svg: svg("viewBox='0 0 100 100' \(root)", body).span, limits: DecodeLimits()
        ).hasUnsupportedFeature
    }
}
