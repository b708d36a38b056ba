import Codecs
import Raster
import Testing

@Suite("Drawing an SVG")
struct VectorPictureTests {
    @Test("an SVG fills exactly its target with its colours in place")
    func colors() throws {
        let bytes = svg(
            "width='20' height='10'",
            "<rect width='10' height='10' fill='#ff0000'/>"
                + "<rect x='10' width='10' height='10' fill='#0000ff' fill-opacity='0.5'/>")
        let picture = try drawing(bytes, at: PixelSize(width: 60, height: 30))
        #expect(picture.size == PixelSize(width: 60, height: 30))
        #expect(picture.rgba(0, 0) == [255, 0, 0, 255])
        #expect(picture.rgba(29, 29) == [255, 0, 0, 255])
        #expect(picture.rgba(30, 0) == [0, 0, 128, 128])
        #expect(picture.rgba(59, 29) == [0, 0, 128, 128])
        let isOpaque = picture.isOpaque
        #expect(!isOpaque)
    }

    @Test("an SVG that covers its canvas is marked as opaque")
    func opacity() throws {
        let bytes = svg("viewBox='0 0 4 4'", "<rect width='4' height='4' fill='#123456'/>")
        let picture = try drawing(bytes, at: PixelSize(width: 9, height: 9))
        let isOpaque = picture.isOpaque
        #expect(isOpaque)
    }

    @Test("the visible part of an SVG equals the same part of the whole drawing")
    func visible() throws {
        let bytes = svg(
            "viewBox='0 0 30 20'",
            "<circle cx='15' cy='10' r='9' fill='#0a5'/><path d='M0 0L30 20' stroke='#a05'/>")
        let size = PixelSize(width: 90, height: 60)
        let whole = try drawing(bytes, at: size)
        let part = PixelRect(x: 17, y: 5, width: 40, height: 50)
        let cut = try drawing(bytes, at: size, visible: part)
        #expect(cut.size == PixelSize(width: 40, height: 50))
        for y in 0..<50 {
            for x in 0..<40 {
                // Cairo's coverage depends slightly on the origin of its canvas.
                let pairs = zip(cut.rgba(x, y), whole.rgba(x + 17, y + 5))
                #expect(pairs.allSatisfy { abs(Int($0) - Int($1)) <= 8 })
            }
        }
    }

    @Test(
        "an SVG without a view box scales like one with it",
        arguments: ["", "preserveAspectRatio='none'"])
    func stretch(extra: String) throws {
        let body = "<rect x='10' y='5' width='10' height='5' fill='#000'/>"
        let plain = try drawing(
            svg("width='20' height='10' \(extra)", body), at: PixelSize(width: 200, height: 101))
        let boxed = try drawing(
            svg("width='20' height='10' viewBox='0 0 20 10' \(extra)", body),
            at: PixelSize(width: 200, height: 101))
        #expect(plain.bytes() == boxed.bytes())
        #expect(plain.rgba(199, 100) == [0, 0, 0, 255])
        #expect(plain.rgba(99, 49) == [0, 0, 0, 0])
    }

    @Test(
        "the size of an SVG is its lengths, else its view box, else 100 x 100",
        arguments: [
            ("width='240' height='64'", [240, 64]),
            ("width='240.5px' height='64.25'", [240.5, 64.25]),
            ("width='1in' height='2.54cm'", [96, 96]),
            ("width='72pt' height='6pc'", [96, 96]),
            ("width='25.4mm' height='96'", [96, 96]),
            ("width='2em' height='2ex'", [32, 16]),
            ("viewBox='0 0 30 20'", [30, 20]),
            ("viewBox='5 5 30 20' width='100%' height='100%'", [30, 20]),
            ("width='60' viewBox='0 0 30 20'", [60, 40]),
            ("height='60' viewBox='0 0 30 20'", [90, 60]),
            ("width='60' height='50%' viewBox='0 0 30 20'", [60, 40]),
            ("width='60'", [60, 60]),
            ("", [100, 100]),
            ("width='50%'", [100, 100]),
            ("width='auto' height='none' viewBox='0 0 7 9'", [7, 9]),
            ("width='-5' height='NaN' viewBox='0 0 7 9'", [7, 9]),
            ("width='1e9' height='1e9'", [1e9, 1e9]),
            ("width='1e30' height='1e30'", [1e9, 1e9]),
            ("viewBox='0 0 1e30 5e29'", [1e9, 5e8]),
            ("viewBox='0 0 1e-30 1e-30'", [1e-3, 1e-3]),
            ("width='1e9' height='1'", [1e9, 1e3]),
            ("width='51500' height='51500'", [51500, 51500]),
        ])
    func sizes(attributes: String, expected: [Double]) throws {
        let bytes = svg(attributes, "<rect width='3' height='3'/>")
        let size = try exactSize(bytes)
        #expect(abs(size[0] - expected[0]) <= expected[0] * 1e-6)
        #expect(abs(size[1] - expected[1]) <= expected[1] * 1e-6)
        // Drawing must work for any size that the document claims.
        #expect(refusal(bytes) == nil)
    }

    @Test(
        "an SVG with a size of zero or a malformed view box is corrupt",
        arguments: [
            "width='0' height='0' viewBox='0 0 7 9'", "width='0px'", "height=' 0.0e9mm '",
            "width='0%'", "viewBox='0 0 0 9'", "viewBox='0 0 -3 9'", "viewBox='0,0,7,NaN'",
            "viewBox='0 0 9'", "width='9' height='9' viewBox='0 0 0 0'",
        ])
    func noSize(attributes: String) {
        guard case .corrupt = refusal(svg(attributes, "<rect width='3' height='3'/>")) else {
            Issue.record("not refused: \(attributes)")
            return
        }
    }

    @Test("an SVG with a huge declared size draws the same as with a small one")
    func hugeSize() throws {
        let body = "<g opacity='0.5'><circle cx='50' cy='50' r='40' fill='#c00'/></g>"
        let size = PixelSize(width: 80, height: 80)
        let huge = try drawing(
            svg("width='51500' height='51500' viewBox='0 0 100 100'", body), at: size)
        let small = try drawing(svg("width='100' height='100'", body), at: size)
        #expect(huge.rgba(40, 40) == [102, 0, 0, 128])
        let difference = zip(huge.bytes(), small.bytes()).map { abs(Int($0) - Int($1)) }.max()
        #expect(difference ?? 255 <= 1)
    }

    @Test("the SVG header rounds the size up and declares alpha")
    func header() throws {
        let bytes = svg("width='240.2' height='63.5'")
        let header = try VectorPicture.header(of: bytes.span, limits: DecodeLimits())
        #expect(header.format == .svg)
        #expect(header.size == PixelSize(width: 241, height: 64))
        #expect(abs(header.exactSize.width - 240.2) < 1e-4)
        #expect(header.hasAlpha)
    }

    @Test("SVG text is drawn with the listed fonts, the same at every call")
    func text() throws {
        let bytes = svg(
            "viewBox='0 0 100 40'",
            "<text x='5' y='30' font-family='Arial' font-size='30'>Ag</text>")
        let size = PixelSize(width: 100, height: 40)
        let first = try drawing(bytes, at: size)
        #expect(first.bytes().contains(255))
        #expect(try drawing(bytes, at: size).bytes() == first.bytes())
    }

    @Test("the memory cost of an SVG follows its target and never overflows")
    func memory() {
        let small = VectorPicture.memoryCost(rendering: nil)
        let large = VectorPicture.memoryCost(rendering: PixelSize(width: 1000, height: 1000))
        #expect(large - small == 12_000_000)
        #expect(
            VectorPicture.memoryCost(rendering: PixelSize(width: .max, height: .max)) == .max)
    }
}
