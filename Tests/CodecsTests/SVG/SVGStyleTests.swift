import Codecs
import Raster
import Support
import System
import Testing

@Suite("Custom properties and colour schemes of SVG")
struct SVGStyleTests {
    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let blue: [UInt8] = [0, 0, 255, 255]

    @Test(
        "an SVG var() reference takes the value defined for its element",
        arguments: [
            ("<style>:root{--a:#00f}</style><path d='M0 0h99v99H0z' fill='var(--a)'/>"),
            ("<style>svg { --a : #00f ; }</style><path d='M0 0h99v99H0z' style='fill: var( --a )'/>"),
            ("<style>*{--a:#00f} path{fill:VAR(--a)}</style><path d='M0 0h99v99H0z'/>"),
            ("<style><![CDATA[.k{--a:#00f} .k{fill:var(--a)}]]></style><path class='x k' d='M0 0h99v99H0z'/>"),
            ("<style>#p{--a:#00f;fill:var(--a)}</style><path id='p' d='M0 0h99v99H0z'/>"),
            ("<g style='--a:#00f'><path d='M0 0h99v99H0z' fill='var(--a,red)'/></g>"),
            ("<style>path{fill:var(--a,red)}</style><g style='--a:#00f'><path d='M0 0h99v99H0z'/></g>"),
            ("<style>.t{--a:#00f}</style><g class='t'><path d='M0 0h99v99H0z' fill='var(--a)'/></g>"),
            ("<style>:root{--b:0,0;--a:rgb(var(--b),255)}</style><path d='M0 0h99v99H0z' fill='var(--a)'/>"),
            ("<path d='M0 0h99v99H0z' fill='var(--none, #00f)'/>"),
            ("<path d='M0 0h99v99H0z' fill='var(--none, var(--no, rgb(0,0,255)))'/>"),
            ("<g fill='#00f'><path d='M0 0h99v99H0z' fill='var(--none)'/></g>"),
            ("<g fill='#00f'><path d='M0 0h99v99H0z' style='stroke:red;fill:var(--none);opacity:1'/></g>"),
            ("<style>:root{--a:var(--b);--b:var(--a)}</style><path d='M0 0h99v99H0z' fill='var(--a,#00f)'/>"),
            ("<style>:root{--a:var(--a)}</style><path d='M0 0h99v99H0z' fill='var(--a,#00f)'/>"),
            ("<style>/* :root{--a:red} */ :root{--a:#00f /* } */}</style><path d='M0 0h99v99H0z' fill='var(--a)'/>"),
            ("<style>path{--a:red} path.k{--a:#00f} *{--a:lime}</style><path class='k' d='M0 0h99v99H0z' fill='var(--a)'/>"),
            ("<g style='--a:red'/><path d='M0 0h99v99H0z' fill='var(--a,#00f)'/>"),
            ("<path d='M0 0h99v99H0z' style=\"--f:&quot;A;B&quot;;--a:#00f;fill:var(--a)\"/>"),
        ])
    func properties(body: String) throws {
        #expect(try color(body, at: 40, 40) == Self.blue, "\(body)")
    }

    @Test("the text around an SVG var() reference is unchanged")
    func around() throws {
        let body =
            "<!-- var(a) --><title>var(--a) &amp; more</title><rect width='50' height='100' "
            + "fill=\"var(--a)\" stroke='none'/><rect x='50' width='50' height='100' fill='#f00'/>"
        #expect(try color(body, at: 20, 50, root: "style='--a:#00f'") == Self.blue)
        #expect(try color(body, at: 70, 50, root: "style='--a:#00f'") == Self.red)
    }

    @Test("custom properties of an SVG that grow exponentially reach a limit")
    func doubling() {
        var sheet = ":root{--a0:#00f #00f;"
        for level in 1...40 { sheet += "--a\(level):var(--a\(level - 1)) var(--a\(level - 1));" }
        let doubled = refusal(svg("", "<style>\(sheet)}</style><path fill='var(--a40)'/>"))
        guard case .limitDecode = doubled else {
            Issue.record("\(String(describing: doubled))")
            return
        }
        let rules = String(repeating: "*{--a:1}", count: 30_000)
        let shapes = String(repeating: "<g/>", count: 30_000)
        guard
            case .limitDecode = refusal(
                svg("", "<style>\(rules)</style><path fill='var(--a)'/>" + shapes))
        else {
            Issue.record("not refused")
            return
        }
    }

    @Test(
        "an SVG style sheet sees the requested colour scheme",
        arguments: [
            "<style>path{fill:#f00}@media (prefers-color-scheme: dark){path{fill:#00f}}</style>",
            "<style>path{fill:#00f}@media(prefers-color-scheme:light){path{fill:#f00}}</style>",
            "<style>path{fill:#f00}@media screen and (prefers-color-scheme:dark){path{fill:#00f}}</style>",
            "<style>path{fill:#f00}@media not (prefers-color-scheme:light){path{fill:#00f}}</style>",
            "<style>path{fill:#f00}</style><style media='(prefers-color-scheme: dark)'>path{fill:#00f}</style>",
            "<style>:root{--c:#f00}@media (prefers-color-scheme: dark){:root{--c:#00f}}path{fill:var(--c)}</style>",
            "<style><![CDATA[path{fill:#f00}@media (prefers-color-scheme: dark){/* } */path{fill:#00f}}]]></style>",
            "<style>path{fill:#f00}@media (prefers-color-scheme: dark){@media all and (prefers-color-scheme: dark){path{fill:#00f}}}</style>",
        ])
    func schemes(sheet: String) throws {
        let body = sheet + "<path d='M0 0h99v99H0z'/>"
        #expect(try color(body, at: 40, 40) == Self.red)
        #expect(try color(body, at: 40, 40, scheme: .dark) == Self.blue)
    }

    @Test("an SVG without a colour scheme query looks the same in both schemes")
    func indifferent() throws {
        let body =
            "<style>@media print{path{fill:#f00}}</style><path fill='#00f' d='M0 0h99v99H0z'/>"
        #expect(try color(body, at: 40, 40) == Self.blue)
        #expect(try color(body, at: 40, 40, scheme: .dark) == Self.blue)
    }

    @Test("an SVG may be a template in only one colour scheme")
    func template() throws {
        let bytes = svg(
            "viewBox='0 0 9 9'",
            "<style>path{fill:currentColor}@media (prefers-color-scheme:dark){path{fill:#fff}}"
                + "</style><path d='M0 0h9v9z'/>")
        let picture = try VectorPicture(svg: bytes.span, limits: DecodeLimits())
        let (light, dark) = (picture.isTemplate(in: .light), picture.isTemplate(in: .dark))
        #expect(light && !dark)
    }

    @Test("an SVG with rewritten styles is drawn whenever another XML parser accepts it")
    func damage() throws {
        var random = SeededRandom(seed: TestSeed.value)
        let good = svg(
            "viewBox='0 0 9 9' style='--a:red'",
            "<style>/*x*/@media (prefers-color-scheme:dark){.k{--b:var(--a,blue)}}.k{fill:var(--b)}"
                + "</style><filter id='f'><feDropShadow dx='var(--c,1)' in='a'><set/></feDropShadow>"
                + "</filter><path class=\"k\" fill=\"var(--b, 'x;y')\" style='--q:\"x\";stroke:var(--a)'/>"
        )
        let documents = (0..<1000).map { _ in
            let bytes = damaged(good, &random)
            let isCut = random.below(4) == 0
            return isCut ? Array(bytes.prefix(random.below(bytes.count) + 1)) : bytes
        }
        try expectSameVerdicts(documents, around: good, isRewritten: true)
    }
}
