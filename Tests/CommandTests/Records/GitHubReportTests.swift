import Foundation
import Notation
import Raster
import Support
import Testing

@Suite("Reports for GitHub Actions", .ownThreads)
struct GitHubReportTests {
    private static let runner = ["GITHUB_ACTIONS": "true"]

    /// A folder with a hostile list in `work`, a sub-folder of the workspace.
    private static func folder() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.write(Pictures.disc(.black, width: 90, height: 60), to: "work/in/a.png")
        try folder.write(Pictures.disc(.black, width: 9, height: 6), to: "work/in/tiny.png")
        try folder.write(
            #"""
            source,id,layout
            in/a.png,fine,
            in/gone.png,"50%,x::y",
            "::error::gone.png",::add-mask::x,
            ##[group]x.png,"two
            lines",
            in/a.png,bad,"w|<img src=x>`*_"
            in/tiny.png,tiny,xLarge

            """#, to: "work/li:st,1%.csv")
        return folder
    }

    private static func run(
        _ words: [String], in folder: ScratchFolder, environment: [String: String] = runner
    ) throws -> Tool.Ending {
        var environment = environment
        environment["GITHUB_WORKSPACE"] = folder.path
        environment["GITHUB_STEP_SUMMARY"] = folder.path("summary.md")
        let run = try Tool.emblem(
            ["batch", "--list", "li:st,1%.csv", "-o", "out", "--layout", "small"] + words,
            in: folder.path("work"), environment: environment)
        #expect(run.status == 0, "\(run.errors)")
        return run
    }

    @Test(
        "findings of a hostile list become annotations of its lines and inject no commands")
    func annotations() throws {
        let folder = try Self.folder()
        let run = try Self.run(["-v"], in: folder)
        let lines = run.errors.split(separator: "\n").map(String.init)
        let commands = lines.filter { $0.hasPrefix("::") }
        #expect(
            commands.map { $0.prefix { $0 != "." } }.first
                == "::warning title=not_found,file=work/li%3Ast%2C1%25", "\(commands)")
        let places = commands.compactMap { $0.firstMatch(of: /line=([0-9]+)/).map { Int($0.1) } }
        // Line 8 has two findings: its image is tiny, and it is enlarged.
        #expect(places == [3, 4, 5, 7, 8, 8], "\(commands)")
        #expect(commands[0].contains("::50%25,x::y: "), "\(commands[0])")
        #expect(commands.allSatisfy { $0.hasPrefix("::warning title=") })
        for line in lines where !line.hasPrefix("::") {
            #expect(!line.contains("##["), "\(line)")
            #expect(!line.drop { $0.isWhitespace }.hasPrefix("::"), "\(line)")
        }
        let plain = try Self.run(["--progress", "plain"], in: folder)
        #expect(!plain.errors.contains("::warning"))
        let asked = try Self.run(["--progress", "github"], in: folder, environment: [:])
        #expect(asked.errors.contains("::warning title=not_found"))
        let quiet = try Self.run(["--quiet"], in: folder)
        #expect(!quiet.errors.contains("::warning"))
    }

    @Test("the job summary has the counts and the findings without markup of the list")
    func summary() throws {
        let folder = try Self.folder()
        try folder.write("# Before\n", to: "summary.md")
        _ = try Self.run([], in: folder)
        let text = try folder.text("summary.md")
        #expect(text.hasPrefix("# Before\n### Emblems\n"))
        #expect(text.contains("| 6 | 2 | 4 | 0 | 6 |"), "\(text)")
        #expect(text.contains("| not&#95;found | 50&#37;,x&#58;&#58;y |"), "\(text)")
        #expect(!text.contains("<img") && !text.contains("`"), "\(text)")
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
        #expect(rows.count == 2 + 1 + 6, "\(text)")
    }

    @Test("inspect exits with 1 for the lint kinds of --fail-on")
    func inspect() throws {
        let folder = try Self.folder()
        for (lint, status) in [("blank", Int32(0)), ("tiny-source,blank", 1)] {
            let run = try Tool.emblem(
                ["inspect", "work/in/tiny.png", "--fail-on", lint], in: folder.path)
            #expect(run.status == status, "\(run)")
        }
        let wrong = try Tool.emblem(
            ["inspect", "work/in/a.png", "--fail-on", "x"], in: folder.path)
        #expect(wrong.status == 64)
    }

    // MARK: The action and the hooks

    @Test("the steps of the action pass hostile inputs as single arguments")
    func action() throws {
        let folder = try Self.folder()
        let script = Repository.root.appending(path: "Packaging/action.sh").path
        let common = [
            "GITHUB_OUTPUT": folder.path("output"), "RUNNER_TEMP": folder.path("temp"),
            "GITHUB_STEP_SUMMARY": folder.path("summary.md"), "GITHUB_WORKSPACE": folder.path,
        ]
        let installed = try Tool.run(
            script, ["install"], in: folder.path,
            environment: common.merging([
                "EMBLEM_ACTION_BINARY": Tool.path(of: "emblem"),
                "EMBLEM_ACTION_PACKAGE": "emblemkit",
            ]) { $1 })
        #expect(installed.status == 0, "\(installed)")
        #expect(try folder.text("output") == "program=\(Tool.path(of: "emblem"))\n")
        let inputs = "in/tiny.png\r\n\n$(touch oops)\n`touch oops`; touch oops\n-v\n"
        let run = try Tool.run(
            script, ["run"], in: folder.path("work"),
            environment: common.merging([
                "EMBLEM_ACTION_ARGS": "--layout=small\n--max-failures=3\n",
                "EMBLEM_ACTION_INPUTS": inputs, "EMBLEM_ACTION_LIST": "li:st,1%.csv",
                "EMBLEM_ACTION_OUTPUT": "out $x", "EMBLEM_ACTION_PROGRAM": Tool.path(of: "emblem"),
                "EMBLEM_ACTION_REPORT": "true",
            ]) { $1 })
        // The named inputs do not exist, which is an error of the whole run.
        #expect(run.status == 66, "\(run)")
        #expect(try folder.text("output").hasSuffix("exit-code=66\n"))
        #expect(!folder.exists("work/oops"))
        let good = try Tool.run(
            script, ["run"], in: folder.path("work"),
            environment: common.merging([
                "EMBLEM_ACTION_ARGS": "--layout=small\n--max-failures=3\n",
                "EMBLEM_ACTION_INPUTS": "in/tiny.png", "EMBLEM_ACTION_LIST": "li:st,1%.csv",
                "EMBLEM_ACTION_OUTPUT": "out $x", "EMBLEM_ACTION_PROGRAM": Tool.path(of: "emblem"),
                "EMBLEM_ACTION_REPORT": "true",
            ]) { $1 })
        #expect(good.status == 1, "\(good)")
        #expect(good.errors.contains("::warning title=not_found"), "\(good.errors)")
        #expect(!good.errors.contains("EMBLEM_ACTION"), "\(good.errors)")
        #expect(folder.exists("work/out $x/report.html"))
        #expect(try folder.text("output").hasSuffix("exit-code=1\n"))
    }

    @Test("action.yml never uses inputs as shell code, and pins other actions to a commit")
    func actionFile() throws {
        let text = try String(
            contentsOf: Repository.root.appending(path: "action.yml"), encoding: .utf8)
        for line in text.split(separator: "\n") where line.contains("run: ") {
            #expect(!line.contains("${{"), "\(line)")
        }
        let uses = text.matches(of: /uses: ([^\s]+)/).map { String($0.1) }
        #expect(uses.count == 1)
        #expect(uses.allSatisfy { $0.wholeMatch(of: /actions\/[a-z-]+@[0-9a-f]{40}/) != nil })
        // Every variable of the script is set by the file.
        let script = try String(
            contentsOf: Repository.root.appending(path: "Packaging/action.sh"), encoding: .utf8)
        let names = Set(script.matches(of: /EMBLEM_ACTION_[A-Z]+/).map { String($0.0) })
        #expect(names.count == 8)
        for name in names { #expect(text.contains("\(name): ${{"), "\(name)") }
    }
}
