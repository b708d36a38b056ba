import Support
import Testing

@Suite("The side files --sheet and --depfile", .ownThreads)
struct SideFileTests {
    private struct Case {
        let arguments: [String]
        let words: String

        init(_ arguments: String, _ words: String) {
            self.arguments = arguments.split(separator: " ").map(String.init)
            self.words = words
        }
    }

    private func expectRefused(_ one: Case, in folder: ScratchFolder) throws {
        let before = folder.tree(".")
        let set = try folder.read("out/small/acme.png")
        for more in [[], ["--dry-run"]] {
            let run = try Tool.emblem(["batch"] + one.arguments + more, in: folder.path)
            #expect(run.status == 64, "\(one.arguments): \(run)")
            #expect(
                run.errors.contains(one.words + " and would be overwritten"), "\(run.errors)")
        }
        #expect(folder.tree(".") == before, "\(one.arguments)")
        #expect(try folder.read("out/small/acme.png") == set)
    }

    /// Returns a folder with a set, a link to it and a dangling link.
    private func folder() throws -> ScratchFolder {
        let folder = try Pictures.mixedFolder()
        let run = try Tool.emblem(
            ["batch", "in", "-o", "out", "--layout", "small"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        folder.link("there", to: "out")
        folder.link("picture", to: "out/small/acme.png")
        folder.link("later", to: "out/acme.png")
        return folder
    }

    @Test("a side file at the place of an output is refused")
    func outputs() throws {
        let folder = try folder()
        let words = "is an output of this run"
        for option in ["--sheet", "--depfile"] {
            for file in [
                "out/small/acme.png", "./out/./small/acme.png", "there/small/acme.png", "picture",
            ] {
                try expectRefused(
                    Case("in -o out --layout small \(option) \(file)", "\(file) \(words)"),
                    in: folder)
            }
        }
        for arguments in [
            // Dangling links, missing folders, and names of user files.
            "in/acme.png -o out --name {id}.{ext} --layout small --depfile out/acme.png",
            "in/acme.png -o out --name {id}.{ext} --layout small --sheet later",
            "in/acme.png -o new --name {id}.{ext} --layout small --depfile new/acme.png",
            "in -o out --layout large --sheet out/large",
            "in -o out --layout small --format same --depfile out/small/acme.webp",
            "in/acme.png -o out --target web,files=more --layout small --depfile more/small",
        ] {
            folder.makeFolder("more")
            try expectRefused(Case(arguments, words), in: folder)
        }
    }

    @Test("a side file at the place of a record or a target file is refused")
    func records() throws {
        let folder = try folder()
        folder.makeFolder("web")
        for (arguments, words) in [
            ("--sheet out/manifest.ndjson", "is a record that this run writes"),
            ("--depfile there/run.json", "is a record that this run writes"),
            ("--depfile out/report.html", "is a record that this run writes"),
            ("--sheet out/.emblem/journal.ndjson", "belongs to the state"),
            ("--depfile out/.emblem/new.txt", "belongs to the state"),
            ("--target web --sheet out/web", "is in the folder of web"),
            ("--target web=web --depfile web/t.json", "is in the folder of web"),
            ("--target files=web --depfile web/.emblem/lock", "is in the folder of files"),
            ("--target web=out --depfile out/index.json", "is in the folder of web"),
            ("--target android=out --depfile out/values", "is in the folder of android"),
            ("--depfile new -o new", "is the output folder of this run"),
        ] {
            let run = try Tool.emblem(
                ["batch", "in", "-o", "out"] + arguments.split(separator: " ").map(String.init)
                    + ["--dry-run"], in: folder.path)
            #expect(run.status == 64, "\(arguments): \(run)")
            #expect(run.errors.contains(words), "\(run.errors)")
        }
        try expectRefused(
            Case(
                "in -o out --depfile out/run.json", "out/run.json is a record that this run writes"),
            in: folder)
    }

    @Test("two side files with one path are refused, except for devices")
    func oneForTwo() throws {
        let folder = try folder()
        for (first, second) in [
            ("t.json", "./t.json"), ("there/x", "out/x"), ("later", "out/acme.png"),
        ] {
            try expectRefused(
                Case(
                    "in -o out --sheet \(second) --depfile \(first)",
                    "\(first) is also the file of --sheet"),
                in: folder)
        }
        let run = try Tool.emblem(
            [
                "batch", "in", "-o", "out", "--layout", "small", "--sheet", "/dev/null",
                "--depfile", "/dev/null",
            ], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
    }
}
