import Codecs
import Raster
import Testing

@Suite("Drawing an SVG")
struct VectorPictureTests {
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
