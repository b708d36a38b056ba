import Glibc
import Notation
import Raster
import Support
import Testing

@Suite("emblem merge", .ownThreads)
struct MergeTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        var list = "source,id,merchant\n"
        for number in 0..<11 {
            let blue = Color(red: UInt8(number * 20), green: 95, blue: 255)
            try folder.write(
                try Pictures.disc(blue, width: 20 + number, height: 30), to: "in/p\(number).png")
            // Two rows share their files and are in different shards.
            list +=
                "in/p\(number == 7 ? 2 : number).png,\(number == 7 ? "p2" : "p\(number)"),m\(number)\n"
        }
        list += "in/gone.png,gone,m\n"
        try folder.write(list, to: "list.csv")
    }

    private func emblem(_ arguments: String...) throws -> Tool.Ending {
        try Tool.emblem(arguments, in: folder.path)
    }

    private func batch(_ list: String, _ out: String, _ more: String...) throws {
        let run = try Tool.emblem(
            ["batch", "--list", list, "-o", out, "--layout", "small,large"] + more,
            in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("emblem merge makes from shards in any order the set of a single run")
    func shards() throws {
        try batch("list.csv", "whole")
        for part in 1...3 { try batch("list.csv", "part-\(part)", "--shard", "\(part)/3") }
        let run = try emblem("merge", "part-3", "part-1", "part-2", "-o", "out")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("12 items from 3 sets"))
        #expect(try folder.text("out/manifest.ndjson") == folder.text("whole/manifest.ndjson"))
        #expect(folder.tree("out") == folder.tree("whole"))
        #expect(try emblem("verify", "out").status == 0)
        let record = try folder.json("out/run.json")
        let path = folder.path("out/run.json")
        #expect(try RecordTests.complaints("merged-run-1.schema.json", path) == "")
        #expect(record["items"]?.intValue == 12 && record["parts"]?.elements?.count == 3)
        #expect(record[path: ["stages", "total", "count"]]?.intValue == 12)
        #expect(record[path: ["errors", "not_found"]]?.intValue == 1)
        let lint = try #require(record["lint"]?.members)
        #expect(try !lint.isEmpty && record["lint"] == folder.json("whole/run.json")["lint"])
        // A second merge writes nothing.
        let stamp = try folder.text("out/manifest.ndjson")
        #expect(try emblem("merge", "part-1", "part-2", "part-3", "-o", "out", "-q").status == 0)
        #expect(try folder.text("out/manifest.ndjson") == stamp)
    }

    @Test("emblem merge leaves no picture behind if a set is damaged")
    func damagedLater() throws {
        for part in 1...2 { try batch("list.csv", "part-\(part)", "--shard", "\(part)/2") }
        try folder.write("no picture", to: "part-2/small/p3.png")
        let merge = ["merge", "part-1", "part-2", "-o", "out"]
        try folder.write("mine", to: "out/small/mine.txt")
        #expect(try Tool.emblem(merge, in: folder.path).status == 65)
        #expect(folder.tree("out") == ["small/mine.txt"])
        // A failed merge leaves an existing set unchanged.
        try batch("list.csv", "part-2", "--shard", "2/2")
        #expect(try Tool.emblem(merge, in: folder.path).status == 0)
        let whole = folder.tree("out")
        try folder.write("no picture", to: "part-2/small/p3.png")
        folder.remove("out/small/p3.png")
        #expect(try Tool.emblem(merge, in: folder.path).status == 65)
        #expect(folder.tree("out") == whole.filter { $0 != "small/p3.png" })
    }

    @Test("emblem merge exits with 1 if an item has no output, as a single run does")
    func failed() throws {
        try folder.write("source,placeholder\nin/p0.png,\nin/gone.png,none\n", to: "few.csv")
        for part in 1...2 {
            let words = ["batch", "--list", "few.csv", "-o", "few-\(part)", "--shard", "\(part)/2"]
            #expect(try Tool.emblem(words, in: folder.path).status == Int32(part - 1))
        }
        let run = try emblem("merge", "few-1", "few-2", "-o", "out")
        #expect(run.status == 1 && run.errors.contains("1 item has no output"), "\(run.errors)")
        #expect(try emblem("merge", "few-1", "-o", "one").status == 1)
    }

    @Test("emblem merge names missing shards and exits with 1")
    func missing() throws {
        for part in [1, 3, 4] { try batch("list.csv", "part-\(part)", "--shard", "\(part)/5") }
        let run = try emblem("merge", "part-4", "part-1", "part-3", "-o", "out", "--quiet")
        #expect(run.status == 1 && run.errors.contains("some are missing: 2, 5."), "\(run.errors)")
        #expect(run.errors.contains("--shard 2/5"))
        #expect(try ManifestText(folder).items.count == 7)
        // Without the run records, the merge shows where items are missing.
        folder.remove("part-1/run.json")
        let gap = try emblem("merge", "part-1", "part-3", "part-4", "-o", "out")
        #expect(gap.status == 1 && gap.errors.contains("in none of the sets"), "\(gap.errors)")
        // Shards beyond the end of the list have no items, so none can be missing.
        try batch("list.csv", "all", "--shard", "1/14", "--limit", "1")
        #expect(try emblem("merge", "all", "-o", "out2").status == 0)
    }

    @Test("emblem merge refuses shards of different lists if their records differ")
    func otherLists() throws {
        try folder.write("source,id\nin/p0.png,a\nin/p1.png,b\nin/p2.png,c\n", to: "one.csv")
        try folder.write("source,id\nin/p0.png,a\nin/p3.png,b\nin/p2.png,c\n", to: "two.csv")
        try folder.write("source,id\nin/p0.png,a\nin/p3.png,b\n", to: "short.csv")
        try batch("one.csv", "one", "--shard", "1/2")
        for (list, words) in [("two", "rows of them differ"), ("short", "they are of 2 and of 3")] {
            try batch("\(list).csv", list, "--shard", "2/2")
            let run = try emblem("merge", "one", list, "-o", "out")
            #expect(run.status == 65, "\(run.errors)")
            #expect(
                run.errors.contains("\(list) and one are shards of different lists: \(words)"),
                "\(run.errors)")
            #expect(!folder.exists("out"))
        }
        // Without run records, the manifests of both are accepted as they are.
        folder.remove("two/run.json")
        #expect(try emblem("merge", "one", "two", "-o", "out").status == 0)
    }

    @Test("emblem merge accepts shards of one folder list at any place")
    func sameFolder() throws {
        try folder.write(try folder.read("in/p3.png"), to: "a/in/p3.png")
        try folder.write(try folder.read("in/p4.png"), to: "a/in/p4.png")
        try folder.write(try folder.read("in/p3.png"), to: "b/in/p3.png")
        try folder.write(try folder.read("in/p4.png"), to: "b/in/p4.png")
        for (part, input) in [(1, "a/in"), (2, folder.path("b/in"))] {
            let run = try emblem("batch", input, "-o", "s\(part)", "--shard", "\(part)/2")
            #expect(run.status == 0, "\(run.errors)")
        }
        let run = try emblem("merge", "s1", "s2", "-o", "out")
        #expect(run.status == 0 && run.errors.contains("2 items from 2 sets"), "\(run.errors)")
    }

    @Test("emblem merge accepts sets with every kind of network failure")
    func failures() throws {
        let web = Web.server
        let rows =
            [
                "files/disc-0.png", "files/none.png", "files/page.png", "gone/a", "error/a",
                "busy/a",
                "moved/?to=moved/",
            ].map(web.url) + ["\(Web.refusing)/a.png", "ftp://127.0.0.1/a", "http://a.test:0/", ""]
        try folder.write("source\n" + rows.joined(separator: "\n") + "\n", to: "web.csv")
        let open = Web.open + ["--retries", "0"]
        func batch(_ out: String, _ more: String...) throws {
            let run = try Tool.emblem(
                ["batch", "--list", "web.csv", "-o", out] + open + more, in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
        }
        try batch("whole")
        for part in 1...2 { try batch("part-\(part)", "--shard", "\(part)/2") }
        let run = try emblem("merge", "part-1", "part-2", "-o", "out")
        #expect(run.status == 0, "\(run.errors)")
        let manifest = try folder.text("out/manifest.ndjson")
        #expect(manifest == (try folder.text("whole/manifest.ndjson")))
        #expect(manifest.contains("404 Not Found"))
    }

    @Test("emblem merge appends the sets of a split list")
    func parts() throws {
        try folder.write("source,id\nin/p0.png,a\nin/p1.png,b\n", to: "one.csv")
        try folder.write("source,id\nin/p3.png,c\n", to: "two.csv")
        try batch("one.csv", "one")
        try batch("two.csv", "two")
        let run = try emblem("merge", "one", "two", "-o", "out")
        #expect(run.status == 0 && run.errors.contains("not shards of one list"), "\(run.errors)")
        let manifest = try ManifestText(folder)
        #expect(manifest.items.map { $0["index"]?.intValue } == [0, 1, 2])
        #expect(manifest.items.compactMap { $0["id"]?.stringValue } == ["a", "b", "c"])
        #expect(try emblem("verify", "out").status == 0)
    }

    @Test("emblem merge refuses an input that is no part of one set, and states the reason")
    func refusals() throws {
        try folder.write("source,id\nin/p0.png,a\n", to: "one.csv")
        try folder.write("source,id\nin/p1.png,a\n", to: "two.csv")
        try batch("one.csv", "one")
        try batch("two.csv", "two")
        try batch("two.csv", "padded", "--padding", "4")
        let names = try emblem("merge", "one", "two", "-o", "out")
        #expect(names.status == 65 && names.errors.contains("have different files small/a.png"))
        let options = try emblem("merge", "one", "padded", "-o", "out")
        #expect(options.status == 65 && options.errors.contains("--padding differs"))
        #expect(try emblem("merge", "one", "none", "-o", "out").status == 66)
        #expect(try emblem("merge", "one", "two", "-o", "one").status == 64)
        #expect(try emblem("merge", "one", "in", "-o", "out").status == 65)
        try folder.write("x", to: "one/small/a.png")
        let damaged = try emblem("merge", "one", "-o", "out2")
        #expect(damaged.status == 65 && damaged.errors.contains("run that part again"))
        try folder.write(String(repeating: "x", count: 9_999), to: "one/small/a.png")
        let grown = try emblem("merge", "one", "-o", "out2")
        #expect(grown.status == 65 && grown.errors.contains("run that part again"))
        #expect(!grown.errors.contains("--max-bytes"), "\(grown.errors)")
        let text = try folder.text("two/manifest.ndjson")
        try folder.write(
            text.replacing("small/a.png", with: "../one/small/a.png"), to: "two/manifest.ndjson")
        let hostile = try emblem("merge", "two", "-o", "out3")
        #expect(hostile.status == 65 && hostile.errors.contains("leads out of the folder"))
        try folder.write(
            String(text.split(separator: "\n").dropLast().joined(separator: "\n")) + "\n",
            to: "two/manifest.ndjson")
        #expect(try emblem("merge", "two", "-o", "out4").errors.contains("did not finish"))
    }

    @Test("emblem merge keeps failed items with equal ids and different sources")
    func alike() throws {
        for (name, gone) in [("one", "x"), ("two", "y")] {
            try folder.write(
                "source,id\nin/\(gone).png,acme\nin/p0.png,same\n", to: "\(name).csv")
            try batch("\(name).csv", name)
        }
        let run = try emblem("merge", "one", "two", "-o", "out")
        #expect(run.status == 0 && run.errors.contains("4 items from 2 sets"), "\(run.errors)")
        let sources = try ManifestText(folder).items.compactMap { $0["source"]?.stringValue }
        #expect(sources == ["in/x.png", "in/p0.png", "in/y.png", "in/p0.png"])
    }

    @Test(
        "emblem merge refuses an invalid index in a manifest",
        arguments: ["9223372036854775807", "-3", "4294967296"])
    func places(index: String) throws {
        try folder.write("source,id\nin/p0.png,a\n", to: "one.csv")
        try batch("one.csv", "one")
        try batch("one.csv", "two")
        let text = try folder.text("one/manifest.ndjson")
        try folder.write(
            text.replacing("\"index\":0", with: "\"index\":\(index)"), to: "one/manifest.ndjson")
        let run = try emblem("merge", "one", "two", "-o", "out")
        #expect(
            run.status == 65 && run.errors.contains("its manifest was changed"), "\(run.errors)")
    }

    @Test("emblem merge accepts complete manifests alone, and reports errors in others")
    func changedManifests() throws {
        try folder.write("source,id\nin/p0.png,a\nin/p1.png,b\nin/gone.png,c\n", to: "one.csv")
        try batch("one.csv", "one")
        let text = try folder.text("one/manifest.ndjson")
        let lines = text.split(separator: "\n").map(String.init)
        func joined(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }
        let cases = [
            (text.replacing("manifest/1", with: "manifest/2"), "reads emblem.manifest/1", 65),
            (joined(lines.filter { $0 != lines[1] }), "items 3, but there are 2", 2),
            (joined(Array(lines[...1] + lines[1...])), "item 0 is there twice", 2),
            (text.replacing("\"ok\":2", with: "\"ok\":1"), "ok 1, but there are 2", 2),
            (joined(lines + [lines[3]]), "a record follows its summary", 2),
            (joined(Array(lines.dropFirst())), "", 2),
        ]
        for (text, words, status) in cases {
            try folder.write(text, to: "one/manifest.ndjson")
            let check = try emblem("verify", "one")
            #expect(check.status == status, "\(words): \(check.output)\(check.errors)")
            #expect((check.output + check.errors).contains(words), "\(check.output)")
            let failures = try emblem("failures", "one")
            #expect(failures.status == 65 && failures.errors.contains(words), "\(failures.errors)")
            #expect(failures.output.isEmpty)
            let run = try emblem("merge", "one", "-o", "out")
            #expect(run.status == 65 && run.errors.contains(words), "\(run.errors)")
            #expect(!folder.exists("out"))
        }
    }

    @Test("a merged set passes verify, with missing shards and without items")
    func wholeManifests() throws {
        try folder.write("source,id\n", to: "none.csv")
        try batch("none.csv", "none")
        try batch("list.csv", "part", "--shard", "2/3")
        try batch("list.csv", "behind", "--shard", "14/14")
        #expect(try emblem("merge", "part", "-o", "out").status == 1)
        for set in ["none", "part", "behind", "out"] {
            let check = try emblem("verify", set)
            #expect(check.status == 0, "\(set): \(check.output)\(check.errors)")
            #expect(try emblem("failures", set).status == 0)
        }
    }

    @Test("emblem merge keeps a foreign file at the place of an output")
    func foreignFiles() throws {
        try folder.write("source,id\nin/p0.png,a\nin/p1.png,b\n", to: "one.csv")
        try batch("one.csv", "one")
        try folder.write("mine", to: "out/small/a.png")
        try folder.write("mine, too", to: "out/manifest.ndjson")
        let run = try emblem("merge", "one", "-o", "out", "-q")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("2 files, such as "), "\(run.errors)")
        #expect(try folder.text("out/.emblem/replaced/small/a.png") == "mine")
        #expect(try folder.text("out/.emblem/replaced/manifest.ndjson") == "mine, too")
        #expect(try emblem("verify", "out").status == 0)
        #expect(try !emblem("merge", "one", "-o", "out").errors.contains("not created by"))
    }

    @Test("emblem merge replaces a set that it made before, and reports remaining files")
    func standing() throws {
        try folder.write("source,id\nin/p0.png,a\nin/p1.png,b\n", to: "one.csv")
        try folder.write("source,id\nin/p2.png,a\nin/p3.png,c\n", to: "two.csv")
        try batch("one.csv", "one")
        try batch("two.csv", "two")
        try batch("two.csv", "avatars", "--component", "avatar")
        #expect(try emblem("merge", "one", "-o", "out").status == 0)
        let manifest = try folder.text("out/manifest.ndjson")
        let other = try emblem("merge", "avatars", "-o", "out")
        #expect(other.status == 64, "\(other.errors)")
        #expect(
            other.errors.contains("the first has emblems, the second avatars"), "\(other.errors)")
        #expect(try folder.text("out/manifest.ndjson") == manifest)
        let run = try emblem("merge", "two", "-o", "out")
        #expect(run.status == 0 && !run.errors.contains("not created by"), "\(run.errors)")
        #expect(
            run.errors.contains("2 files are left of the earlier set"), "\(run.errors)")
        #expect(try emblem("verify", "out").output.contains("small/b.png: in no manifest"))
        #expect(try folder.read("out/small/a.png") == folder.read("two/small/a.png"))
    }

    @Test("merge and verify need little memory for outputs of any size")
    func largeOutput() throws {
        try folder.write("source,id\nin/p0.png,a\n", to: "one.csv")
        try batch("one.csv", "one")
        // A sparse file of zeros, which uses no disk space.
        let bytes = 256 << 20
        let digest = "a6d72ac7690f53be6ae46ba88506bd97302a093f7108472bd9efc3cefda06484"
        #expect(unsafe truncate(folder.path("one/small/a.png"), 0) == 0)
        #expect(unsafe truncate(folder.path("one/small/a.png"), bytes) == 0)
        let manifest = try folder.text("one/manifest.ndjson")
        let output = try #require(ManifestText(folder, "one").items.first?["outputs"]?.elements?[0])
        let size = try #require(output["bytes"]?.intValue)
        let known = try #require(output["sha256"]?.stringValue)
        let large = manifest.replacing(
            "\"bytes\":\(size),\"sha256\":\"\(known)\"",
            with: "\"bytes\":\(bytes),\"sha256\":\"\(digest)\"")
        #expect(large != manifest)
        try folder.write(large, to: "one/manifest.ndjson")
        for words in [
            ["merge", "one", "-o", "out"], ["merge", "one", "-o", "out"], ["verify", "out"],
        ] {
            let run = try Tool.run(
                Tool.path(of: "Refuser"), ["as:300", "--", Tool.path(of: "emblem")] + words,
                in: folder.path)
            #expect(run.status == 0, "\(words): \(run.errors) \(run.output)")
        }
    }

    @Test("emblem merge refuses to replace a set of a run, or to merge sets of other targets")
    func taken() throws {
        try folder.write("source,id\nin/p0.png,a\n", to: "one.csv")
        try batch("one.csv", "one")
        try batch("one.csv", "own")
        let manifest = try folder.text("own/manifest.ndjson")
        let run = try emblem("merge", "one", "-o", "own")
        #expect(run.status == 64 && run.errors.contains("cannot be used"), "\(run.errors)")
        #expect(try folder.text("own/manifest.ndjson") == manifest)
        try batch("one.csv", "catalog", "--target", "xcassets")
        let other = try emblem("merge", "catalog", "-o", "out")
        #expect(other.status == 65 && other.errors.contains("has several formats"))
    }
}
