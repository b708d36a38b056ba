import Support
import Testing

@Suite("Reports and terminal output of a run", .ownThreads)
struct ReportCommandTests {
    private let folder: ScratchFolder

    init() throws { folder = try Pictures.mixedFolder() }

    private func batch(_ arguments: [String], status: Int32 = 0) throws {
        let run = try Tool.emblem(
            ["batch"] + arguments, in: folder.path,
            environment: ["XDG_CACHE_HOME": folder.path("cache")])
        #expect(run.status == status, "\(run.errors)")
    }

    @Test("a report has numbers, errors and pictures that are loaded lazily")
    func report() throws {
        try batch(["in", "-o", "out", "--report", "--name", "{layout}/100% {id}{@scale}.{ext}"])
        let page = try folder.text("out/report.html")
        #expect(page.hasPrefix("<!doctype html>") && page.contains("default-src 'none'"))
        #expect(page.contains("<dt>ok</dt><dd>5</dd>"))
        #expect(page.contains("not_image") && page.contains("truncated"))
        #expect(
            page.contains("src=\"xLarge/100%25%20acme.png\"") && page.contains("loading=\"lazy\""))
        #expect(!page.contains("class=\"state\""))
        // No output has changed, so the report is not written again.
        let facts = try folder.read("out/report.html")
        try batch(["in", "-o", "out", "--report", "--name", "{layout}/100% {id}{@scale}.{ext}"])
        #expect(try folder.read("out/report.html") == facts)
        // A removed item is no longer in the report.
        folder.remove("in/text.png")
        try batch(["in", "-o", "out", "--report", "--name", "{layout}/100% {id}{@scale}.{ext}"])
        #expect(try !folder.text("out/report.html").contains("not_image"))
        #expect(try Tool.emblem(["verify", "out"], in: folder.path).status == 0)
    }

    @Test("a report without pictures shows a state view that fits the reason")
    func states() throws {
        try batch(["in/text.png", "in/zz-cut.png", "-o", "bad", "--report"])
        let bad = try folder.text("bad/report.html")
        #expect(bad.contains("class=\"state\"") && bad.contains("emblem failures bad"))
        folder.makeFolder("empty")
        try batch(["empty", "-o", "none", "--report"])
        let none = try folder.text("none/report.html")
        #expect(none.contains("No pictures to show") && none.contains("emblem help batch"))
        try folder.write("https://nowhere.invalid/a.png\n", to: "list.txt")
        try batch(["--list", "list.txt", "-o", "far", "--report", "--offline"], status: 75)
        #expect(try folder.text("far/report.html").contains("No internet connection"))
    }

    @Test("a terminal shows the outcome of a run and the next command")
    func terminal() throws {
        folder.makeFolder("empty")
        func told(_ arguments: String) throws -> String {
            let line = "\(Tool.path(of: "emblem")) batch \(arguments)"
            let run = try Tool.run(
                "/usr/bin/script", ["-qec", line, "/dev/null"], in: folder.path,
                environment: ["TERM": "dumb"])
            return run.output
        }
        #expect(try told("empty -o none").contains("→ emblem help batch"))
        #expect(try told("in/text.png -o bad").contains("→ emblem failures bad"))
        #expect(!(try told("in -o out")).contains("→"))
        #expect(!(try told("in/text.png -o quiet -q")).contains("→"))
        let piped = try Tool.emblem(["batch", "empty", "-o", "piped"], in: folder.path)
        #expect(!piped.errors.contains("→"))
    }
}
