import Codecs
import Raster
import Support
import System
import Testing

@Suite("Broken and hostile SVG")
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

    @Test(
        "a malformed SVG is corrupt",
        arguments: [
            "<svg xmlns='http://www.w3.org/2000/svg'><g></svg>",
            "<svg xmlns='http://www.w3.org/2000/svg'><path d=></svg>",
            "<svg xmlns='http://www.w3.org/2000/svg'>&unknown;</svg>",
            "<svg xmlns='http://www.w3.org/2000/svg'></svg></svg>",
            "<svg xmlns='http://www.w3.org/2000/svg' a='1' a='2'/>",
        ])
    func corrupt(text: String) {
        guard case .corrupt = refusal(Array(text.utf8)) else {
            Issue.record("\(String(describing: refusal(Array(text.utf8))))")
            return
        }
    }

    @Test("other text is not an SVG", arguments: ["", "hello", "<html><body/></html>"])
    func notImage(text: String) {
        #expect(refusal(Array(text.utf8)) == .notImage)
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

    @Test("cyclic references in an SVG draw nothing or reach a limit")
    func cycles() throws {
        let bodies = [
            "<g id='a'><use href='#a'/></g>",
            "<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>",
            "<pattern id='p' width='9' height='9'><rect width='9' height='9' fill='url(#p)'/>"
                + "</pattern><rect width='9' height='9' fill='url(#p)'/>",
            "<mask id='m'><rect width='9' height='9' mask='url(#m)'/></mask>"
                + "<rect width='9' height='9' mask='url(#m)'/>",
            "<filter id='f'><feImage href='#r'/></filter>"
                + "<rect id='r' width='9' height='9' filter='url(#f)'/>",
        ]
        for body in bodies {
            let bytes = svg("viewBox='0 0 9 9' xmlns:xlink='x'", body)
            switch refusal(bytes) {
            case nil:
                let picture = try drawing(bytes, at: PixelSize(width: 9, height: 9))
                #expect(picture.bytes().allSatisfy { $0 == 0 }, "\(body)")
            case .limitDecode: break
            case let other: Issue.record("\(body): \(String(describing: other))")
            }
        }
    }

    @Test("exponential entities and deep nesting in an SVG reach a limit")
    func laughs() {
        var entities = "<!ENTITY a0 'ha'>"
        for level in 1...12 {
            let inner = String(repeating: "&a\(level - 1);", count: 10)
            entities += "<!ENTITY a\(level) '\(inner)'>"
        }
        let laugh =
            "<!DOCTYPE svg [\(entities)]><svg xmlns='http://www.w3.org/2000/svg'>"
            + "<text>&a12;</text></svg>"
        guard case .limitDecode = refusal(Array(laugh.utf8)) else {
            Issue.record("\(String(describing: refusal(Array(laugh.utf8))))")
            return
        }
        let deep = String(repeating: "<g>", count: 5000) + String(repeating: "</g>", count: 5000)
        guard case .limitDecode = refusal(svg("", deep)) else {
            Issue.record("\(String(describing: refusal(svg("", deep))))")
            return
        }
    }

    @Test("an SVG draws nothing from outside the document")
    func external() throws {
        let bodies = [
            "<image width='9' height='9' href='file:///usr/share/pixmaps/debian-logo.png'/>",
            "<image width='9' height='9' href='/etc/passwd'/>",
            "<image width='9' height='9' href='http://169.254.169.254/x.png'/>",
            "<style>@import url(file:///etc/passwd);</style>",
            "<foreignObject width='9' height='9'><body/></foreignObject><script>1</script>",
        ]
        for body in bodies {
            let picture = try drawing(
                svg("viewBox='0 0 9 9'", body), at: PixelSize(width: 9, height: 9))
            #expect(picture.bytes().allSatisfy { $0 == 0 }, "\(body)")
        }
        let entity =
            "<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/hostname'>]>"
            + "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><text y='9'>&x;</text></svg>"
        #expect(refusal(Array(entity.utf8)) == .corrupt("the SVG is not well-formed XML"))
    }

    @Test("exponential references in an SVG reach a limit")
    func references() {
        var body = "<defs><g id='a0'><path d='M0 0h9'/></g>"
        for level in 1...9 {
            let uses = String(repeating: "<use href='#a\(level - 1)'/>", count: 10)
            body += "<g id='a\(level)'>\(uses)</g>"
        }
        guard
            case .limitDecode = refusal(svg("viewBox='0 0 9 9'", body + "</defs><use href='#a9'/>"))
        else {
            Issue.record("not refused")
            return
        }
    }

    @Test("a picture embedded in an SVG as data is drawn")
    func embedded() throws {
        let dot =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAA"
            + "AABJRU5ErkJggg=="
        let picture = try drawing(
            svg(
                "viewBox='0 0 9 9'",
                "<image width='9' height='9' href='data:image/png;base64,\(dot)'/>"),
            at: PixelSize(width: 9, height: 9))
        #expect(picture.rgba(4, 4)[3] > 0)
    }

    @Test("an SVG in UTF-16, with a byte-order mark or a long leading comment is read")
    func encodings() throws {
        let text =
            "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>"
            + "<rect width='9' height='9' fill='#f00'/></svg>"
        var wide: [UInt8] = [0xFF, 0xFE]
        for unit in text.utf16 { wide += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let marked: [UInt8] = [0xEF, 0xBB, 0xBF] + Array(text.utf8)
        let comment = "<!--" + String(repeating: "long ", count: 12_000) + "-->"
        let late =
            Array(comment.utf8) + svg("viewBox='0 0 9 9'", "<path fill='#f00' d='M0 0h9v9H0z'/>")
        for bytes in [wide, marked, late] {
            let picture = try drawing(bytes, at: PixelSize(width: 5, height: 5))
            #expect(picture.rgba(2, 2) == [255, 0, 0, 255])
        }
    }

    @Test("white space before the XML declaration of an SVG is accepted, and nothing else")
    func blanks() {
        let text = Array("<?xml version='1.0'?>".utf8) + good
        #expect(refusal(Array(" \r\n\t".utf8) + text) == nil)
        #expect(refusal(Array("   ".utf8)) == .notImage)
        #expect(refusal(Array("x".utf8) + text) == .notImage)
    }

    @Test("a damaged SVG is refused exactly if another XML parser refuses it")
    func damage() throws {
        var random = SeededRandom(seed: TestSeed.value)
        let documents = (0..<500).map { _ in damaged(good, &random) }
        try expectSameVerdicts(documents, around: good)
    }
}
