import Codecs
import Raster
import Testing

@Suite("Nested surfaces of SVG")
struct SurfaceDepthTests {
    private func chain(_ count: Int, _ attribute: String = "", _ extra: String = "") -> [UInt8] {
        var body = "<rect id='u0' width='9' height='9'/>"
        for level in 1...count {
            body += "<g id='u\(level)' \(attribute)><use href='#u\(level - 1)'/></g>"
        }
        return svg("viewBox='0 0 9 9'", "\(extra)<defs>\(body)</defs><use href='#u\(count)'/>")
    }

    private func surfaces(_ bytes: [UInt8]) throws -> Int {
        try VectorPicture.header(of: bytes.span, limits: DecodeLimits()).surfaces
    }

    private func isLimit(_ bytes: [UInt8]) -> Bool {
        do throws(DecodeError) {
            // Reading the header already fails; no size was requested.
            _ = try VectorPicture.header(of: bytes.span, limits: .headerOnly)
            return false
        } catch .limitDecode {
            return true
        } catch {
            return false
        }
    }

    @Test("nested surfaces of an SVG are counted through groups, references and style sheets")
    func count() throws {
        #expect(try surfaces(svg("", "<rect opacity='1' fill-opacity='.5'/>")) == 0)
        let nested = "<g opacity='.5'><g style='opacity:50%;fill-opacity:.1'><rect/></g></g>"
        #expect(try surfaces(svg("", nested + "<g opacity='.3'/>")) == 2)
        #expect(try surfaces(chain(10, "opacity='.9'")) == 10)
        #expect(try surfaces(chain(10, "class='a b'", "<style>.b{opacity:.5}</style>")) == 10)
        #expect(try surfaces(chain(10, "class='c'", "<style>.b{opacity:.5}</style>")) == 0)
        let mask = "<mask id='m'><rect opacity='.5'/></mask><rect mask='url(&quot;#m&quot;)'/>"
        #expect(try surfaces(svg("", mask)) == 4)
        let steps = String(repeating: "<feOffset/>", count: 20)
        let filter = "<filter id='f'>\(steps)</filter><rect style='filter:url(#f)'/>"
        #expect(try surfaces(svg("", filter)) == 24)
    }

    @Test("nested surfaces of an SVG are bounded by the document alone")
    func bound() {
        #expect(!isLimit(chain(200, "opacity='.99'")))
        #expect(isLimit(chain(201, "opacity='.99'")))
        #expect(isLimit(chain(201, "class='b'", "<style>.b{opacity:.5}</style>")))
        let groups = (String(repeating: "<g opacity='.9'>", count: 220), "</g>")
        #expect(isLimit(svg("", groups.0 + String(repeating: groups.1, count: 220))))
    }

    @Test("a chain of SVG references reaches a limit before the stack overflows")
    func references() {
        #expect(refusal(chain(250)) == nil)
        #expect(isLimit(chain(400)))
        #expect(isLimit(chain(20_000)))
    }

    @Test("the memory cost of nested SVG surfaces depends on the requested size")
    func cost() {
        let size = PixelSize(width: 1000, height: 1000)
        let plain = VectorPicture.memoryCost(rendering: size)
        #expect(VectorPicture.memoryCost(rendering: size, surfaces: 1) == plain)
        #expect(VectorPicture.memoryCost(rendering: size, surfaces: 100) - plain == 396_000_000)
    }
}
