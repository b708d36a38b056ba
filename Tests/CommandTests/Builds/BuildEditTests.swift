import Foundation
import Raster
import Support
import Testing

/// Tests with real make and ninja: sources, theme and options of a set are edited repeatedly.
@Suite("Builds over many edits", .ownThreads)
struct BuildEditTests {
    struct BuildTool: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let file: String
        let text: String
        let program: String
    }

    private static let command = """
        ./counted batch logos -o emblems --layout small --prune --strict --theme theme.json \
        --depfile emblems.d
        """
    static let tools = [
        BuildTool(
            testDescription: "make", file: "Makefile",
            text: """
                emblems/manifest.ndjson:
                \t\(command)
                -include emblems.d

                """,
            program: "make"),
        BuildTool(
            testDescription: "ninja", file: "build.ninja",
            text: """
                rule emblems
                  command = \(command)
                  depfile = emblems.d
                build emblems/manifest.ndjson: emblems logos

                """,
            program: "ninja"),
    ]

    /// Edits as shell commands; the images in `spare` differ from each other.
    static let edits = [
        "true",
        "touch logos/a.png",
        "touch logos/*.png logos/sub/*.png",
        "cp spare/1.png logos/a.png",
        "cp spare/2.png logos/c.png",
        "mkdir logos/new; cp spare/3.png logos/new/d.png",
        "mv logos/c.png logos/e.png",
        "mv logos/e.png logos/new/e.png",
        "mv logos/new logos/other",
        "rm logos/other/e.png",
        "rm -r logos/other",
        "cp spare/4.png 'logos/two words.png'",
        "cp spare/1.png 'logos/two words.png'",
        "cp spare/2.png 'logos/cash$ #1:2 (x)~.png'",
        "cp spare/3.png 'logos/cash$ #1:2 (x)~.png'",
        "rm 'logos/cash$ #1:2 (x)~.png'",
        #"cp spare/5.png "$(printf 'logos/lat\351in.png')""#,
        #"cp spare/4.png "$(printf 'logos/lat\351in.png')""#,
        #"touch "$(printf 'logos/lat\351in.png')""#,
        #"rm "$(printf 'logos/lat\351in.png')""#,
        "cp spare/2.png logos/größe.png",
        "cp spare/3.png logos/new.png; mv logos/new.png logos/a.png",
        "ln -s ../spare/5.png logos/link.png",
        "touch spare/5.png",
        "cp spare/1.png spare/5.png",
        "rm logos/link.png",
        "mv logos/a.png x; mv logos/b.png logos/a.png; mv x logos/b.png",
        "echo notes > logos/notes.txt",
        "mkdir logos/empty",
        "cp spare/4.png logos/empty/f.png",
        "rm -r logos/empty",
        "touch theme.json",
        ##"echo '{"theme":{"color":{"emblem":{"brand":{"background":"#102030"}}}}}' > theme.json"##,
        ##"echo '{"theme":{"color":{"emblem":{"brand":{"background":"#102030" }}}}}' > theme.json"##,
        "touch emblem.json",
        #"echo '{"border":"1"}' > emblem.json"#,
        "rm emblem.json",
        "rm emblems/manifest.ndjson",
        "cp spare/1.png logos/a.png; cp spare/2.png logos/b.png; touch theme.json",
    ]

    /// Edits that make the batch fail, each with the edit that reverts it.
    static let failures = [
        ("echo junk > logos/bad.png", "rm logos/bad.png"),
        (": > logos/a.png", "cp spare/3.png logos/a.png"),
        ("ln -s nowhere logos/gone.png", "rm logos/gone.png"),
        ("echo '{' > theme.json", "echo '{}' > theme.json"),
        ("mv theme.json away.json", "mv away.json theme.json; touch theme.json"),
        (#"echo '{"scale":"2"}' > emblem.json"#, #"echo '{"scale":"1"}' > emblem.json"#),
        ("echo '[' > emblem.json", #"echo '{"scale":"1"}' > emblem.json"#),
        ("mkdir away; mv logos/*.png away", "mv away/*.png logos; rmdir away"),
    ]

    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        for number in 1...5 {
            let color = Color(red: UInt8(number * 40), green: 95, blue: 255)
            try folder.write(
                Pictures.disc(color, width: 24, height: 24), to: "spare/\(number).png")
        }
        try folder.write("{}", to: "theme.json")
        try folder.write(#"{"scale":"1"}"#, to: "emblem.json")
        try folder.write(
            """
            #!/bin/sh
            echo run >> runs
            exec '\(Tool.path(of: "emblem"))' "$@"

            """, to: "counted")
        try folder.write("", to: "runs")
        try edit(
            """
            chmod +x counted; mkdir -p logos/sub
            cp spare/1.png logos/a.png; cp spare/2.png logos/b.png; cp spare/3.png logos/sub/s.png
            """)
    }

    private func edit(_ script: String) throws {
        let run = try Tool.run("/bin/sh", ["-ec", script], in: folder.path)
        #expect(run.status == 0, "\(script): \(run.errors)")
    }

    /// Builds once, and compares the exit status and the number of batch runs.
    private func build(
        _ tool: BuildTool, _ edit: String, isWhole: Bool = true, runs: Int = 1
    ) throws {
        let before = try folder.text("runs").count
        let run = try Tool.run("/usr/bin/env", [tool.program], in: folder.path)
        #expect((run.status == 0) == isWhole, "\(edit): \(run.output)\(run.errors)")
        let count = try (folder.text("runs").count - before) / "run\n".count
        #expect(count == runs, "\(edit): \(run.output)\(run.errors)")
    }

    @Test("a build runs the batch exactly once for each edit", arguments: tools)
    func edits(tool: BuildTool) throws {
        try folder.write(tool.text, to: tool.file)
        for edit in Self.edits {
            try self.edit(edit)
            try build(tool, edit)
            try build(tool, edit, runs: 0)
        }
        let check = try Tool.emblem(["verify", "emblems"], in: folder.path)
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        // A first run makes an equal set.
        try edit(
            """
            '\(Tool.path(of: "emblem"))' batch logos -o fresh --layout small --theme theme.json
            diff -r emblems fresh -x .emblem -x run.json
            """)
    }

    @Test(
        "a build fails until the cause is fixed and then runs the batch once",
        arguments: tools)
    func failures(tool: BuildTool) throws {
        try folder.write(tool.text, to: tool.file)
        try build(tool, "first")
        for (edit, way) in Self.failures {
            try self.edit(edit)
            for _ in 0..<2 { try build(tool, edit, isWhole: false) }
            try self.edit(way)
            try build(tool, way)
            try build(tool, way, runs: 0)
        }
        #expect(folder.tree("emblems/small") == ["a.png", "b.png", "sub/s.png"])
    }
}
