import Codecs
import Raster
import Testing

@Suite("Features of SVG that librsvg does not draw")
struct SVGFeatureTests {
    private func isLinted(_ body: String) throws -> Bool {
        try VectorPicture(svg: svg("viewBox='0 0 100 100'", body).span, limits: DecodeLimits())
            .hasUnsupportedFeature
    }

    @Test(
        "an SVG feature that librsvg does not draw is linted",
        arguments: [
            "<filter id='f'><feDropShadow dx='1'/></filter><path filter='url(#f)'/>",
            "<path style='fill:var(--a)'/>", "<path fill='color-mix(in srgb, red, blue)'/>",
            "<style>@media (prefers-color-scheme: dark){path{fill:red}}</style>",
            "<style>@layer base{.a{fill:#00f}}</style>", "<style>:is(.a,.b){fill:red}</style>",
            "<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'>a</p></foreignObject>",
            "<text><textPath href='#p'>a</textPath></text>",
            "<path clip-path='inset(10px)'/>", "<path style='mask-image:url(#m)'/>",
            "<style>svg{background:#fd0}</style>", "<g transform-origin='6 6'/>",
        ])
    func told(body: String) throws {
        #expect(try isLinted(body))
    }

    @Test(
        "an SVG feature that is drawn, or that browsers also ignore, is not linted",
        arguments: [
            "<switch><foreignObject requiredExtensions='http://ns.adobe.com/AdobeIllustrator/10.0/'><g/></foreignObject><g/></switch>",
            "<path style='clip-path:url(#c);mask:url(#m);transform:scale(2)'/>",
            "<style>@font-face{font-family:x} .a:not(.b){fill:rgb(0 0 0 / 50%)}</style>",
            "<path style='enable-background:new 0 0 9 9;fill:hsl(9deg 50% 50%)'/>",
        ])
    func untold(body: String) throws {
        #expect(try !isLinted(body))
    }

    @Test("an SVG in UTF-16 or Latin-1 is read, and an encoding that libxml2 lacks is unsupported")
    func encodings() throws {
        func document(_ name: String) -> String {
            "<?xml version='1.0' encoding='\(name)'?><svg xmlns='http://www.w3.org/2000/svg' "
                + "viewBox='0 0 9 9'><path d='M0 0h9v9H0z' fill='#f00'/></svg>"
        }
        var wide: [UInt8] = [0xFF, 0xFE]
        for unit in document("utf-16").utf16 { wide += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        for bytes in [wide, Array(document("ISO-8859-1").utf8)] {
            let picture = try drawing(bytes, at: PixelSize(width: 5, height: 5))
            #expect(picture.rgba(2, 2) == [255, 0, 0, 255])
        }
        #expect(
            refusal(Array(document("KOI8-R").utf8)) == .unsupported("an SVG in the encoding koi8-r")
        )
    }
}
