import Artwork
import Codecs
import Raster
import Support
import Testing
import Theming

@Suite("Emblems as SVG")
struct EmblemSketchTests {
    private let logo = """
        <?xml version="1.0"?><!-- by hand --><!DOCTYPE svg>
        <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
          width="240" height="160" viewBox="0 0 60 40"><title>Mine</title>
        <defs><linearGradient id="a"><stop stop-color="#0a14c8"/><stop offset="1" stop-color="red"/>
        </linearGradient></defs><metadata><r:x xmlns:r="q"/></metadata>
        <rect class="k" width="60" height="40" rx="6" fill="url(#a)"/>
        <use xlink:href="#b"/><g id="b"><circle cx="30" cy="20" r="9" fill='#fff'/></g></svg>
        """

    private func drawing(_ svg: String) throws -> EmblemContent {
        .drawing(try SketchDrawing(svg: Array(svg.utf8)))
    }

    private func pixels(_ svg: String, _ size: Int) throws -> PixelBuffer {
        try VectorPicture(svg: Array(svg.utf8).span, limits: DecodeLimits())
            .render(at: PixelSize(width: size, height: size))
    }

    private func style(_ change: (inout EmblemStyle) -> Void = { _ in }) -> EmblemStyle {
        var style = style(80, radius: 20)
        change(&style)
        return style
    }

    private func style(_ height: Double, radius: Double) -> EmblemStyle {
        EmblemStyle(
            heightPoints: height, radiusPoints: radius,
            colors: EmblemColors(background: grey, foreground: ink, border: line))
    }

    @Test(
        "an SVG emblem embeds a drawing as an inactive image",
        arguments: [
            "<style>rect{fill:red}</style>", "<script>alert(1)</script>",
            "<rect width='9' height='9' fill='url(http://example.com/#x)'/>",
            "<rect width='9' height='9' onclick='x()'/>",
        ])
    func embedded(part: String) throws {
        let text =
            "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'>"
            + "<circle r='3'/>\(part)</svg>"
        let svg = try style().sketch(of: drawing(text)).svg()
        #expect(svg.contains("data:image/svg+xml;base64,"))
        for trace in ["script", "onclick", "example.com", "<style"] {
            #expect(!svg.contains(trace), "\(trace)")
        }
    }

    @Test("an SVG emblem shows the same as its pixels")
    func samePicture() throws {
        let artwork = EmblemArtwork()
        let manners: [(inout EmblemStyle) -> Void] = [
            { _ in }, { $0.mode = .fill }, { $0.paddingPoints = 10 }, { $0.borderPoints = 3 },
            { $0.corner = .continuous },
        ]
        for change in manners {
            var style = style(change)
            let svg = try style.sketch(of: drawing(logo)).svg()
            style.scale = 3
            let picture = Picture.vector(
                try VectorPicture(svg: Array(logo.utf8).span, limits: DecodeLimits()))
            let drawn = artwork.finish(try artwork.fit(picture, style), style)
            #expect(try drawn.meanDifference(from: pixels(svg, 240)) < 1.5)
        }
    }

    @Test("templates and icons have the foreground colour in an SVG emblem")
    func templates() throws {
        let text =
            "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10' "
            + "fill='currentColor'><circle cx='5' cy='5' r='4'/></svg>"
        let svg = try style().sketch(of: drawing(text)).svg()
        #expect(try pixels(svg, 80).rgba(40, 40) == ink.pixel)
        let forced = try style { $0.tint = .always }.sketch(of: drawing(logo)).svg()
        #expect(forced.contains("mask-type"))
        let icon = try style().sketch(of: .icon(.lock)).svg()
        #expect(icon.contains("stroke=\"#78003C\"") && icon.contains("<path"))
    }

    @Test("an SVG emblem embeds pixels as PNG and letters as text")
    func others() throws {
        var pixels = PixelBuffer(size: PixelSize(width: 20, height: 10))
        pixels.fill(blue)
        let image = SketchPicture(pixels)
        let picture = try style { $0.width = .auto }.sketch(of: .picture(image)).svg()
        #expect(picture.contains("width=\"160\" height=\"80\""))
        #expect(picture.contains("href=\"data:image/png;base64,"))
        let initials = try #require(Initials("JD"))
        let letters = try style().sketch(of: .initials(initials)).svg()
        #expect(letters.contains(">JD</text>"))
    }
}
