import Glibc
import Notation
import Support
import Testing

@Suite("Drawings in a batch", .ownThreads)
struct DrawingTests {
    private static let filtered = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><filter id="f"><feBogus/></filter>\
        <path d="M0 0h9v9H0z"/><path d="M0 0h3v3z" filter="url(#f)"/></svg>
        """
    private static let schemed = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><style>path { fill: #c00 }\
        @media (prefers-color-scheme: dark) { path { fill: #0c0 } }</style>\
        <path d="M0 0h9v9H0z"/></svg>
        """

    private static let spoken = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><switch>\
        <path d="M0 0h9v9H0z" fill="#c00" systemLanguage="de"/>\
        <path d="M0 0h9v9H0z" fill="#00c" systemLanguage="en"/>\
        <path d="M0 0h9v9H0z"/></switch></svg>
        """

    @Test("a drawing with texts in several languages is drawn in English under any locale")
    func language() throws {
        let folder = try ScratchFolder()
        try folder.write(Self.spoken, to: "a.svg")
        var seen: Set<[UInt8]> = []
        for language in ["C", "de_DE.UTF-8", "en_US.UTF-8"] {
            for isolation in ["process", "none"] {
                let run = try Tool.emblem(
                    ["batch", "a.svg", "-o", "out", "--sandbox", isolation, "--force"],
                    in: folder.path, environment: ["LANG": language, "LANGUAGE": language])
                #expect(run.status == 0, "\(run.errors)")
                let dominant = try ManifestText(folder).items.first?["dominant_color"]?.stringValue
                #expect(dominant == "#0000CC", "\(language), \(isolation)")
                seen.insert(try folder.read("out/small/a.png"))
            }
        }
        #expect(seen.count == 1)
    }

    @Test("the manifest reports an unsupported filter, also in later runs")
    func lint() throws {
        let folder = try ScratchFolder()
        try folder.write(Self.filtered, to: "in/a.svg")
        // Both rows repeat a source of the folder `in`.
        try folder.write("source,id\nin/a.svg,b\nin/a.svg,c\n", to: "list.csv")
        try folder.write(Self.schemed, to: "in/plain.svg")
        let batch = ["batch", "in", "--list", "list.csv", "-o", "out", "--quiet"]
        for more in [[], [], ["--sandbox", "none"], ["--layout", "small"]] {
            let run = try Tool.emblem(batch + more, in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
            for item in try ManifestText(folder).items {
                let lint = item["lint"]?.elements?.compactMap { $0["code"]?.stringValue }
                let isPlain = item["id"]?.stringValue == "plain"
                #expect(lint == (isPlain ? nil : ["unsupported-filter"]), "\(more)")
            }
        }
        let seen = try Tool.emblem(["inspect", "--json", "in/a.svg"], in: folder.path)
        #expect(seen.output.contains(#""lint":[{"code":"unsupported-filter"}]"#))
    }

    @Test("a blank picture is reported for any requested size")
    func blank() throws {
        let folder = try ScratchFolder()
        let root = #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 900">"#
        try folder.write(root + "<g/></svg>", to: "in/empty.svg")
        try folder.write(
            root + #"<path d="M0 0h900v900H0z" opacity="0"/></svg>"#, to: "in/faint.svg")
        // Visible in the image, but not in an emblem that shows only the middle.
        try folder.write(root + #"<path d="M0 0h9v90H0z"/></svg>"#, to: "in/aside.svg")
        try folder.write(
            root.replacing("900 900", with: "1800 900") + #"<path d="M0 0h90v900H0z"/></svg>"#,
            to: "in/cut.svg")
        for more in [[], ["--mode", "fill"], ["--layout", "xLarge", "--sandbox", "none"]] {
            let run = try Tool.emblem(
                ["batch", "in", "-o", "out", "--quiet"] + more, in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
            for item in try ManifestText(folder).items {
                let lint = item["lint"]?.elements?.compactMap { $0["code"]?.stringValue }
                let isBlank = ["empty", "faint"].contains(item["id"]?.stringValue ?? "")
                #expect(lint == (isBlank ? ["blank"] : nil), "\(item) \(more)")
            }
        }
    }

    @Test("a drawing is drawn in each colour scheme, isolated or not")
    func schemes() throws {
        let folder = try ScratchFolder()
        try folder.write(Self.schemed, to: "in/a.svg")
        func digests(_ out: String, _ more: [String]) throws -> [String] {
            let run = try Tool.emblem(
                ["batch", "in", "-o", out, "--quiet", "--layout", "small"] + more, in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
            let outputs = try ManifestText(folder, out).items.first?["outputs"]?.elements ?? []
            return outputs.compactMap { $0["sha256"]?.stringValue }
        }
        let both = try digests("both", ["--scheme", "both"])
        let light = try digests("out", [])
        // The folder is the same, but nothing of the other scheme is reused.
        let dark = try digests("out", ["--scheme", "dark"])
        #expect(both.count == 2 && both == light + dark && light != dark)
        #expect(try digests("here", ["--scheme", "both", "--sandbox", "none"]) == both)
        try folder.write(
            Self.schemed.replacing("fill: #0c0", with: "fill: #c00"), to: "in/a.svg")
        let same = try digests("same", ["--scheme", "dark"])
        #expect(same != dark)
    }
}
