import Batch
import Notation
import Support
import Testing

@Suite("The report page of a run")
struct ReportPageTests {
    private static let hostile = [
        "</script><script>document.title='taken'</script>", "<!--<script>",
        "\"><img src=x onerror=a()>", "line\u{2028}and\u{2029}paragraph",
        "javascript:document.title='taken'", "'\\u003Cb\\u003E'", "\u{202E}gnp.exe",
        "]]></style><style>*{display:none}",
    ]

    @Test("a report page never treats texts of a list as markup or code", arguments: hostile)
    func hostileTexts(text: String) throws {
        var run = try ReportFolder()
        run.item(
            id: text, source: text, error: "bad_row", message: text,
            members: [
                .init("name", .string(text)),
                .init("lint", .array([["code": "low-contrast", "scheme": .string(text)]])),
                .init("accessibility", .object([.init("label", .string(text))])),
                .init("overrides", .object([.init("appearance", .string(text))])),
            ])
        run.item(id: text, source: "https://\(text)/x.png", error: text)
        let page = try run.page()
        #expect(page.ranges(of: "<script").count == 2)
        #expect(page.ranges(of: "</script").count == 2)
        #expect(page.ranges(of: "<style").count == 1)
        #expect(!page.contains("<img src=x") && !page.contains("<!--"))
        #expect(!page.contains("href=\"javascript:"))
        let data = try #require(page.firstRange(of: "id=\"data\">")?.upperBound)
        let signs: Set<Unicode.Scalar> = ["\u{2028}", "\u{2029}", "\u{202E}"]
        #expect(!page[data...].unicodeScalars.contains { signs.contains($0) })
        let items = try #require(ReportFolder.data(in: page)["items"])
        // The script still receives the unchanged text.
        #expect(items[0]?["name"]?.stringValue == text)
        #expect(items[0]?["message"]?.stringValue == text)
    }

    @Test("a report page shows a bounded part of a long list with failures, and counts all items")
    func bounds() throws {
        var run = try ReportFolder()
        for index in 0..<31_000 {
            let isBad = index >= 15_000 && index < 30_000
            run.item(
                id: "i\(index)", error: isBad ? "timeout" : nil,
                members: [
                    .init(
                        "lint",
                        .array([
                            [
                                "code": "upscaled", "layout": "large",
                                "scale": JSON.number(ofScale: Double(index % 3 + 1)),
                            ]
                        ]))
                ])
        }
        let page = try run.page()
        let items = try #require(ReportFolder.data(in: page)["items"]?.elements)
        #expect(items.count == 20_000)
        #expect(items.count { $0["class"] != nil } == 10_000)
        #expect(items.first?["name"] == "i15000" && items[10_000]["name"] == "i0")
        #expect(page.contains("This page holds 20,000 of 31,000 items"))
        #expect(page.contains("emblem failures \(run.folder.path) --class timeout"))
        #expect(page.contains("<td class=\"number\">15,000</td>"))
        #expect(page.contains("#lint=upscaled\">upscaled</a></th><td class=\"number\">31,000"))
    }

    @Test("a report page cuts long texts, such as a picture inside a list")
    func longTexts() throws {
        var run = try ReportFolder()
        let source = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'>"
        let long = source + String(repeating: "é", count: 500_000)
        run.item(id: "one", source: long, error: "corrupt")
        let page = try run.page()
        #expect(page.utf8.count < 60_000)
        let item = try #require(ReportFolder.data(in: page)["items"]?[0])
        #expect(item["isCut"] == true)
        // Text inside a `data:` picture is not a host.
        #expect(item["host"] == nil && !page.contains("By host"))
    }

    @Test("a report page groups failures by class and host, with row and message")
    func failures() throws {
        var run = try ReportFolder()
        for index in 0..<40 {
            run.item(
                id: "a\(index)", source: "https://one.example/\(index)", error: "http_4xx",
                message: "404 Not Found", members: [.init("row", JSON(integerLiteral: index + 1))])
        }
        run.item(id: "b", source: "https://two.example/b", error: "http_4xx", message: "410 Gone")
        run.item(
            id: "c", source: "", error: "bad_row", message: "layout: 'huge' is none of small",
            members: [.init("row", JSON(integerLiteral: 77))])
        let page = try run.page()
        #expect(page.contains("#class=http_4xx\">http_4xx</a></th><td class=\"number\">41</td>"))
        #expect(page.contains("href=\"#host=one.example\">one.example</a>"))
        #expect(page.contains("<small>http_4xx 40</small></th><td class=\"number\">40</td>"))
        #expect(page.contains("<caption class=\"own\">one.example</caption>"))
        #expect(page.contains("<caption class=\"own\">files and rows</caption>"))
        #expect(page.contains(">16 more</a>"))
        let row = "<tr><td class=\"number\">77</td><th scope=\"row\"><bdi class=\"own\">c</bdi>"
        #expect(page.contains(row))
        #expect(page.contains("layout: 'huge' is none of small"))
    }

    @Test("a report page of several formats, scales and targets uses formats of every browser")
    func pictures() throws {
        func output(_ path: String, _ layout: String, _ scale: Int, _ more: JSON.Member...) -> JSON
        {
            let side = (layout == "large" ? 64 : 40) * scale
            return .object(
                [
                    .init("path", .string(path)), .init("layout", .string(layout)),
                    .init("scale", JSON(integerLiteral: scale)),
                    .init("width", JSON(integerLiteral: side)),
                    .init("height", JSON(integerLiteral: side)),
                ] + more)
        }
        var run = try ReportFolder()
        run.item(
            id: "one",
            members: [
                .init(
                    "outputs",
                    .array([
                        output("small/one.avif", "small", 1),
                        output("small/one.png", "small", 1),
                        output("large/one@2x.webp", "large", 2),
                        output("large/one.webp", "large", 1),
                        output("x/one.png", "large", 1, .init("elsewhere", true)),
                        output("large/one~dark.webp", "large", 1, .init("scheme", "dark")),
                        output("/etc/one.png", "default", 1), output("large/one.avif", "large", 1),
                    ]))
            ])
        run.item(id: "two", members: [.init("outputs", .array([output("two.avif", "large", 1)]))])
        let page = try run.page()
        let pictures = try #require(ReportFolder.data(in: page)["items"]?[0]?["pictures"])
        #expect(
            pictures.text
                == #"[["large/one.webp",64,64,"large","light"],"#
                + #"["large/one~dark.webp",64,64,"large","dark"],"#
                + #"["small/one.png",40,40,"small","light"]]"#)
        #expect(page.contains("no picture here"))
    }

    private static func ground(_ reason: String, _ colors: String, _ shares: (Int, Int)) -> JSON {
        [
            "reason": .string(reason), "appearance": "brand", "colors": .string(colors),
            "shown_before": JSON(integerLiteral: shares.0), "shown": JSON(integerLiteral: shares.1),
        ]
    }

    @Test("a report page states each decision of a look in one sentence")
    func looks() throws {
        var run = try ReportFolder()
        let grounds: JSON = [
            "light": Self.ground("shows-more", "dark", (24, 100)),
            "dark": Self.ground("shows", "dark", (88, 88)),
        ]
        let mark: JSON = ["kind": "mark", "trim": 12, "inset": 8, "ground": grounds]
        let tile: JSON = [
            "kind": "tile", "trim": 0, "inset": 0,
            "ground": ["light": Self.ground("own", "light", (0, 0))],
        ]
        run.item(id: "a", members: [.init("look", mark)])
        run.item(id: "b", members: [.init("look", mark)])
        run.item(id: "c", members: [.init("look", tile)])
        run.item(id: "d")
        let page = try run.page()
        let data = try ReportFolder.data(in: page)
        #expect(
            data["sentences"]?.elements?.compactMap(\.stringValue) == [
                "Mark, 8% of the height from the round outline; 12% of the area was a margin.",
                "Light: brand background of the dark scheme, as 24% showed before and 100% now.",
                "Dark: brand background, on which 88% shows.", "Tile.",
                "Light: the picture's own ground.",
            ])
        let items = try #require(data["items"]?.elements)
        #expect(
            items[1]["look"]?.text
                == #"{"kind":"mark","trimmed":true,"ground":["shows","shows-more"],"#
                + #""words":[0,1,2]}"#)
        #expect(items[2]["look"]?.text == #"{"kind":"tile","ground":["own"],"words":[3,4]}"#)
        #expect(items[3]["look"] == nil)
        // The page without scripts has them too.
        #expect(page.contains("<p class=\"look\">Light: brand background of the dark scheme"))
    }

    @Test("a report page omits an unknown decision", arguments: hostile)
    func hostileLooks(text: String) throws {
        var run = try ReportFolder()
        let ground = Self.ground("own", "light", (0, 0))
        for look: JSON in [
            ["kind": .string(text), "trim": 0, "inset": 0],
            [
                "kind": "mark", "trim": 0, "inset": 0,
                "ground": .object([.init(text, ground)]),
            ],
            [
                "kind": "mark", "trim": 0, "inset": 0,
                "ground": ["light": Self.ground(text, "light", (0, 0))],
            ],
        ] {
            run.item(id: "a", members: [.init("look", look)])
        }
        let data = try ReportFolder.data(in: try run.page())
        let items = try #require(data["items"]?.elements)
        #expect(items.count == 3 && items.allSatisfy { $0["look"] == nil })
        #expect(data["sentences"] == nil)
    }

    @Test("a report page includes a record without optional members")
    func bareRecords() throws {
        var run = try ReportFolder(options: "{}")
        run.item(id: "")
        let page = try run.page()
        #expect(try ReportFolder.data(in: page)["items"]?.elements?.count == 1)
        #expect(page.contains("No item was processed again"))
    }
}
