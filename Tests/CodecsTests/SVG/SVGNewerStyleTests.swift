import Codecs
import Raster
import Support
import Testing

@Suite("Newer CSS in SVG")
struct SVGNewerStyleTests {
    private static let path = "<path class='a' d='M0 0h100v100H0z'/>"

    @Test(
        "colour functions of CSS Color 4 and 5 in an SVG are linted as unsupported",
        arguments: [
            "oklch(0.7 0.15 150)", "oklab(0.6 0.1 -0.1)", "lab(54 80 67)", "lch(54% 106 41)",
            "hwb(200 10% 20%)", "color(display-p3 0.2 0.8 0.3)",
            "color-mix(in srgb, red 30%, blue)", "light-dark(#123456, red)",
        ])
    func colors(function: String) throws {
        for body in [
            "<path d='M0 0h100v100H0z' fill='\(function)'/>",
            "<path d='M0 0h100v100H0z' style='stroke:none;fill:\(function);opacity:1'/>",
            "<style>:root{--c:\(function)} .a{fill:var(--c)!important}</style>" + Self.path,
        ] {
            #expect(try isFeatureLinted(body), "\(body)")
        }
    }

    @Test(
        "nested rules of an SVG style sheet are linted as unsupported",
        arguments: [
            "@layer base{.a{fill:#00f}}", "@supports (display:grid){.a{fill:#00f}}",
            "@container (min-width:1px){.a{fill:red}}", "@media screen{.a{fill:#00f}}",
            "svg{fill:red; .a{fill:#00f} stroke:none}", "g,svg{ > .a{fill:#00f} }",
            ".a{fill:red; &amp;:not(.b){fill:#00f}}",
            ".a{fill:red; @media (prefers-color-scheme: light){fill:#00f}}",
            "@media (prefers-color-scheme: light){svg{ .a{fill:#00f} }}",
            "<![CDATA[.a{ & {fill:#00f} .b &{fill:red} }]]>",
        ])
    func blocks(sheet: String) throws {
        #expect(try isFeatureLinted("<style>\(sheet)</style>" + Self.path))
    }

    @Test(
        "an SVG feature that librsvg does not draw is linted",
        arguments: [
            "<foreignObject width='9' height='9'><p xmlns='http://www.w3.org/1999/xhtml'>a</p></foreignObject>",
            "<text><textPath href='#p'>a</textPath></text>",
            "<path class='a' style='clip-path:circle(40%)'/>", "<path clip-path='inset(10px)'/>",
            "<path style='mask:linear-gradient(black,transparent)'/>",
            "<path style='mask-image:url(#m)'/>",
            "<path transform='rotate(45)' transform-origin='6 6'/>",
            "<style>.a{transform:rotate(45deg);transform-origin:center}</style>",
            "<style>.a{rotate:20deg}</style>", "<style>.a{d:path('M0 0h9v9z')}</style>",
            "<style>:is(.a,.b){fill:red}</style>", "<style>svg:has(.b){fill:red}</style>",
            "<style>@media (min-width:50px){.a{fill:red}}</style>",
            "<style>@scope (svg){.a{fill:red}}</style>",
            "<style>svg{background:#fd0}</style>",
            "<path fill='color-mix(in srgb, currentColor 50%, white)'/>",
            "<path style='fill:oklch(from red l c h)'/>", "<path fill='color(rec2020 1 0 0)'/>",
            "<path style='stroke-width:calc(2px * 3)'/>",
        ])
    func told(body: String) throws {
        #expect(try isFeatureLinted(body))
    }

    @Test(
        "an SVG feature that is drawn, or that browsers also ignore, is not linted",
        arguments: [
            "<switch><foreignObject requiredExtensions='http://ns.adobe.com/AdobeIllustrator/10.0/'><g/></foreignObject><g/></switch>",
            "<path style='clip-path:url(#c);mask:url(#m);transform:scale(2)'/>",
            "<path transform-origin='6 6'/>", "<foreignObject/>",
            "<style>@font-face{font-family:x} @keyframes k{from{rotate:3deg}} .a{fill:rgb(0 0 0 / 50%)}</style>",
            "<text>calc(1 + 1), color-mix() and :is(a)</text>",
            "<style>@media print{.a{fill:red}} .a{fill:#00f /* { */}</style>",
            "<style>@media (prefers-color-scheme: dark){.a{fill:red}}</style>",
            "<style>@media (prefers-reduced-motion: reduce){.a{fill:red}}</style>",
            "<path style='enable-background:new 0 0 9 9;fill:hsl(9deg 50% 50%)'/>",
        ])
    func untold(body: String) throws {
        #expect(try !isFeatureLinted(body))
    }

    @Test(
        "an SVG with thousands of nested rules or brackets costs little and is drawn",
        arguments: [
            "<style>" + String(repeating: "g,g,g,g{", count: 4000) + "fill:red</style>" + path,
            "<path d='M0 0h9v9z' fill='" + String(repeating: "color-mix(in srgb, ", count: 20_000)
                + "'/>",
            "<style>"
                + String(repeating: "a,b,c,d,e,f,g,h{i,j,k,l,m,n,o,p{fill:red}}", count: 2000)
                + "</style>" + path,
        ])
    func bombs(body: String) throws {
        let seconds = processorSeconds {
            #expect(refusal(svg("viewBox='0 0 9 9'", body)) == nil)
        }
        #expect(seconds < 2)
    }

    /// Returns whether an unsupported feature other than a filter is reported.
    private func isFeatureLinted(_ body: String) throws -> Bool {
        try VectorPicture(svg: svg("viewBox='0 0 100 100'", body).span, limits: DecodeLimits())
            .hasUnsupportedFeature
    }
}
