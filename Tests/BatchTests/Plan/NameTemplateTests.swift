import Artwork
import Batch
import Engine
import Render
import Targets
import Testing
import Theming
import Transport

@Suite("The name template of outputs")
struct NameTemplateTests {
    private static let layouts = ["small", "medium", "large", "xLarge"]
    private static let heights = ["small": 40, "medium": 48, "large": 64, "xLarge": 80]

    private func variants(
        layouts: [String] = layouts, scales: [Double] = [1], schemes: [String] = ["light"],
        extensions: [String] = ["png"]
    ) -> [NameVariant] {
        layouts.flatMap { layout in
            scales.flatMap { scale in
                schemes.flatMap { scheme in
                    extensions.map {
                        NameVariant(
                            layout: layout, scale: scale, scheme: scheme,
                            height: Int(Double(Self.heights[layout] ?? 0) * scale),
                            fileExtension: $0)
                    }
                }
            }
        }
    }

    private func name(
        _ template: NameTemplate, scale: Double = 1, scheme: String = "light"
    ) -> String? {
        template.path(
            name: "acme", layout: "medium", scale: scale, height: Int(48 * scale),
            fileExtension: "png", scheme: scheme, source: "acme.svg")?.text
    }

    @Test("the default name template contains layout, id, scheme and scale")
    func standard() throws {
        #expect(name(.standard) == "medium/acme.png")
        #expect(name(.standard, scale: 2) == "medium/acme@2x.png")
        #expect(name(.standard, scale: 1.5) == "medium/acme@1.5x.png")
        #expect(name(.standard, scale: 3, scheme: "dark") == "medium/acme~dark@3x.png")
        try NameTemplate.standard.check(
            variants(scales: [1, 1.5, 2, 3, 4], schemes: ["light", "dark"]))
    }

    @Test(
        "a name template cannot produce a reserved file name of a run",
        arguments: [
            ("{id}", "run.json", "run.json_"), ("{id}", "Report.HTML", "Report.HTML_"),
            ("{id}", "manifest.ndjson_", "manifest.ndjson__"),
            ("{id}", "runs.json", "runs.json"),
            ("run.{id}", "json", "run.json_"), ("{id}/x.png", "run.json", "run.json_/x.png"),
            ("{dir}/{stem}", "a/run.json", "a/run.json"),
            ("{dir}/{stem}", "run.json", "run.json_"),
            ("{layout}/{id}", "run.json", "medium/run.json"),
        ])
    func ours(_ text: String, _ item: String, _ expected: String) throws {
        let path = try NameTemplate(text).path(
            name: item, layout: "medium", scale: 1, height: 48, fileExtension: "png",
            scheme: "light", source: "x")
        #expect(path?.text == expected)
    }

    @Test(
        "neither a name template nor a web target produces a reserved file name",
        arguments: RunFile.allCases)
    func runFiles(file: RunFile) throws {
        let path = try NameTemplate("{id}").path(
            name: file.name, layout: "medium", scale: 1, height: 48, fileExtension: "png",
            scheme: "light", source: "x")
        #expect(path?.text == "\(file.name)_")
        #expect(throws: PlanError.self) { try NameTemplate("\(file.name)/{id}") }
        var item = BatchItem(index: 0, argument: "in/a.png")
        item.name = file.name
        let variant = Variant(layout: .small, scale: 1, scheme: .light)
        let picture = TargetPicture(
            item: item, variant: variant, height: 40, fileExtension: "png", digest: nil,
            isOnlyLayout: false, isOnlyPicture: false)
        let tokens = ThemeTokens(.builtIn, layouts: [.emblem(.small)], schemes: [.light])
        let site = WebSite(tokens, layouts: [.emblem(.small)])
        #expect(site.path(of: picture)?.components.first == "\(file.name)_")
    }

    @Test(
        "a name template with the extension of another format is refused with the correct one",
        arguments: [
            ("{id}.jpg", ["png"], ".{ext}, or use --format jpeg"),
            ("{id}.JPEG", ["webp"], ".{ext}, or use --format jpeg"),
            ("{layout}/{id}{@scale}.png", ["png", "webp"], "the outputs are webp"),
            ("{id}.gif", ["png"], "end it with .{ext}"), ("{id}.png", nil, "--format same"),
        ])
    func otherExtension(_ text: String, _ written: [String]?, _ advice: String) throws {
        let template = try NameTemplate(text)
        let error = #expect(throws: PlanError.self) { try template.checkExtension(written) }
        #expect(error?.exitCode == 64 && "\(error.map { "\($0)" } ?? "")".contains(advice))
    }

    @Test(
        "a name template accepts the extension of its format, or one of no image format",
        arguments: [
            ("{id}.jpeg", ["jpg"]), ("{id}.JPG", ["jpg"]), ("{id}.{ext}", ["png", "webp"]),
            ("{id}.jpg.{ext}", ["png"]), ("{id}", ["png"]), ("{id}.out", ["png"]),
            ("{id}.{hash}", nil),
        ])
    func sameExtension(_ text: String, _ written: [String]?) throws {
        try NameTemplate(text).checkExtension(written)
    }

    @Test("a name template replaces every placeholder")
    func placeholders() throws {
        let template = try NameTemplate(
            "{scheme}/{hash}-{id}-{layout}{@scale}_{scale}-{height}.{ext}")
        let hash = ItemName.hash(of: "acme.svg")
        #expect(name(template, scale: 1.5) == "light/\(hash)-acme-medium@1.5x_1.5-72.png")
        #expect(name(template) == "light/\(hash)-acme-medium_1-48.png")
    }

    @Test(
        "a name template that leaves the folder or is invalid is refused",
        arguments: [
            "{layout}.{ext}", "../{id}.png", "/{id}.png", "{id}/../x.png", "a//{id}.png", "{id}/",
            "./{id}.png", ".emblem/{id}.png", "run.json/{id}.png",
            "Manifest.ndjson/{id}.png", "report.html/{id}", "{id", "id}", "{names}.png",
            "{stem}.png",
            "{dir}-{stem}.png",
            "x{dir}/{stem}.png", "{dir}{stem}.png", "{stem}/{dir}", "{id}\n.png", "{id}{}",
            "{id}-\(String(repeating: "x", count: 200)).png", "",
        ])
    func refused(_ text: String) {
        let error = #expect(throws: PlanError.self) { try NameTemplate(text) }
        #expect(error?.exitCode == 64)
    }

    @Test(
        "a name template that gives two variants one name is refused with the missing placeholder")
    func missing() throws {
        let template = try NameTemplate("{id}.png")
        try template.check(variants(layouts: ["small"]))
        func advice(_ variants: [NameVariant]) -> String {
            do throws(PlanError) {
                try template.check(variants)
                return ""
            } catch {
                return error.description
            }
        }
        #expect(advice(variants()).contains("{layout}"))
        #expect(advice(variants(layouts: ["small"], scales: [1, 2])).contains("{@scale}"))
        #expect(
            advice(variants(layouts: ["small"], schemes: ["light", "dark"])).contains("{scheme}"))
        #expect(
            advice(variants(layouts: ["small"], extensions: ["png", "webp"])).contains("{ext}"))
    }

    @Test("the error for a name template names all missing fields and a template that works")
    func allMissing() throws {
        let all = variants(
            scales: [1, 2], schemes: ["light", "dark"], extensions: ["png", "webp"])
        let error = #expect(throws: PlanError.self) { try NameTemplate("{id}").check(all) }
        let words = try #require(error?.description)
        let example = "{layout}/{id}{@scale}-{scheme}.{ext}"
        #expect(
            words.hasSuffix(
                "add {layout}, {@scale}, {scheme} and {ext}, as in \(example)"), "\(words)")
        try NameTemplate(example).check(all)
    }

    @Test(
        "a name template that could give two items one name is refused",
        arguments: [
            ("{id}{height}.png", [1.0, 3.0], false), ("{id}-{height}.png", [1.0, 3.0], true),
            ("{height}{id}.png", [1.0, 3.0], true), ("{height}/{id}.png", [1.0, 3.0], true),
            ("{id}{layout}.png", [1.0], false), ("{id}/{layout}.png", [1.0], true),
            ("{layout}-{id}{@scale}.png", [1.0, 2.0], true),
            ("{height}/{id}.png", [1.0, 2.0], false),
            ("{id}/{layout}/{hash}.png", [1.0], true), ("{layout}-{hash}-{id}.png", [1.0], true),
        ])
    func ambiguous(_ text: String, _ scales: [Double], _ isFine: Bool) throws {
        let template = try NameTemplate(text)
        do throws(PlanError) {
            try template.check(variants(scales: scales))
            #expect(isFine)
        } catch {
            #expect(!isFine, "\(error)")
        }
    }
}
