import Foundation
import Notation
import Raster
import Support
import Testing

@Suite("emblem batch --list", .ownThreads)
struct ListTests {
    /// One list in every format: three items, the second of which does not exist.
    private static let lists: [(name: String, text: String)] = [
        ("list.txt", "# a comment\nin/acme.png\nin/gone.png\nin/vector.svg\n"),
        (
            "list.csv",
            "source,id,label,merchant\nin/acme.png,one,\"Acme, Bank\",998\n"
                + "in/gone.png,two,Gone,7\r\nin/vector.svg,three,,\n"
        ),
        (
            "list.tsv",
            "url\tname\tlabel\tmerchant\nin/acme.png\tone\tAcme, Bank\t998\n"
                + "in/gone.png\ttwo\tGone\t7\nin/vector.svg\tthree\t\t\n"
        ),
        (
            "list.json",
            """
            [{"source": "in/acme.png", "id": "one", "label": "Acme, Bank", "merchant": 998},
             {"source": "in/gone.png", "id": "two", "label": "Gone", "merchant": 7},
             {"source": "in/vector.svg", "id": "three"}]
            """
        ),
        (
            "list.ndjson",
            """
            {"source": "in/acme.png", "id": "one", "label": "Acme, Bank", "merchant": 998}
            {"source": "in/gone.png", "id": "two", "label": "Gone", "merchant": 7}
            {"source": "in/vector.svg", "id": "three"}
            """
        ),
    ]

    @Test("a URL as --list is refused, with the command that pipes the list")
    func urls() throws {
        let folder = try ScratchFolder()
        for (list, advice) in [
            ("file:///lists/a.csv", "Write a path."),
            (
                "https://h.example/a.csv?b&c",
                "Type 'curl -fsSL 'https://h.example/a.csv?b&c' | emblem"
            ),
            (
                "ftp://u:s3cr@h.example/a.csv",
                "Type 'curl -fsSL URL | emblem batch --list - -o OUT'."
            ),
        ] {
            let ending = try Tool.emblem(
                ["batch", "--list", list, "-o", "out"], in: folder.path)
            #expect(ending.status == 64, "\(ending.errors)")
            #expect(ending.errors.contains("--list takes a file or -, not the URL '"))
            #expect(ending.errors.contains(advice), "\(ending.errors)")
            #expect(!ending.errors.contains("s3cr"), "\(ending.errors)")
        }
    }

    @Test("every list format gives the same items", arguments: lists.map(\.name))
    func formats(name: String) throws {
        let folder = try Pictures.mixedFolder()
        let list = try #require(Self.lists.first { $0.name == name })
        try folder.write(list.text, to: name)
        let run = try Tool.emblem(["batch", "--list", name, "-o", "out"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let manifest = try ManifestText(folder)
        #expect(manifest.items.count == 3)
        let statuses = manifest.items.compactMap { $0["status"]?.stringValue }
        #expect(statuses == ["ok", "placeholder", "ok"])
        #expect(manifest.items[1][path: ["error", "class"]]?.stringValue == "not_found")
        if name != "list.txt" {
            #expect(manifest.items.compactMap { $0["id"]?.stringValue } == ["one", "two", "three"])
            let first = manifest.items[0]
            #expect(first[path: ["accessibility", "label"]]?.stringValue == "Acme, Bank")
            #expect(first[path: ["extra", "merchant"]] != nil)
        }
    }

    @Test("a gzipped list and a list on standard input are read alike")
    func gzipAndStandardInput() throws {
        let folder = try Pictures.mixedFolder()
        let csv = Self.lists[1].text
        try folder.write(csv, to: "list.csv")
        let gzip = try Tool.run("/usr/bin/gzip", ["-k", folder.path("list.csv")])
        #expect(gzip.status == 0)
        let zipped = try Tool.emblem(
            ["batch", "--list", "list.csv.gz", "-o", "a"], in: folder.path)
        #expect(zipped.status == 0, "\(zipped.errors)")
        let piped = try Tool.emblem(
            ["batch", "--list", "-", "-o", "b"], in: folder.path,
            input: Array(csv.utf8))
        #expect(piped.status == 0, "\(piped.errors)")
        let plain = try Tool.emblem(["batch", "--list", "list.csv", "-o", "c"], in: folder.path)
        #expect(plain.status == 0)
        #expect(try folder.text("a/manifest.ndjson") == folder.text("c/manifest.ndjson"))
        #expect(try folder.text("b/manifest.ndjson") == folder.text("c/manifest.ndjson"))
    }

    @Test("a row sets its own layout, appearance, mode and placeholder")
    func rowsDecide() throws {
        let folder = try Pictures.mixedFolder()
        try folder.write(
            """
            source,id,label,layout,appearance,mode,placeholder
            in/wide.png,a,,small,success,fill,
            in/gone.png,b,Jane Doe,large,,,initials
            in/gone.png,c,,large,,,icon:globe
            in/gone.png,d,,large,,,in/acme.png
            in/gone.png,e,,large,,,none
            in/acme.png,f,,enormous,,,
            """, to: "list.csv")
        let run = try Tool.emblem(["batch", "--list", "list.csv", "-o", "out"], in: folder.path)
        #expect(run.status == 1)
        let manifest = try ManifestText(folder)
        #expect(manifest.item("a")?["outputs"]?.elements?.count == 1)
        #expect(manifest.item("b")?["placeholder"]?.stringValue == "initials:JD")
        #expect(manifest.item("c")?["placeholder"]?.stringValue == "icon:globe")
        #expect(manifest.item("d")?["placeholder"]?.stringValue == "file:in/acme.png")
        #expect(manifest.item("e")?["status"]?.stringValue == "failed")
        #expect(manifest.errorClass("f") == "bad_row")
        #expect(manifest.item("f")?["line"]?.intValue == 7)
        #expect(try folder.read("out/large/b.png") != folder.read("out/large/c.png"))
    }

    @Test("a row cannot choose layouts whose outputs would have one name")
    func equalNamesOfRow() throws {
        let folder = try Pictures.mixedFolder()
        let rows = "source,id,layout\nin/acme.png,a,\"small,large\"\nin/acme.png,b,large\n"
        try folder.write(rows, to: "list.csv")
        let arguments = ["batch", "--list", "list.csv", "-o", "out", "--layout", "small"]
        _ = try Tool.emblem(arguments + ["--name", "{id}.{ext}"], in: folder.path)
        let manifest = try ManifestText(folder)
        #expect(manifest.errorClass("a") == "bad_row")
        #expect(manifest.item("a")?["outputs"]?.elements?.count == 1)
        #expect(manifest.item("b")?["status"]?.stringValue == "ok")

        _ = try Tool.emblem(
            arguments + ["--name", "{id}-{layout}.{ext}"], in: folder.path)
        #expect(try ManifestText(folder).item("a")?["outputs"]?.elements?.count == 2)
    }

    @Test("alternatives are tried in order when the source fails")
    func alternatives() throws {
        let folder = try Pictures.mixedFolder()
        try folder.write(
            """
            {"source": "in/gone.png", "id": "a", "alternatives": ["in/text.png", "in/acme.png"]}
            {"source": "in/gone.png", "id": "b", "alternatives": ["in/text.png"]}
            """, to: "list.ndjson")
        let run = try Tool.emblem(["batch", "--list", "list.ndjson", "-o", "out"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let manifest = try ManifestText(folder)
        #expect(manifest.item("a")?["status"]?.stringValue == "ok")
        #expect(manifest.item("b")?["status"]?.stringValue == "placeholder")
        #expect(manifest.errorClass("b") == "not_found")
    }

    @Test("a forbidden source in a list is refused with its error class")
    func refusedSources() throws {
        let folder = try Pictures.mixedFolder()
        let rows: [(String, String)] = [
            ("file:///etc/passwd", "unsupported_scheme"),
            ("FILE:/etc/passwd", "unsupported_scheme"),
            ("ftp://example.org/a.png", "unsupported_scheme"),
            ("javascript:alert(1)", "unsupported_scheme"), ("data:image/png;base64,%%%", "bad_url"),
            ("in/no\u{1}where.png", "bad_url"), ("in", "unreadable"), ("/dev/zero", "unreadable"),
        ]
        var json = JSONWriter()
        for (index, row) in rows.enumerated() {
            json.object { json in
                json.member("source", row.0)
                json.member("id", "row\(index)")
            }
            json.endLine()
        }
        json.object { json in json.member("id", "empty") }
        json.endLine()
        try folder.write(json.take(), to: "list.ndjson")
        let run = try Tool.emblem(["batch", "--list", "list.ndjson", "-o", "out"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let manifest = try ManifestText(folder)
        for (index, row) in rows.enumerated() {
            #expect(manifest.errorClass("row\(index)") == row.1, "\(row.0)")
        }
        #expect(manifest.errorClass("empty") == "missing_url")
        #expect(manifest.item("row4")?["line"]?.intValue == 5)
        #expect(manifest.item("row5")?["line"]?.intValue == 6)
        #expect(manifest.item("empty")?["line"]?.intValue == 9)
        #expect(manifest.item("row6")?["line"] == nil)
        let remote = try Tool.emblem(
            ["batch", "--list", "list.ndjson", "-o", "remote", "--remote-only"], in: folder.path)
        #expect(remote.status == 0)
        #expect(try ManifestText(folder, "remote").errorClass("row6") == "unsupported_scheme")
    }

    @Test("several lists are read one after the other")
    func severalLists() throws {
        let folder = try Pictures.mixedFolder()
        try folder.write("in/acme.png\n", to: "a.txt")
        try folder.write("source\nin/wide.png\n", to: "b.csv")
        let run = try Tool.emblem(
            ["batch", "--list", "b.csv", "--list", "a.txt", "-o", "out"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let ids = try ManifestText(folder).items.map { $0["id"]?.stringValue }
        #expect(ids == ["wide", "acme"])
    }

    @Test("the record of an item reports its own source if every alternative fails too")
    func ownSourceIsToldOf() throws {
        let folder = try Pictures.mixedFolder()
        try folder.write("source,alternatives\nin/gone.png,in/text.png\n", to: "list.csv")
        let run = try Tool.emblem(["batch", "--list", "list.csv", "-o", "out"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let item = try ManifestText(folder).item("gone")
        #expect(item?[path: ["error", "class"]]?.stringValue == "not_found")
        #expect(item?["input"] == nil)
    }

    @Test("equal names get different outputs, and equal sources share their files")
    func collisions() throws {
        let folder = try Pictures.mixedFolder()
        try folder.write(Pictures.disc(.white, width: 40, height: 40), to: "other/acme.png")
        try folder.write(
            "in/acme.png\nother/acme.png\nin/acme.png\nother/./acme.png\n", to: "list.txt")
        let run = try Tool.emblem(["batch", "--list", "list.txt", "-o", "out"], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        let ids = try ManifestText(folder).items.compactMap { $0["id"]?.stringValue }
        #expect(ids.count == 4)
        // No item receives a contested name, so that names do not depend on the order of rows.
        #expect(ids[0] == ids[2])
        for id in ids { #expect(id.hasPrefix("acme-") && id.utf8.count == 13, "\(id)") }
        // Different spellings of a path mean the same file.
        #expect(ids[1] == ids[3] && Set(ids).count == 2)
    }

    @Test("a slash in an id does not create a folder, as the help states")
    func slashes() throws {
        let folder = try Pictures.mixedFolder()
        try folder.write("source,id\nin/acme.png,bank/acme\n", to: "list.csv")
        let run = try Tool.emblem(
            [
                "batch", "--list", "list.csv", "-o", "out", "--layout", "small", "--name",
                "{layout}/{dir}/{stem}.{ext}",
            ], in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(folder.tree("out").contains("small/bank-acme.png"), "\(folder.tree("out"))")
        let manual = try Tool.emblem(["man", "--markdown"]).output
        #expect(manual.contains("a slash in an id of a list becomes '-'"))
    }
}
