import Artwork
import Codecs
import Raster
import Testing

/// Text in every script that the installed fonts cover.
let scripts = [
    "Couldn't load page", "لا يوجد اتصال بالإنترنت", "אין חיבור לאינטרנט", "沒有網路連線 网络",
    "インターネット接続なし", "인터넷에 연결되지 않음", "ไม่มีการเชื่อมต่ออินเทอร์เน็ต", "कोई इंटरनेट कनेक्शन नहीं",
    "ইন্টারনেট সংযোগ নেই", "Нет подключения", "Χωρίς σύνδεση", "კავშირი არ არის", "👍🏽 🎉 🇩🇪",
]

@Suite("Sketches")
struct SketchTests {
    private func sketch(_ text: String = "Wave of 3 Éclairs", scale: Double = 1) throws -> Sketch {
        var sketch = Sketch(width: 240, height: 120, title: "A <b> & \"c\"", summary: "More")
        let frame = Box(x: 0, y: 0, width: 240, height: 120, radius: 20)
        sketch.add(.fill(frame, grey))
        sketch.add(.border(frame, width: 2, line))
        sketch.add(.fill(Box(center: 200, 30, radius: 16), blue))
        sketch.add(
            .fill(Box(x: 16, y: 70, width: 60, height: 40, radius: 12, corner: .continuous), line))
        sketch.add(.lock, in: Box(x: 100, y: 76, width: 24, height: 24), color: ink)
        let block = try TextBlock(
            text, style: TextStyle(size: 15, weight: .semibold), maxWidth: 140, alignment: .center)
        sketch.add(.text(block, x: 16, y: 12, ink))
        var pixels = PixelBuffer(size: PixelSize(width: 30, height: 20))
        pixels.fill(blue)
        sketch.add(
            .clipped(
                Box(x: 150, y: 70, width: 60, height: 40, radius: 10),
                [.picture(SketchPicture(pixels), Box(x: 150, y: 70, width: 60, height: 40))]))
        return sketch
    }

    private func rendered(_ svg: String, scale: Double) throws -> PixelBuffer {
        let picture = try VectorPicture(svg: Array(svg.utf8).span, limits: DecodeLimits())
        return try picture.render(
            at: PixelSize(
                width: Int(picture.exactWidth * scale), height: Int(picture.exactHeight * scale)))
    }

    @Test("a sketch looks the same as pixels and as SVG", arguments: [1.0, 1.5, 2, 3])
    func sameGeometry(scale: Double) throws {
        let sketch = try sketch()
        let pixels = try sketch.pixels(scale: scale)
        let reference = try rendered(sketch.svg(), scale: scale)
        #expect(pixels.size == reference.size)
        #expect(pixels.meanDifference(from: reference) < 1)
        #expect(pixels.shareDiffering(from: reference, by: 64) < 0.01)
    }

    @Test(
        "a sketch draws every script without missing glyphs, as pixels and as SVG",
        arguments: scripts)
    func everyScript(text: String) throws {
        let block = try TextBlock(text, style: TextStyle(size: 24, weight: .semibold))
        #expect(block.missingGlyphs == 0)
        #expect(block.lines.count == 1)
        let width = (block.width + 16).rounded(.up)
        var sketch = Sketch(width: width, height: block.height + 16)
        sketch.add(.text(block, x: 8, y: 8, .black))
        let pixels = try sketch.pixels(scale: 2)
        let reference = try rendered(sketch.svg(), scale: 2)
        let bounds = pixels.inkBounds()
        #expect(try #require(bounds).width > 40)
        // librsvg does not draw colour emoji.
        guard !text.contains("🎉") else { return }
        #expect(pixels.shareDiffering(from: reference, by: 96) < 0.02)
    }

    @Test("text in a sketch cannot become markup")
    func escaping() throws {
        let text = "</text><script>alert(1)</script>&amp;\u{0}\u{FFFF}\u{1B}x"
        var sketch = try sketch()
        sketch.add(.text(try TextBlock(text, style: TextStyle(size: 12)), x: 0, y: 0, ink))
        let svg = try sketch.svg()
        #expect(!svg.contains("<script"))
        #expect(svg.contains("&lt;/text&gt;"))
        #expect(svg.contains("<title>A &lt;b&gt; &amp; &quot;c&quot;</title>"))
        #expect(svg.contains("<desc>More</desc>"))
        #expect(svg.contains("role=\"img\""))
        #expect(!svg.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
        _ = try rendered(svg, scale: 1)
    }

    @Test("a sketch accepts text of any length and invalid measures")
    func hostileTexts() throws {
        let marks = String(repeating: "\u{0301}", count: 3000)
        let texts = [
            "", " ", "\n\n\n", "a" + marks, String(repeating: "W", count: 100_000),
            "\u{202E}\u{2066}\u{2067}abc", "\u{0}\u{1}\u{7F}", "\u{FFFD}\u{10FFFF}\u{E0041}",
            String(repeating: "﷽", count: 5000), String(repeating: "👨‍👩‍👧‍👦", count: 3000),
            String(repeating: "a\n", count: 5000), "\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}",
        ]
        for text in texts {
            for maxWidth in [nil, 0, 1, 200, .infinity, .nan, -5] as [Double?] {
                let style = TextStyle(size: 512, weight: .bold)
                let block = try TextBlock(text, style: style, maxWidth: maxWidth)
                #expect(block.width >= 0)
                #expect(!block.lines.isEmpty)
            }
            var sketch = Sketch(width: 60, height: 40)
            sketch.add(.text(try TextBlock(text, style: TextStyle(size: 12)), x: 0, y: 0, .black))
            _ = try sketch.pixels(scale: 1).size
            _ = try rendered(sketch.svg(), scale: 1)
        }
    }

    @Test("a sketch larger than any screen is refused")
    func sizes() throws {
        for (width, height) in [(1e9, 10.0), (.infinity, 1), (16_000, 16_000), (.nan, 3)] {
            #expect(throws: ArtworkError.self) {
                _ = try Sketch(width: width, height: height).pixels(scale: 3).size
            }
        }
        let least = try Sketch(width: 0, height: 0).pixels(scale: 1)
        #expect(least.size.area == 1)
    }
}
