import Codecs
import Raster
import Support
import Testing

@Suite("Newer CSS in SVG")
struct SVGNewerStyleTests {
    private static let path = "<path class='a' d='M0 0h100v100H0z'/>"

    // Read from a screenshot of Chromium in a profile of sRGB.
    @Test(
        "a colour function is the colour that browsers of sRGB show",
        arguments: [
            ("oklch(0.7 0.15 150)", "4cb86a"), ("oklch(62.8% 0.258 29.23deg)", "ff0000"),
            ("oklab(0.6 0.1 -0.1)", "9f63ba"), ("lab(54 80 67)", "fd060a"),
            ("lch(54% 106 41)", "fd0500"), ("color(display-p3 0.2 0.8 0.3)", "00d032"),
            ("color(srgb 1 0.5 0.2)", "ff8033"), ("color(srgb-linear 0.2 0.4 0.6)", "7caacb"),
            ("color-mix(in srgb, red 30%, blue)", "4d00b3"),
            ("color-mix(in oklab, white, #06c 70%)", "5e96df"),
            ("hwb(200 10% 20%)", "1a91cc"), ("color(xyz 0.2 0.4 0.1)", "00c535"),
            ("color-mix(in oklch, red, blue)", "ba00c2"),
            ("color-mix(in srgb, light-dark(red, #000), #F00)", "ff0000"),
            ("oklch(90% 0.4 150)", "00ff00"), ("light-dark(#123456, red)", "123456"),
        ])
    func colors(function: String, hex: String) throws {
        let wanted = Int(hex, radix: 16).map { [$0 >> 16, $0 >> 8 & 255, $0 & 255, 255] }
        for body in [
            "<path d='M0 0h100v100H0z' fill='\(function)'/>",
            "<path d='M0 0h100v100H0z' style='stroke:none;fill:\(function);opacity:1'/>",
            "<style>:root{--c:\(function)} .a{fill:var(--c)!important} path{fill:red}</style>"
                + Self.path,
        ] {
            let seen = try color(body, at: 50, 50).map(Int.init)
            let isNear = zip(seen, wanted ?? []).allSatisfy { abs($0 - $1) <= 1 }
            #expect(isNear, "\(body): \(seen)")
            #expect(try !isFeatureLinted(body), "\(body)")
        }
    }

    @Test("half of a colour stays half visible")
    func alpha() throws {
        let seen = try color(
            "<path d='M0 0h100v100H0z' fill='hwb(0.5turn 0% 0% / 50%)'/>", at: 5, 5)
        #expect(seen == [0, 128, 128, 128])
    }

    @Test("light-dark() follows the scheme where the document knows both")
    func lightDark() throws {
        let rule = ".a{fill:light-dark(#f00, oklab(0.452 -0.0324 -0.3115))}"
        for (before, dark) in [
            ("", [255, 0, 0, 255]), (":root{color-scheme:light dark}", [0, 0, 255, 255]),
        ] as [(String, [UInt8])] {
            let body = "<style>\(before)\(rule)</style>" + Self.path
            #expect(try color(body, at: 9, 9) == [255, 0, 0, 255])
            let seen = try color(body, at: 9, 9, scheme: .dark)
            #expect(zip(seen, dark).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(seen)")
        }
    }

    @Test(
        "rules inside of others hold as in browsers",
        arguments: [
            "@layer base{.a{fill:#00f}}",
            ".a{fill:#00f} @layer base{.a{fill:red}}",
            "@layer base, top; @layer base{@layer deep{.a{fill:#00f}}}",
            "@supports (color:oklch(0 0 0)) and (display:grid){.a{fill:#00f}}",
            ".a{fill:#00f} @supports not (display:grid){.a{fill:red}}",
            ".a{fill:#00f} @container (min-width:1px){.a{fill:red}}",
            "@media screen{.a{fill:#00f}} @media print{.a{fill:red}}",
            "@media only screen and (prefers-reduced-motion: no-preference){.a{fill:#00f}}",
            "svg{fill:red; .a{fill:#00f} stroke:none}",
            "g,svg{ > .a{fill:#00f} }",
            ".a{fill:red; &amp;:not(.b){fill:#00f}}",
            ".a{fill:red; @media (prefers-color-scheme: light){fill:#00f}}",
            ".a{fill:#00f; @media (prefers-color-scheme: dark){fill:red} /* } */}",
            ".a{@supports (fill:red){@media screen{fill:#00f}} &amp;.q{fill:red}}",
            "@media (prefers-color-scheme: light){svg{ .a{fill:#00f} }}",
            "<![CDATA[.a{ & {fill:#00f} .b &{fill:red} }]]>",
        ])
    func blocks(sheet: String) throws {
        let body = "<style>\(sheet)</style>" + Self.path
        #expect(try color(body, at: 50, 50) == [0, 0, 255, 255])
        #expect(try !isFeatureLinted(body))
    }

    @Test(
        "what cannot be shown is told",
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
            "<style>@layer a, b; @layer b{.a{fill:#0a0}} @layer a{.a{fill:#c00}}</style>",
            "<style>@layer a{#x{fill:#c00}} .a{fill:#0a0}</style>",
        ])
    func told(body: String) throws {
        #expect(try isFeatureLinted(body))
    }

    @Test(
        "what is shown, and what browsers leave out too, is not told",
        arguments: [
            "<switch><foreignObject requiredExtensions='http://ns.adobe.com/AdobeIllustrator/10.0/'><g/></foreignObject><g/></switch>",
            "<path style='clip-path:url(#c);mask:url(#m);transform:scale(2)'/>",
            "<path transform-origin='6 6'/>", "<foreignObject/>",
            "<style>@font-face{font-family:x} @keyframes k{from{rotate:3deg}} .a{fill:rgb(0 0 0 / 50%)}</style>",
            "<text>calc(1 + 1), color-mix() and :is(a)</text>",
            "<style>.a{fill:#0a0} @layer a{.a{fill:#c00}}</style>",
            "<path style='enable-background:new 0 0 9 9;fill:hsl(9deg 50% 50%)'/>",
        ])
    func untold(body: String) throws {
        #expect(try !isFeatureLinted(body))
    }

    @Test(
        "sheets that multiply, and brackets without end, cost little and are drawn all the same",
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

    /// Whether something that is no filter is told of.
    private func isFeatureLinted(_ body: String) throws -> Bool {
        try VectorPicture(svg: svg("viewBox='0 0 100 100'", body).span, limits: DecodeLimits())
            .hasUnsupportedFeature
    }
}
