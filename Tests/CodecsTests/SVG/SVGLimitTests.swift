import Codecs
import Raster
import Testing

// Serialized, because a font that fails in one thread may be used by another.
@Suite("Resource limits of an SVG", .serialized)
struct SVGLimitTests {
    private func isLimit(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) -> Bool {
        if case .limitDecode = refusal(bytes, limits: limits) { return true }
        return false
    }

    private func image(_ address: String) -> [UInt8] {
        svg(
            "viewBox='0 0 9 9' xmlns:xlink='http://www.w3.org/1999/xlink'",
            "<image width='9' height='9' xlink:href='\(address)'/>")
    }

    @Test("a picture embedded in an SVG is limited in pixels")
    func bombs() throws {
        let bomb = "data:image/png;base64," + base64(pngHeader(60_000, 60_000))
        #expect(isLimit(image(bomb)))
        #expect(isLimit(image(" DATA:image/png;base64,\n" + base64(pngHeader(60_000, 60_000)))))
        let broken = bomb.enumerated().map { $0 > 30 && $0 % 30 == 9 ? "&#10;\($1)" : "\($1)" }
        #expect(isLimit(image(broken.joined())))
        var limits = DecodeLimits()
        limits.pixels = 99
        let small = "data:image/png;base64," + base64(pngHeader(10, 10))
        #expect(isLimit(image(small), limits: limits))
        #expect(refusal(image(small)) == nil)
        // Two images of sixty pixels equal one of a hundred and twenty.
        let six = "<image href='data:image/png;base64,\(base64(pngHeader(6, 10)))'/>"
        #expect(refusal(svg("viewBox='0 0 9 9'", six), limits: limits) == nil)
        #expect(isLimit(svg("viewBox='0 0 9 9'", six + six), limits: limits))
    }

    @Test("SVG documents nested in each other end")
    func nesting() {
        let inner = svg("viewBox='0 0 9 9'", "<rect width='9' height='9'/>")
        var nested = inner
        for depth in 1...12 {
            nested = image("data:image/svg+xml;base64," + base64(nested))
            #expect((refusal(nested) == nil) == (depth <= 4), "\(depth)")
        }
        let plain = String(decoding: inner, as: UTF8.self).replacing("'", with: "%27")
            .replacing("<", with: "%3C").replacing("\"", with: "%22")
        #expect(refusal(image("data:image/svg+xml," + plain)) == nil)
        let bomb = image("data:image/png;base64," + base64(pngHeader(60_000, 60_000)))
        #expect(isLimit(image("data:image/svg+xml;base64," + base64(bomb))))
    }

    @Test(
        "SVG text of any size is drawn or omitted without a crash",
        arguments: [
            "<text font-size='1e9'>A</text>", "<text style='font-size:1e30px'>A</text>",
            "<text style='font:bold 1000000000px serif'>A</text>",
            "<style>text{font-size:1e7in}</style><text>A</text>", "<text font-size='1e9%'>A</text>",
            "<text font-size='1e6em'>A</text>", "<text font-size='-1e9'>A</text>",
            "<g font-size='900em'><g font-size='900em'><text font-size='900em'>A</text></g></g>",
        ])
    func fontSizes(body: String) {
        switch refusal(svg("viewBox='0 0 9 9'", body)) {
        case nil, .limitDecode: break
        case .some(let other): Issue.record("\(other)")
        }
    }

    @Test("SVG text too large for any font does not damage the fonts for later drawings")
    func brokenFonts() throws {
        let usual = svg("viewBox='0 0 90 90'", "<text y='60' font-size='48'>Ag</text>")
        let size = PixelSize(width: 80, height: 80)
        func drawn() throws -> [UInt8] {
            let picture = try VectorPicture(svg: usual.span, limits: DecodeLimits())
            let pixels = try picture.render(at: size)
            return (0..<pixels.pixels.count).map { pixels.pixels[$0] }
        }
        let before = try drawn()
        #expect(before.contains { $0 != 0 })
        for pixels in ["90000", "60000", "3000", "1e9"] {
            let large = svg("viewBox='0 0 9 9'", "<text font-size='\(pixels)'>A</text>")
            for side in [40, 48, 64, 80] {
                let picture = try VectorPicture(svg: large.span, limits: DecodeLimits())
                _ = try? picture.render(at: PixelSize(width: side, height: side))
                #expect(try drawn() == before, "\(pixels) \(side)")
            }
        }
    }

    @Test("SVG text too large for any font does not affect drawings on other threads")
    func fontsOfOthers() async {
        @Sendable func isDrawn(_ pixels: Double) -> Bool {
            let text = svg("viewBox='0 0 90 90'", "<text y='60' font-size='\(pixels)'>Ag</text>")
            let picture = try? VectorPicture(svg: text.span, limits: DecodeLimits())
            return (try? picture?.render(at: PixelSize(width: 80, height: 80))) != nil
        }
        let refused = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    for number in 0..<400 { _ = isDrawn(90_000 + Double(number)) }
                    return 0
                }
                // Each size is new, because a repeated size has a cached font that cannot fail.
                group.addTask { (0..<400).count { !isDrawn(20 + Double($0) / 16) } }
            }
            return await group.reduce(0, +)
        }
        #expect(refused == 0)
    }

    @Test("an SVG with many plain elements or a long path is drawn")
    func large() {
        let shapes = String(repeating: "<path d='M0 0h1z'/>", count: 300_000)
        #expect(refusal(svg("viewBox='0 0 9 9'", shapes)) == nil)
        let path = "M0 0" + String(repeating: "l1 1", count: 800_000)
        #expect(refusal(svg("viewBox='0 0 9 9'", "<path d='\(path)'/>")) == nil)
    }
}
