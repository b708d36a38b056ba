import Artwork
import Codecs
import Raster
import Testing

@Suite("Drawing on several threads")
struct DrawingThreadTests {
    @Test("every drawing thread produces the same bytes")
    func determinism() async throws {
        let artwork = EmblemArtwork()
        @Sendable func make(_ index: Int) throws -> [UInt8] {
            let style = style(40 + Double(index % 3) * 8, scale: 2)
            switch index % 4 {
            case 0:
                let initials = try #require(Initials("Ж👍"))
                return artwork.finish(try artwork.initials(initials, style), style).bytes()
            case 1: return artwork.finish(try artwork.icon(.wifiOff, style), style).bytes()
            case 2:
                let text =
                    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 60 30'>"
                    + "<text x='3' y='24' font-size='24' font-family='Helvetica'>Logo</text></svg>"
                let logo = Picture.vector(
                    try VectorPicture(svg: Array(text.utf8).span, limits: DecodeLimits()))
                return artwork.finish(try artwork.fit(logo, style), style).bytes()
            default: return try emblem(solid(33, 21), style).bytes()
            }
        }
        let expected = try (0..<12).map(make)
        try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
            for index in 0..<96 {
                group.addTask { (index % 12, try make(index % 12)) }
            }
            for try await (index, bytes) in group { #expect(bytes == expected[index]) }
        }
    }

    @Test("text too large for any font does not damage text on another thread")
    func fontsOfOthers() async throws {
        let artwork = EmblemArtwork()
        /// A font is cached by its size, so each number uses its own size. A cached font would not
        /// show damage by the other threads.
        @Sendable func make(_ number: Int) throws -> [UInt8] {
            let text = number % 2 == 0 ? "AB" : "Ag"
            if number % 3 > 0 {
                let style = style(Double(20 + number))
                return artwork.finish(try artwork.initials(#require(Initials(text)), style), style)
                    .bytes()
            }
            let block = try TextBlock(text, style: TextStyle(size: 12 + Double(number) / 16))
            var sketch = Sketch(width: block.width, height: block.height)
            sketch.add(.text(block, x: 0, y: 0, blue))
            return try sketch.pixels(scale: 1).bytes()
        }
        @Sendable func breakFonts(_ number: Int) throws {
            let text =
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>"
                + "<text font-size='\(90_000 + number)'>Ag</text></svg>"
            let picture = try VectorPicture(svg: Array(text.utf8).span, limits: DecodeLimits())
            _ = try? picture.render(at: PixelSize(width: 80, height: 80))
        }
        let rows = 0..<300
        let drawn = try await withThrowingTaskGroup(of: [[UInt8]].self) {
            group -> [[[UInt8]]] in
            for _ in 0..<2 {
                group.addTask {
                    for number in rows { try breakFonts(number) }
                    return []
                }
                group.addTask { try rows.map(make) }
            }
            var drawn: [[[UInt8]]] = []
            for try await pictures in group where !pictures.isEmpty { drawn.append(pictures) }
            return drawn
        }
        // The expected pictures, drawn while no other thread makes a font fail.
        let expected = try rows.map(make)
        for pictures in drawn {
            #expect(rows.count { pictures[$0] != expected[$0] } == 0)
        }
    }

    @Test("a cached mask is specific to its size, radius, style and inset")
    func differentMasks() {
        let masks = MaskCache()
        let size = PixelSize(width: 30, height: 30)
        func covered(_ radius: Double, _ style: CornerStyle, _ inset: Double) -> [UInt8] {
            var picture = PixelBuffer(size: size)
            picture.fill(blue)
            picture.mask(by: masks.mask(size, radius: radius, style: style, inset: inset))
            return picture.bytes()
        }
        let pictures = [
            covered(9, .circular, 0), covered(9, .continuous, 0), covered(6, .circular, 0),
            covered(9, .circular, 3), covered(9, .circular, 0),
        ]
        #expect(Set(pictures).count == 4 && pictures[0] == pictures[4])
    }

    @Test("all fonts are installed and have a fingerprint")
    func fonts() throws {
        #expect(FontCache.isComplete)
        let prints = try FontFile.all.map { $0.isReadable ? try $0.fingerprint() : "-" }
        #expect(!prints.isEmpty)
        #expect(try FontCache.digest() == prints.joined(separator: " "))
        #expect(CodecLibrary.all.suffix(2).map(\.name) == ["pango", "fontconfig"])
        let nowhere = FontFile(path: "/nowhere/Inter.otf", package: "fonts-inter")
        #expect(throws: FontError.missing(file: nowhere.path, package: "fonts-inter")) {
            try nowhere.fingerprint()
        }
        let folder = FontFile(path: "/usr/share", package: "x")
        #expect(throws: FontError.unreadable(file: "/usr/share", package: "x")) {
            try folder.fingerprint()
        }
        #expect("\(FontError.fontconfigFailed)".contains("libfontconfig1"))
        #expect("\(FontError.unreadable(file: "a", package: "fonts-b"))".contains("fonts-b"))
    }
}
