import Notation
import Support
import Testing

@Suite("The report in a browser", .ownThreads, .enabled(if: Thorough.isOn))
struct ReportBrowserTests {
    private let folder: ScratchFolder
    private var page: String { folder.path("out/report.html") }

    /// Creates sixty good items and nine bad ones, in two schemes; some of the names are special
    /// cases.
    init() throws {
        folder = try ScratchFolder()
        try folder.write(Pictures.svg, to: "in/logo.svg")
        try folder.write("this is no picture", to: "in/text.png")
        var list = "source,id,label,appearance\n"
        for index in 0..<60 {
            list += "in/logo.svg,merchant-\(index),Acme number \(index),\n"
        }
        list += "in/text.png,</script><img src=x onerror=document.title='taken'>,<b>bold,\n"
        list += "in/text.png,</script><script>document.title='taken'</script>,x,\n"
        for index in 0..<4 {
            list += "https://cdn\(index % 2).example/\(index).png,far \(index),,\n"
        }
        list += "javascript:document.title='taken',script,,\nin/gone.png,gone,,\n"
        list += "in/logo.svg,row,,huge\n"
        try folder.write(list, to: "list.csv")
        let run = try Tool.emblem(
            [
                "batch", "--list", "list.csv", "-o", "out", "--report", "--scheme", "both",
                "--layout", "medium,large", "--offline",
            ], in: folder.path, environment: ["XDG_CACHE_HOME": folder.path("cache")])
        try #require(run.status == 0, "\(run.errors)")
    }

    private static let seen = "[...document.querySelectorAll('#grid li')].length"
    private static let count = "document.getElementById('count').textContent"
    private static let value = "document.getElementById('q').value"
    private static let focus = "document.activeElement.textContent.trim()"
    private static let isOpen = "document.getElementById('detail').open"

    @Test(
        "the report passes the accessibility checks at any width, in any scheme, with an open item"
    )
    func accessible() throws {
        var visits: [Browser.Visit] = []
        for query in ["", "#q=merchant", "#item=3", "#q=nobody"] {
            for scheme in ["light", "dark"] {
                for width in [1280, 390] {
                    visits.append(
                        Browser.Visit(page, query: query, width: width, scheme: scheme)
                            .ask(file: "accessibility.js"))
                }
            }
        }
        let plain = Browser.Visit(page, width: 390, script: false)
        visits.append(plain.ask(file: "accessibility.js"))
        for outcome in try Browser.make(visits) {
            #expect(outcome.results == ["[]"])
            #expect(outcome.errors == [])
            // All requests stay in the folder of the run.
            #expect(outcome.requests.allSatisfy { $0.hasPrefix("file://\(folder.path)/out/") })
        }
    }

    @Test("the accessibility check finds the errors of a bad page")
    func checker() throws {
        let bad = """
            <!doctype html><html><body><div>outside</div><main><h1>One</h1><h3>Three</h3>
            <p style="color: #999">pale</p>
            <p style="width: 3ch; overflow-wrap: anywhere">123456789</p>
            <img src="data:,"><button></button><input id="a"><p id="a"></p><ul><p>x</p></ul>
            <table><tr><td>1</td></tr></table><div style="width: 200vw">wide</div>
            <svg width="9" height="9"></svg><p tabindex="3">first</p></main></body></html>
            """
        try folder.write(bad, to: "bad.html")
        let visit = Browser.Visit(folder.path("bad.html")).ask(file: "accessibility.js")
        let outcome = try #require(try Browser.make([visit]).first)
        let faults = try #require(outcome.results.first)
        for word in [
            "no language", "no title", "outside of any landmark", "heading skips from 1",
            "contrast 2.8", "in two lines", "no alt", "no name", "id twice", "stranger in a list",
            "table without a caption", "wide on 1280", "drawing without words",
            "order of keys is forced", "too small to be hit",
        ] { #expect(faults.contains(word), "\(word): \(faults)") }
    }

    @Test("the report is searched and filtered by its URL, and shows how many items remain")
    func address() throws {
        let all = "All 69 items of this page"
        let wanted = [
            "": all, "#q=MERCHANT": "60 of 69 items", "#q=acme%20number%205": "15 of 69 items",
            "#status=placeholder": "9 of 69 items", "#class=not_image": "2 of 69 items",
            "#class=any&q=far": "4 of 69 items", "#host=cdn1.example": "2 of 69 items",
            "#status=ok&q=0": "6 of 69 items",
            "#lint=blank": "0 of 69 items", "#class=nothing": "0 of 69 items", "#failures": all,
        ]
        let queries = wanted.keys.sorted()
        let outcomes = try Browser.make(
            queries.map { Browser.Visit(page, query: $0).ask(Self.count).ask("document.title") })
        for (query, outcome) in zip(queries, outcomes) {
            #expect(outcome.results == [wanted[query] ?? "", "emblem report"], "\(query)")
            #expect(outcome.errors == [])
        }
    }

    @Test("a report of few items is filtered by its URL as well")
    func few() throws {
        let run = try Tool.emblem(
            ["batch", "in/logo.svg", "in/text.png", "-o", "few", "--report"], in: folder.path)
        try #require(run.status == 0, "\(run.errors)")
        let visit = Browser.Visit(folder.path("few/report.html"), query: "#status=ok")
            .ask(Self.count)
        let outcome = try #require(try Browser.make([visit]).first)
        #expect(outcome.results == ["1 of 2 items"] && outcome.errors == [])
    }

    @Test("pictures of any height are shown whole in the tiles", arguments: ["630", "128", "8"])
    func tiles(height: String) throws {
        let run = try Tool.emblem(
            ["batch", "in/logo.svg", "-o", "one", "--report", "--height", height],
            in: folder.path)
        try #require(run.status == 0, "\(run.errors)")
        let visit = Browser.Visit(folder.path("one/report.html"))
            .ask(
                """
                [...document.querySelectorAll('#grid img')].map((image) => {
                  const [own, tile] = [image, image.closest('.ground')].map(
                    (node) => node.getBoundingClientRect());
                  return own.height >= 8 && own.top >= tile.top && own.bottom <= tile.bottom
                    && own.left >= tile.left && own.right <= tile.right;
                }).join()
                """)
        let outcome = try #require(try Browser.make([visit]).first)
        #expect(outcome.results == ["true"] && outcome.errors == [])
    }

    @Test("the report can be used with the keyboard alone")
    func keys() throws {
        let visit = Browser.Visit(page)
            .press("/").type("merchant-1").until("\(Self.count) == '11 of 69 items'")
            .ask("location.hash")
            .press("Escape").until("\(Self.count) == 'All 69 items of this page'")
            .ask("\(Self.value) + location.hash")
            .ask("document.querySelector('#grid button').focus()")
            .press("ArrowRight").press("ArrowDown").ask(Self.focus)
            .ask(
                "String(getComputedStyle(document.getElementById('grid')).gridTemplateColumns"
                    + ".split(' ').length + 1)"
            )
            .press("End").ask(Self.focus).press("Home").ask(Self.focus)
            .press("Enter").until(Self.isOpen).ask("location.hash")
            .press("ArrowRight").ask("document.getElementById('detail-title').textContent")
            // The page receives the event after the dialog has closed.
            .press("Escape").until("!\(Self.isOpen) && location.hash == ''").ask(Self.focus)
            .ask("document.querySelectorAll('#grid [tabindex=\"0\"]').length")
        let outcome = try #require(try Browser.make([visit]).first)
        #expect(outcome.errors == [])
        let results = outcome.results
        try #require(results.count == 11, "\(results)")
        #expect(results[0] == "#q=merchant-1")
        #expect(results[1] == "")
        // The nine failures are listed first.
        let order =
            ["", ""] + (0..<4).map { "far \($0)offline" }
            + ["scriptunsupported_scheme", "gonenot_found", "rowbad_row"]
            + (0..<60).map { "merchant-\($0)ok" }
        let place = try #require(Int(results[4]))
        try #require((2..<69).contains(place))
        #expect(results[3] == order[place])
        #expect(results[5] == "merchant-59ok" && results[6].hasSuffix("taken'>not_image"))
        #expect(results[7] == "#item=60" && results[8].hasPrefix("</script><script>"))
        #expect(results[9] == results[8] + "not_image" && results[10] == "1")
    }

    @Test("the report loads a source only on request, and shows foreign names as text")
    func sources() throws {
        let before = "document.getElementById('before')"
        let image = "document.querySelector('.before img')"
        let visits = [
            Browser.Visit(page, query: "#item=0").ask("\(image) == null").ask("\(before).click()")
                .until("\(image).complete").ask("\(image).naturalWidth"),
            Browser.Visit(page, query: "#item=62").ask("\(before) == null")
                .ask("document.querySelector('dialog a').rel"),
            Browser.Visit(page, query: "#item=66")
                .ask("document.querySelector('dialog a') == null"),
            Browser.Visit(page, query: "#item=61")
                .ask("document.querySelectorAll('dialog script').length + document.title"),
        ]
        let outcomes = try Browser.make(visits)
        #expect(outcomes[0].results == ["true", "null", "120"])
        #expect(outcomes[0].requests.contains("file://\(folder.path)/in/logo.svg"))
        #expect(outcomes[1].results == ["true", "noopener noreferrer nofollow"])
        #expect(outcomes[2].results == ["true"])
        #expect(outcomes[3].results == ["0emblem report"])
        for outcome in outcomes.dropFirst() {
            #expect(!outcome.requests.contains { $0.contains("/in/") || $0.contains("example") })
            #expect(outcome.errors == [])
        }
    }

    @Test("the report filters by decisions of a look, and shows sources next to emblems if asked")
    func looks() throws {
        let run = try Tool.emblem(
            [
                "batch", "--list", "list.csv", "-o", "out", "--report", "--scheme", "both",
                "--layout", "large", "--offline", "--look", "logos",
            ], in: folder.path, environment: ["XDG_CACHE_HOME": folder.path("cache")])
        try #require(run.status == 0, "\(run.errors)")
        let item = try #require(try ManifestText(folder).item("merchant-0"))
        let kind = try #require(item[path: ["look", "kind"]]?.stringValue)
        let reason = try #require(
            item[path: ["look", "ground", "light", "reason"]]?.stringValue)
        let trim = (item[path: ["look", "trim"]]?.intValue ?? 0) > 0 ? "trimmed" : "not%20trimmed"
        let box = "document.getElementById('sources')"
        let seen = "document.querySelectorAll('.ground.source img').length"
        let queries = ["#kind=\(kind)", "#ground=\(reason)", "#trim=\(trim)", "#kind=nothing"]
        var visits = queries.map { Browser.Visit(page, query: $0).ask(Self.count) }
        visits.append(
            Browser.Visit(page, query: "#kind=\(kind)").ask(seen).ask("\(box).focus()")
                .press(" ").until("\(seen) > 0").ask(file: "accessibility.js")
                .press(" ").until("\(seen) == 0"))
        visits.append(
            Browser.Visit(page, query: "#item=0")
                .ask("document.querySelectorAll('dialog .sentence').length"))
        for (scheme, width) in [("light", 1280), ("dark", 390)] {
            visits.append(
                Browser.Visit(page, query: "#kind=\(kind)", width: width, scheme: scheme)
                    .ask("\(box).click()").until("\(seen) > 0").ask(file: "accessibility.js"))
        }
        visits.append(Browser.Visit(page, width: 390, script: false).ask(file: "accessibility.js"))
        let outcomes = try Browser.make(visits)
        #expect(outcomes[0..<3].allSatisfy { $0.results == ["60 of 69 items"] })
        #expect(outcomes[3].results == ["0 of 69 items"])
        #expect(outcomes[4].results.first == "0" && outcomes[4].results.last == "[]")
        #expect(outcomes[5].results == ["3"])
        for outcome in outcomes[6...] { #expect(outcome.results.last == "[]") }
        for outcome in outcomes { #expect(outcome.errors == []) }
        for outcome in outcomes[0..<4] {
            #expect(!outcome.requests.contains { $0.contains("/in/") })
        }
    }

    @Test("the report shows its first items without scripts and hides its controls")
    func withoutScript() throws {
        let visible = "checkVisibility()"
        let visit = Browser.Visit(page, script: false)
            .ask(Self.seen).ask("document.getElementById('filters').\(visible)")
            .ask("document.querySelector('.faults').\(visible)")
            .ask("document.getElementById('first').textContent")
        let outcome = try #require(try Browser.make([visit]).first)
        #expect(
            outcome.results == [
                "48", "false", "true", "The first 48; with scripts, this page shows 69.",
            ])
    }
}
