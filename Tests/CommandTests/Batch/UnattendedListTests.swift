import Notation
import Support
import Testing

@Suite("emblem batch with an unchecked list", .ownThreads)
struct UnattendedListTests {
    private func batch(
        _ folder: ScratchFolder, _ words: [String], input: [UInt8]? = nil
    ) throws -> Tool.Ending {
        try Tool.emblem(
            ["batch", "--layout", "small", "-o", "out"] + words, in: folder.path, input: input)
    }

    @Test("a missing quote costs one row, and a field of many lines is reported")
    func quotes() throws {
        let folder = try Pictures.mixedFolder()
        var lines = ["id,source,label"] + (1...30).map { "a\($0),in/acme.png,L\($0)" }
        lines[3] = "a3,in/acme.png,\"L3"
        lines[20] = "a20,in/acme.png,\"L20\""
        try folder.write(lines.joined(separator: "\n"), to: "list.csv")
        let run = try batch(folder, ["--list", "list.csv"])
        #expect(run.status == 0, "\(run.errors)")
        let manifest = try ManifestText(folder)
        #expect(manifest.items.count == 30 && manifest.errorClass("a3") == "bad_row")
        #expect(manifest.items.count { $0["status"]?.stringValue == "ok" } == 29)
        #expect(manifest.item("a3")?["line"]?.intValue == 4)

        lines[20] = "a20,in/acme.png,L20\""
        try folder.write(lines.joined(separator: "\n"), to: "list.csv")
        let other = try batch(folder, ["--list", "list.csv"])
        #expect(other.errors.contains("a field of row 3 (line 4) of list.csv spans 18 lines"))
    }

    @Test("an empty INPUT is refused, such as from an unset variable in a script")
    func emptyInput() throws {
        let folder = try Pictures.mixedFolder()
        for words in [["batch", "", "-o", "out"], ["bench", ""]] {
            let run = try Tool.emblem(words, in: folder.path)
            #expect(run.status == 64 && run.errors.contains("An INPUT is empty"), "\(run.errors)")
        }
        #expect(folder.names(in: "") == ["in"])
    }

    @Test("an empty list or folder is named, and ends a strict run with 1")
    func emptyLists() throws {
        let folder = try Pictures.mixedFolder()
        try folder.write("source,id\n", to: "list.csv")
        try folder.write("# nothing\n", to: "list.txt")
        try folder.write("no picture", to: "empty/notes.txt")
        for (words, sign) in [
            (["--list", "list.csv"], "the list list.csv has no rows"),
            (["--list", "list.txt"], "the list list.txt has no rows"),
            (["empty"], "no images in empty"),
        ] {
            let run = try batch(folder, words)
            #expect(run.status == 0 && run.errors.contains(sign), "\(run.errors)")
            #expect(try batch(folder, words + ["--strict"]).status == 1)
        }
    }

    @Test("a list on standard input and one from a shell's <(command) are read alike")
    func pipes() throws {
        let folder = try Pictures.mixedFolder()
        let tool = Tool.path(of: "emblem")
        for list in ["in/acme.png", "id,source\\na,in/acme.png", "{\"source\":\"in/acme.png\"}"] {
            let options = "--layout small -o out --strict"
            for command in [
                "printf '\(list)\\n' | '\(tool)' batch --list - \(options)",
                "'\(tool)' batch --list <(printf '\(list)\\n') \(options)",
            ] {
                let run = try Tool.run(
                    "/bin/bash", ["-c", "cd '\(folder.path)' && \(command)"])
                #expect(run.status == 0, "\(command): \(run.errors)")
                #expect(try ManifestText(folder).items.count == 1)
            }
        }
    }

    @Test("an export without a header and in another encoding is read after iconv")
    func exports() throws {
        let folder = try Pictures.mixedFolder()
        let bytes = Array("sep=;\r\n1;in/acme.png ;Caf".utf8) + [0xE9] + Array("\r\n2;;-\r\n".utf8)
        try folder.write(bytes, to: "list.csv")
        let columns = ["--columns", "id=1,source=2,label=3"]
        let refused = try batch(folder, ["--list", "list.csv"] + columns)
        #expect(refused.status == 65)
        #expect(
            refused.errors.contains("line 2: it is not UTF-8; convert it with 'iconv -f CP1252"))
        let text = try Tool.run(
            "/usr/bin/iconv", ["-f", "CP1252", "-t", "UTF-8", folder.path("list.csv")])
        let run = try batch(folder, ["--list", "-"] + columns, input: Array(text.output.utf8))
        #expect(run.status == 0, "\(run.errors)")
        let manifest = try ManifestText(folder)
        #expect(manifest.item("1")?["status"]?.stringValue == "ok")
        #expect(manifest.item("1")?[path: ["accessibility", "label"]]?.stringValue == "Café")
        #expect(manifest.errorClass("2") == "missing_url")
    }
}
