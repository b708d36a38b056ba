import Foundation
import Glibc
import Support
import Testing

@Suite("Unattended batch runs", .ownThreads)
struct UnattendedTests {
    private let folder: ScratchFolder

    init() throws { folder = try Pictures.discFolder() }

    private func batch(_ arguments: String...) throws -> Tool.Ending {
        try Tool.emblem(["batch"] + arguments, in: folder.path)
    }

    /// Runs the tool as a user who is bound by file permissions, even if the test runs as root.
    private func batchWithoutPrivileges(_ arguments: String...) throws -> Tool.Ending {
        let words = [Tool.path(of: "emblem"), "batch"] + arguments
        guard geteuid() == 0 else {
            return try Tool.run(words[0], Array(words.dropFirst()), in: folder.path)
        }
        let rights = ["--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"]
        return try Tool.run("/usr/bin/setpriv", rights + words, in: folder.path)
    }

    /// Returns the inode and time of every file in OUT, or of `names` only.
    private func stamps(_ names: [String]? = nil) throws -> [String: [Int]] {
        var stamps: [String: [Int]] = [:]
        for name in names ?? folder.tree("out") {
            let path = folder.path("out/\(name)")
            let facts = try FileManager.default.attributesOfItem(atPath: path)
            let time = try #require(facts[.modificationDate] as? Date)
            stamps[name] = [
                try #require(facts[.systemFileNumber] as? Int), Int(time.timeIntervalSince1970),
            ]
        }
        return stamps
    }

    private func isOutdated() throws -> Bool {
        try stamps(["manifest.ndjson"]).values.allSatisfy { $0[1] == 1 }
    }

    @Test(
        "--prune removes at most half of the files of earlier runs, or the share that it names")
    func pruneShare() throws {
        #expect(try batch("in", "-o", "out", "--layout", "small").status == 0)
        let all = folder.tree("out/small")
        for name in ["a", "b"] { folder.remove("in/\(name).png") }
        for more in ["--prune", "--prune=1", "--prune=66%"] {
            for quiet in ["--quiet", "--dry-run"] {
                let run = try batch("in", "-o", "out", "--layout", "small", more, quiet)
                #expect(run.status == 1, "\(more)")
                #expect(run.errors.contains("delete 2 of 3 files of earlier runs"), "\(run.errors)")
                #expect(run.errors.contains("use --prune=67%"), "\(run.errors)")
                #expect(folder.tree("out/small") == all)
            }
        }
        for more in [["--limit", "1"], ["--exclude", "a*"]] {
            let run = try Tool.emblem(
                ["batch", "in", "-o", "out", "--layout", "small", "--prune"] + more,
                in: folder.path)
            #expect(run.status == 64 && run.errors.contains("cannot be used with"), "\(run.errors)")
        }
        #expect(try batch("in", "-o", "out", "--prune=101%").status == 64)
        for value in ["false", "true", "\"80%\""] {
            try folder.write("{\"prune\": \(value)}", to: "emblem.json")
            let run = try batch("in", "-o", "out", "--layout", "small", "--quiet")
            #expect(run.status == (value == "true" ? 1 : 0), "\(value): \(run.errors)")
            if value != "\"80%\"" { #expect(folder.tree("out/small") == all) }
        }
        #expect(folder.tree("out/small") == ["c.png"])
    }

    @Test("--prune removes nothing if a list or folder is empty")
    func emptyInput() throws {
        try folder.write("id,source\na,in/a.png\nb,in/b.png\n", to: "list.csv")
        #expect(try batch("--list", "list.csv", "-o", "out", "--layout", "small").status == 0)
        try folder.write("id,source\n", to: "list.csv")
        folder.makeFolder("empty")
        for input in [["--list", "list.csv"], ["empty"]] {
            let run = try Tool.emblem(
                ["batch"] + input + ["-o", "out", "--layout", "small", "--prune", "--quiet"],
                in: folder.path)
            #expect(run.status == 1)
            #expect(run.errors.contains("the run has no item"), "\(run.errors)")
            #expect(folder.tree("out/small") == ["a.png", "b.png"])
        }
        // A new folder has no old files to keep.
        #expect(try batch("empty", "-o", "new", "--prune").status == 0)
    }

    @Test("--prune reports a file that it keeps because its bytes changed")
    func changedFile() throws {
        #expect(try batch("in", "-o", "out", "--layout", "small").status == 0)
        try folder.write("mine", to: "out/small/a.png")
        folder.remove("in/a.png")
        let run = try batch("in", "-o", "out", "--layout", "small", "--prune")
        #expect(
            run.status == 0 && run.errors.contains("Kept 1 file that changed after the run."),
            "\(run.errors)")
        #expect(try folder.text("out/small/a.png") == "mine")
    }

    @Test("an unattended run names an unreadable folder, exits with 1 and prunes nothing")
    func unreadableFolder() throws {
        try folder.write(folder.read("in/a.png"), to: "in/locked/d.png")
        let line = ["in", "-o", "out", "--layout", "small"]
        #expect(try Tool.emblem(["batch"] + line, in: folder.path).status == 0)
        _ = unsafe chmod(folder.path("in/locked"), 0)
        defer { _ = unsafe chmod(folder.path("in/locked"), 0o755) }
        for more in ["--quiet", "--dry-run", "--progress=json"] {
            let run = try batchWithoutPrivileges(
                "in", "-o", "out", "--layout", "small", "--prune", more)
            #expect(run.status == 1, "\(more): \(run.errors)")
            #expect(run.errors.contains("cannot read the folder in/locked"), "\(run.errors)")
            #expect(run.errors.contains("--prune deleted nothing"), "\(run.errors)")
            #expect(folder.exists("out/small/locked/d.png"))
        }
        _ = unsafe chmod(folder.path("in/locked"), 0o755)
        folder.remove("in/locked")
        let run = try batchWithoutPrivileges("in", "-o", "out", "--layout", "small", "--prune")
        #expect(run.status == 0, "\(run.errors)")
        #expect(!folder.exists("out/small/locked"))
    }

    @Test("--prune removes nothing if most sources of a list are missing")
    func missingSources() throws {
        try folder.write("in/a.png\nin/b.png\nin/c.png\n", to: "list.txt")
        let line = ["batch", "--list", "list.txt", "-o", "out", "--layout", "small"]
        #expect(try Tool.emblem(line, in: folder.path).status == 0)
        for name in ["a", "b"] { folder.remove("in/\(name).png") }
        let run = try Tool.emblem(
            line + ["--placeholder", "none", "--prune", "--quiet"], in: folder.path)
        #expect(run.status == 1)
        #expect(run.errors.contains("2 of 3 local sources are missing"), "\(run.errors)")
        #expect(folder.tree("out/small").count == 3)
    }

    @Test("the manifest stays older than all sources until an unattended run succeeds")
    func outdatedManifest() throws {
        try folder.write("no picture", to: "in/bad.png")
        let strict = ["batch", "in", "-o", "out", "--layout", "small", "--strict", "--report"]
        for _ in 0..<3 {
            #expect(try Tool.emblem(strict, in: folder.path).status == 1)
            #expect(try isOutdated())
        }
        #expect(try batch("in", "-o", "out", "--layout", "small").status == 0)
        #expect(try !isOutdated())
        let before = try stamps().filter { $0.key != "run.json" }
        let again = try batch("in", "-o", "out", "--layout", "small")
        #expect(again.errors.contains("4 items unchanged (reused)"), "\(again.errors)")
        #expect(try stamps().filter { $0.key != "run.json" } == before)
        #expect(
            try batch("in", "-o", "out", "--layout", "small", "--depfile", "/dev/full").status == 74
        )
        #expect(try isOutdated())
        folder.remove("in/bad.png")
        #expect(try Tool.emblem(strict, in: folder.path).status == 0)
        #expect(try !isOutdated())
        #expect(try Tool.emblem(["verify", "out"], in: folder.path).status == 0)
    }

    @Test("an unattended run keeps every file with equal bytes, even with --force or another theme")
    func equalFiles() throws {
        let line = ["batch", "in", "-o", "out", "--target", "files,xcassets,android,web"]
        let other = ##"{"theme":{"color":{"emblem":{"danger":{"border":"#BB0000"}}}}}"##
        try folder.write(other, to: "theme.json")
        #expect(try Tool.emblem(line, in: folder.path).status == 0)
        func pictures() throws -> [String: [Int]] {
            try stamps().filter { [".png", ".webp"].contains(where: $0.key.hasSuffix) }
        }
        let (all, before) = (try stamps(), try pictures())
        #expect(!before.isEmpty)
        #expect(try Tool.emblem(line + ["--force"], in: folder.path).status == 0)
        let changed = try stamps().filter { all[$0.key] != $0.value }.keys.sorted()
        #expect(Set(changed).isSubset(of: ["manifest.ndjson", "run.json"]), "\(changed)")
        let themed = try Tool.emblem(line + ["--theme", "theme.json"], in: folder.path)
        #expect(themed.status == 0, "\(themed.errors)")
        #expect(try pictures() == before)
    }
}
