import Codecs
import Raster
import Support
import System
import Testing

// Serialized, because a font that fails in one thread may be used by another.
@Suite("Broken and hostile SVG", .serialized)
struct SVGFaultTests {
    private let good = svg(
        "viewBox='0 0 24 24'",
        "<!-- a square --><g fill='#0a0' id=\"g\"><path d='M2 2h20v20H2z'/></g>")

    @Test("an SVG cut at any byte is truncated")
    func cuts() {
        for length in 30..<good.count {
            #expect(refusal(Array(good.prefix(length))) == .truncated, "\(length) bytes")
        }
        #expect(refusal(good) == nil)
    }

    @Test("an SVG over the size limit is refused by its length")
    func long() {
        var limits = DecodeLimits()
        limits.svgBytes = good.count - 1
        guard case .unsupported = refusal(good, limits: limits) else {
            Issue.record("not refused")
            return
        }
        limits.svgBytes = good.count
        #expect(refusal(good, limits: limits) == nil)
    }

    @Test("a damaged SVG is refused exactly if another XML parser refuses it")
    func damage() throws {
        var random = SeededRandom(seed: TestSeed.value)
        let documents = (0..<500).map { _ in damaged(good, &random) }
        try expectSameVerdicts(documents, around: good)
    }

    @Test("an embedded picture of an SVG counts for the pixel limit and for memory")
    func embedded() throws {
        let one = try PictureFile.bytes("svg/36-megapixels.svg")
        let two = try PictureFile.bytes("svg/72-megapixels-in-two.svg")
        #expect(refusal(one) == nil)
        #expect(refusal(two)?.name == "limit_decode")
        #expect(refusal(two, limits: DecodeLimits(pixels: 72_000_000)) == nil)
        #expect(refusal(one, limits: DecodeLimits(pixels: 35_999_999))?.name == "limit_decode")
        let bytes = VectorPicture.documentBytes(of: one.span, limits: DecodeLimits())
        #expect(bytes >= 8 * 36_000_000 && bytes < 20 * 36_000_000)
        #expect(VectorPicture.documentBytes(of: good.span, limits: DecodeLimits()) == 0)
    }

    @Test("the SVG limit applies to the inflated bytes, for any length that the stream claims")
    func inflated() throws {
        let whole = try PictureFile.bytes("svg/packed-blue.svgz")
        var lying = whole
        lying.replaceSubrange(lying.count - 4..<lying.count, with: [0, 0, 0, 0])
        for bytes in [whole, lying] {
            #expect(refusal(bytes, limits: DecodeLimits(svgBytes: 50))?.name == "unsupported")
        }
        #expect(refusal(whole, limits: DecodeLimits(svgBytes: 500)) == nil)
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

    @Test(
        "an SVG with large numbers or long paths ends in time",
        arguments: HostileDrawing.all.filter { $0.ending == .soon })
    func soon(drawing: HostileDrawing) {
        let bytes = drawing.bytes()
        let cost = processorSeconds {
            let name = refusal(bytes)?.name ?? "ok"
            #expect(["ok", "limit_decode", "corrupt"].contains(name), "\(drawing.name)")
        }
        #expect(cost < 8, "\(drawing.name)")
    }
}
