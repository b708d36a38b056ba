import Codecs
import Foundation
import Notation
import Raster
import Support
import Testing

@Suite("State views and shimmers from the command line", .ownThreads)
struct RenderStateTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func render(_ arguments: [String], status: Int32 = 0) throws -> String {
        let run = try Tool.emblem(["render"] + arguments, in: folder.path)
        #expect(run.status == status, "\(arguments): \(run.errors)")
        return run.errors
    }

    private func text(_ name: String) throws -> String {
        try folder.text(name)
    }

    @Test(
        "render state draws every ready-made state in every format",
        arguments: ["loading-failure", "no-connection", "no-results", "generic"])
    func formats(kind: String) throws {
        for format in ["png", "webp", "jpg", "svg", "html"] {
            let name = "\(kind).\(format)"
            _ = try render(["state", "--kind", kind, "--scale", "2", "-o", name])
            let bytes = try folder.read(name)
            guard format != "html" else { continue }
            let header = try ImageDecoder.header(of: bytes.span, limits: DecodeLimits())
            #expect(header.codedSize.width == (format == "svg" ? 360 : 720))
        }
    }

    @Test("texts come from options, then from the file, then from the defaults")
    func words() throws {
        try folder.write(
            #"{"stateView":{"noResultsTitle":"Rien","noResultsSubtitle":"Nada"}}"#, to: "s.json")
        _ = try render([
            "state", "--kind", "no-results", "--strings", "s.json", "--title", "Nichts",
            "--button", "A", "--button", "B", "-o", "a.svg",
        ])
        let svg = try text("a.svg")
        #expect(svg.contains(">Nichts</text>") && svg.contains(">Nada</text>"))
        #expect(svg.contains(">A</text>") && svg.contains(">B</text>"))
        try folder.write("\"stateView.noResultsTitle\" = \"Niente\";", to: "s.strings")
        _ = try render(["state", "--kind", "no-results", "--strings", "s.strings", "-o", "b.svg"])
        #expect(try text("b.svg").contains(">Niente</text>"))
        try folder.write("\"a\" = ", to: "bad.strings")
        let errors = try render(
            ["state", "--kind", "no-results", "--strings", "bad.strings", "-o", "c.svg"],
            status: 65)
        #expect(errors.contains("bad.strings") && errors.contains("line 1"))
    }

    @Test("a page follows the reader's colour scheme unless one is chosen")
    func schemes() throws {
        _ = try render(["state", "--kind", "no-results", "-o", "a.html"])
        #expect(try text("a.html").contains("prefers-color-scheme: dark"))
        _ = try render(["state", "--kind", "no-results", "--scheme", "dark", "-o", "b.html"])
        let dark = try text("b.html")
        #expect(!dark.contains("prefers-color-scheme") && dark.contains("#14161B"))
    }

    @Test("tokens of a theme change a state view")
    func theme() throws {
        try folder.write(
            ##"{"theme":{"dimension":{"state-view":{"width":500}},"##
                + ##""color":{"state-view":{"button-primary":{"background":"#112233"}}}}}"##,
            to: "t.json")
        _ = try render(["state", "--kind", "no-connection", "--theme", "t.json", "-o", "a.svg"])
        let svg = try text("a.svg")
        #expect(svg.contains("width=\"500\"") && svg.contains("#112233"))
    }

    @Test("render state accepts custom pictures and icons, and reports errors in them")
    func graphics() throws {
        try folder.write(Pictures.svg, to: "logo.svg")
        _ = try render(["state", "--title", "T", "--icon", "logo.svg", "-o", "a.png"])
        _ = try render(["state", "--title", "T", "--icon", "none", "-o", "b.svg"])
        #expect(!(try text("b.svg")).contains("<circle"))
        #expect(
            try render(["state", "--icon", "chek", "-o", "c.png"], status: 64).contains("check"))
        #expect(
            try render(
                ["state", "--title", "T", "--icon", "none.webp", "-o", "c.png"], status: 66
            )
            .contains("none.webp"))
        _ = try render(["state", "--icon", "none", "-o", "c.png"], status: 64)
        _ = try render(["state", "--kind", "no-results", "-o", "c.tiff"], status: 64)
        let many = ["1", "2", "3", "4"].flatMap { ["--button", $0] }
        _ = try render(["state", "--title", "T", "-o", "c.png"] + many, status: 64)
    }

    @Test("options of render state set each side, the width and the buttons")
    func measures() throws {
        let buttons = ["--button", "One", "--button", "Two", "--button", "Three"]
        _ = try render(
            ["state", "--title", "T", "--subtitle", "S", "--icon", "card"] + buttons + [
                "--padding", "10,20,30,40",
                "--width", "400", "--background", "#117D3C", "-o", "a.svg",
            ])
        let svg = try text("a.svg")
        for part in [
            "width=\"400\"", "fill=\"#117D3C\"",
        ] {
            #expect(svg.contains(part), "\(part)")
        }
        #expect(svg.components(separatedBy: "<g role=\"button\">").count == 4)
        for (option, value) in [
            ("padding", "1,2,3"), ("width", "-1"), ("background", "green"),
        ] {
            let errors = try render(
                ["state", "--title", "T", "--\(option)", value, "-o", "b.svg"], status: 64)
            #expect(errors.contains("--\(option)"), "\(errors)")
        }
    }

    @Test("a background on which a text is hard to read gives one warning per scheme")
    func contrast() throws {
        func warnings(_ words: [String], on color: String, to name: String = "c.png") throws
            -> [String]
        {
            try render(["state", "--background", color, "-o", name] + words)
                .split(separator: "\n").map { String($0) }
        }
        let texts = ["--title", "T", "--subtitle", "S"]
        let black = try warnings(texts, on: "#000000")
        #expect(black.count == 1 && black[0].contains("title has a contrast of 1."), "\(black)")
        #expect(black[0].contains("4.5:1") && black[0].contains("light scheme"))
        #expect(try warnings(texts, on: "#FFFFFF").isEmpty)
        #expect(try warnings(texts + ["--scheme", "dark"], on: "#000000").isEmpty)
        // A page has both schemes.
        let page = try warnings(texts, on: "#FFFFFF", to: "c.html")
        #expect(page.count == 1 && page[0].contains("dark scheme"), "\(page)")
        // The background of the first button is opaque.
        #expect(
            try warnings(["--icon", "check", "--title", "", "--button", "OK"], on: "#000000")
                .isEmpty)
        #expect(try render(["state", "--title", "T", "-o", "c.png"]).isEmpty)
    }

    @Test("screen readers get a label of a state view")
    func spoken() throws {
        for name in ["a.svg", "a.html"] {
            _ = try render(
                ["state", "--kind", "no-connection", "--label", "Offline", "-o", name])
        }
        let svg = try text("a.svg")
        #expect(svg.contains("<title>Offline</title>"))
        #expect(svg.contains("<g role=\"heading\" aria-level=\"2\">"))
        #expect(try text("a.html").contains("aria-label=\"Offline\""))
    }

    @Test("a shimmer is an animation, a single frame, or still")
    func shimmer() throws {
        _ = try render(["shimmer", "--layout", "small", "-o", "a.webp"])
        _ = try render(["shimmer", "--layout", "small", "-o", "a.png"])
        let webp = try folder.read("a.webp")
        #expect(String(decoding: webp[12..<16], as: UTF8.self) == "VP8X")
        #expect(webp[20] & 0x02 != 0)
        let png = String(decoding: try folder.read("a.png"), as: Unicode.ASCII.self)
        #expect(png.contains("acTL") && png.contains("fdAT"))
        _ = try render(["shimmer", "--frame", "14", "--scale", "3", "-o", "f.jpg"])
        let frame = try folder.read("f.jpg")
        let header = try ImageDecoder.header(of: frame.span, limits: DecodeLimits())
        #expect(header.codedSize.width == 144)
        _ = try render(["shimmer", "--reduced-motion", "-o", "s.png"])
        #expect(
            !String(decoding: try folder.read("s.png"), as: Unicode.ASCII.self).contains("acTL"))
        _ = try render(["shimmer", "-o", "a.jpg"], status: 64)
        _ = try render(["shimmer", "--frame", "99", "-o", "a.png"], status: 64)
        _ = try render(["shimmer", "-o", "a.svg"], status: 64)
    }
}
