import Batch
import Engine
import Glibc
import Support
import Testing
import Transport

@Suite("Output names for files in folders")
struct FolderNameTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        for name in ["in/x.png", "in/a/x.png", "in/a/X.svg", "in/a b/c:d.png", "in/-d/.e/f.png"] {
            try folder.write([], to: name)
        }
        try folder.write([], to: "in/-d/e..png")
    }

    private func names(_ inputs: [String]) throws -> [String] {
        let plan = try BatchPlan(
            inputs.map { .source($0) }, options: PlanOptions())
        return (0..<plan.count).map { plan.item(at: $0).name }
    }

    @Test("output names keep the folders of a file, each part cleaned")
    func folders() throws {
        let hashes = ["a/X.svg", "a/x.png"].map { ItemName.hash(of: $0) }
        #expect(
            try names([folder.path("in")])
                == [
                    "d/e", "a/X-\(hashes[0])", "a/x-\(hashes[1])", "a-b/c-d", "x",
                ].sorted { left, right in order(left) < order(right) })
    }

    /// Returns the position of a name in the byte order of the original paths.
    private func order(_ name: String) -> Int {
        ["d/e", "a b", "a/X", "a/x", "x"].firstIndex { name.hasPrefix($0) }
            ?? (name == "a-b/c-d" ? 1 : 9)
    }

    @Test("output names do not depend on the spelling of a path")
    func typing() throws {
        let path = folder.path("in")
        let forms = [path + "/", path + "//", "/./" + path, path.replacing("/in", with: "//./in")]
        let first = try names([path, folder.path("in/a/x.png"), folder.path("in/x.png")])
        for form in forms {
            #expect(try names([form, form + "/a/x.png", form + "/./x.png"]) == first, "\(form)")
        }
    }

    @Test("files of two input folders with equal names get distinct outputs")
    func twoFolders() throws {
        try folder.write([], to: "other/x.png")
        let hash = ItemName.hash(of: "x.png")
        let names = try names([folder.path("in"), folder.path("other")])
        #expect(names.filter { $0.hasPrefix("x-") } == ["x-\(hash)", "x-\(hash)-2"])
    }

    @Test(
        "output names pass the folder and the file name to a name template",
        arguments: [
            ("{dir}/{stem}/{layout}.{ext}", "a/b/c/small.png", "c/small.png"),
            ("{layout}/{dir}/{stem}.{ext}", "small/a/b/c.png", "small/c.png"),
            ("logos/{dir}/{layout}/{stem}.{ext}", "logos/a/b/small/c.png", "logos/small/c.png"),
            ("{id}-{layout}.{ext}", "a/b/c-small.png", "c-small.png"),
        ])
    func template(text: String, deep: String, flat: String) throws {
        let template = try NameTemplate(text)
        try template.check(
            ["small", "large"].map {
                NameVariant(layout: $0, scale: 1, scheme: "light", height: 40, fileExtension: "png")
            })
        for (name, path) in [("a/b/c", deep), ("c", flat)] {
            #expect(
                template.path(
                    name: name, layout: "small", scale: 1, height: 40, fileExtension: "png",
                    scheme: "light", source: "")?.text == path)
        }
    }

    @Test("overlong output names are cut in the file name only")
    func long() throws {
        let deep = String(repeating: "f", count: 200)
        let file = String(repeating: "n", count: 200)
        let name = ItemName.wanted(in: FilePath("\(deep)/\(file).png"))
        let cut = String(repeating: "f", count: 120) + "/"
        #expect(name == cut + String(repeating: "n", count: 120))
        #expect(
            ItemName.suffixed(name, "-12345678") == cut + String(repeating: "n", count: 111)
                + "-12345678")
    }
}
