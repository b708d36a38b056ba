import Batch
import Codecs
import Engine
import Gauge
import Notation
import Raster
import Render
import Support
import System
import Targets
import Testing
import Theming
import Transport

@Suite("The outcome of a run")
struct BatchRunTests {
    private var fixture: RunFixture

    init() throws { fixture = try RunFixture() }

    @Test("the manifest of a run has the outcome of every input in input order")
    func mixedFolder() async throws {
        let folder = fixture.folder
        try folder.write(RunFixture.picture(80, 60), to: "in/a.png")
        try folder.write(RunFixture.picture(80, 60, as: .jpeg), to: "in/b.jpg")
        try folder.write(RunFixture.picture(80, 60, as: .webp), to: "in/c/d.webp")
        try folder.write(RunFixture.svg, to: "in/e.svg")
        try folder.write("no picture", to: "in/f.png")
        try folder.write(RunFixture.picture(200, 200, as: .jpeg).prefix(500), to: "in/g.jpg")
        let report = try await fixture.runFolder()
        #expect(report.ending == .finished)
        #expect(report.counts.ok == 4 && report.counts.placeholders == 2)
        #expect(report.counts.withoutPicture == 2 && report.counts.outputs == 12)
        let items = try fixture.items()
        #expect(items.map(\.id) == ["a", "b", "c/d", "e", "f", "g"])
        #expect(items.map(\.errorClass) == [nil, nil, nil, nil, "not_image", "truncated"])
        #expect(items[0].paths == ["small/a.png", "large/a.png"])
        #expect(items[4].placeholder == "icon:account-balance")
        #expect(folder.exists("out/run.json"))
        let check = try fixture.verification()
        #expect(check.isIntact && check.items == 6 && check.files == 12)
    }

    @Test("a run gives the same bytes with any number of jobs", arguments: [2, 4])
    func jobs(_ jobs: Int) async throws {
        try fixture.fill(12)
        try fixture.folder.write("x", to: "in/bad.png")
        try await fixture.runFolder(into: "one")
        var other = fixture
        other.settings.jobs = jobs
        try await other.runFolder(into: "many")
        let names = fixture.folder.tree("one").filter { $0 != "run.json" }
        #expect(names.count == 27)
        #expect(fixture.folder.tree("many").filter { $0 != "run.json" } == names)
        for name in names {
            #expect(try fixture.folder.read("one/\(name)") == fixture.folder.read("many/\(name)"))
        }
    }

    @Test(
        "a run shows the first alternative that can be drawn, and otherwise keeps the item's error")
    func alternatives() async throws {
        try fixture.folder.write("no picture", to: "bad.png")
        try fixture.folder.write(RunFixture.picture(20, 20), to: "good.png")
        let plan = try fixture.plan(
            list: """
                {"id":"saved","source":"bad.png","alternatives":["gone.png","good.png"]}
                {"id":"lost","source":"bad.png","alternatives":["gone.png","ftp://x/y"]}
                {"id":"none","alternatives":["good.png"]}
                """, as: "list.ndjson")
        try await fixture.run(plan)
        let items = try fixture.items()
        #expect(items.map(\.status) == ["ok", "placeholder", "ok"])
        #expect(items.map(\.errorClass) == [nil, "not_image", nil])
    }

    @Test("a run has an item for every invalid row")
    func unusableRows() async throws {
        try fixture.folder.write(RunFixture.picture(20, 20), to: "a.png")
        let plan = try fixture.plan(
            list: """
                {"id":"layout","source":"a.png","layout":"huge"}
                {oops
                {"id":"appearance","source":"a.png","appearance":"pink"}
                {"id":"mode","source":"a.png","mode":"stretch"}
                {"id":"icon","source":"a.png","placeholder":"icon:nothing"}
                {"id":"scheme","source":"ftp://host.example/a.png"}
                {"id":"gone","source":"gone.png"}
                {"id":"empty"}
                {"id":"good","source":"a.png"}
                """, as: "list.ndjson")
        let report = try await fixture.run(plan)
        let items = try fixture.items()
        #expect(
            items.map(\.errorClass) == [
                "bad_row", "bad_row", "bad_row", "bad_row", "bad_row", "unsupported_scheme",
                "not_found", "missing_url", nil,
            ])
        #expect(items.map(\.line) == [1, 2, 3, 4, 5, nil, nil, 8, nil])
        #expect(report.counts.errors[.badRow] == 5 && report.counts.ok == 1)
        #expect(items.allSatisfy { $0.paths.count == 2 })
        let failures = try FailureList(
            folder: FilePath(fixture.folder.path("out")), errorClass: .unsupportedScheme)
        #expect(failures.entries.map(\.id) == ["scheme"])
    }

    @Test("a run draws each row with the row's own options")
    func rowColumns() async throws {
        try fixture.folder.write(RunFixture.picture(60, 20), to: "a.png")
        let plan = try fixture.plan(
            list: """
                id,source,layout,appearance,mode,placeholder,label,merchant
                plain,a.png,,,,,,
                all,a.png,all,,,,,
                two,a.png,"xLarge, small xLarge",danger,fill,,Acme,998
                none,b.png,,,,none,,
                """)
        let report = try await fixture.run(plan)
        let items = try fixture.items()
        #expect(items[0].paths == ["small/plain.png", "large/plain.png"])
        #expect(items[1].paths.count == 4)
        #expect(items[2].paths == ["xLarge/two.png", "small/two.png"])
        #expect(items[2].json[path: ["accessibility", "label"]]?.stringValue == "Acme")
        #expect(items[2].json[path: ["extra", "merchant"]]?.stringValue == "998")
        #expect(items[3].status == "failed" && items[3].paths.isEmpty)
        #expect(report.counts.failed == 1)
        #expect(
            try fixture.folder.read("out/small/two.png")
                != fixture.folder.read("out/small/plain.png"))
    }

    @Test("a blocked output name fails only its own item")
    func nameInTheWay() async throws {
        try fixture.fill(3)
        fixture.folder.makeFolder("out/large/p1001.png")
        let report = try await fixture.runFolder()
        let items = try fixture.items()
        #expect(items.map(\.status) == ["ok", "failed", "ok"])
        #expect(items[1].errorClass == "write" && items[1].paths.isEmpty)
        #expect(report.ending == .finished && report.counts.failed == 1)
        #expect(try fixture.verification().isIntact)
    }

    @Test(
        "a run writes every requested format, scheme and scale",
        arguments: OutputFormat.allCases)
    mutating func forms(_ format: OutputFormat) async throws {
        try fixture.folder.write(RunFixture.picture(50, 50, as: format), to: "in/a.bin.png")
        fixture.settings = RunSettings(
            layouts: [.medium], schemes: [.light, .dark], scales: [1, 1.5])
        fixture.settings.recipe.output = .same
        fixture.settings.recipe.padding = .points(2.5)
        fixture.settings.recipe.quality = format.canBeLossless ? .lossless : .lossy(70)
        try await fixture.run(
            fixture.plan([.source(fixture.folder.path("in"))]),
            template: "{scheme}/{id}{@scale}.{ext}")
        let item = try #require(try fixture.items().first)
        let ext = format.fileExtension
        #expect(item.paths.count == 4 && item.paths[0] == "light/a.bin.\(ext)")
        #expect(item.paths.allSatisfy { $0.hasSuffix(".\(ext)") })
        #expect(try fixture.verification().isIntact)
        let head = try #require(try fixture.records().first)
        #expect(head[path: ["options", "format"]]?.stringValue == "same")
        #expect(head[path: ["options", "name"]]?.stringValue == "{scheme}/{id}{@scale}.{ext}")
    }

    @Test("items with one source share files in a run, and each is recorded")
    func sharedFiles() async throws {
        try fixture.folder.write(RunFixture.picture(20, 20), to: "a.png")
        try await fixture.run(fixture.plan(list: "source,label\na.png,A\na.png,B\n"))
        let items = try fixture.items()
        #expect(items.map(\.paths) == [items[0].paths, items[0].paths])
        #expect(fixture.pictures().count == 2)
    }

    @Test("a run draws pictures that are data: URIs in a list")
    func dataURI() async throws {
        let bytes = try RunFixture.picture(9, 9)
        let text = "data:image/png;base64," + Base64.encode(bytes.span)
        let plan = try fixture.plan(list: "\(text)\ndata:;base64,****\n", as: "list.txt")
        try await fixture.run(plan)
        #expect(try fixture.items().map(\.status) == ["ok", "placeholder"])
    }

    @Test("a run refuses paths when only remote sources are allowed")
    mutating func remoteOnly() async throws {
        try fixture.folder.write(RunFixture.picture(20, 20), to: "a.png")
        fixture.settings.remoteOnly = true
        let plan = try fixture.plan(list: "source,placeholder\na.png,a.png\n")
        try await fixture.run(plan)
        let item = try #require(try fixture.items().first)
        #expect(item.status == "placeholder" && item.placeholder == "icon:account-balance")
        #expect(plan.item(at: 0).filePaths(remoteOnly: true).isEmpty)
        #expect(plan.item(at: 0).filePaths(remoteOnly: false).count == 2)
    }

    @Test("a dry run names the outputs that it will write")
    func plannedNames() async throws {
        try fixture.folder.write(RunFixture.picture(60, 20), to: "a.png")
        let plan = try fixture.plan(list: "source,layout\na.png,\na.png,huge\n")
        let files = FilesTarget { NameTemplate.standard.path(of: $0) }
        let spots = [TargetSpot(files, nil, at: .inside(""))]
        let names = plan.item(at: 0).plannedNames(in: fixture.settings, spots)
        // An unusable row gets its placeholder under the usual names.
        let others = plan.item(at: 1).plannedNames(in: fixture.settings, spots)
        try await fixture.run(plan)
        #expect(try fixture.items()[1].paths == others)
        #expect(try fixture.items()[0].paths == names)
    }
}
