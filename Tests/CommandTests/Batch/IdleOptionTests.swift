import Support
import Testing

@Suite("Options without effect", .ownThreads)
struct IdleOptionTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        _ = try Tool.emblem(
            ["render", "badge", "--text", "3", "-o", "a.png"], in: folder.path)
    }

    @Test(
        "an option without effect on the command line is refused with a correction",
        arguments: [
            (["batch", "a.png", "-o", "o", "--columns", "source=x"], "--list FILE"),
            (["batch", "a.png", "-o", "o", "--format", "webp", "--palette"], "--palette needs"),
            (["batch", "a.png", "-o", "o", "--gravity", "top"], "Add --mode fill"),
            (
                ["render", "emblem", "--icon", "lock", "--palette", "-o", "b.webp"],
                "--palette needs"
            ),
            (["render", "badge", "--text", "3", "--palette", "-o", "b.webp"], "--palette needs"),
            (
                ["render", "shimmer", "--reduced-motion", "--frame", "3", "-o", "b.png"],
                "Remove one of them"
            ),
            (["bench", "a.png", "--tolerance", "5%"], "--compare FILE"),
            (["render", "badge", "--text", "3", "--palette", "-o", "b.svg"], "--palette needs"),
            (["batch", "a.png", "-o", "o", "--badge", "3"], "Use one of neutral"),
        ])
    func refused(_ words: [String], _ hint: String) throws {
        let ending = try Tool.emblem(words, in: folder.path)
        #expect(ending.status == 64 && ending.errors.contains(hint), "\(ending.errors)")
        #expect(folder.tree() == ["a.png"])
    }

    @Test("an option with an effect, or one that is set for every command, is accepted")
    func taken() throws {
        for words in [
            ["batch", "a.png", "-o", "both", "--format", "png,webp", "--palette"],
            ["batch", "a.png", "-o", "same", "--format", "same", "--palette"],
        ] {
            #expect(try Tool.emblem(words, in: folder.path).status == 0, "\(words)")
        }
        try folder.write(#"{"palette": true}"#, to: "emblem.json")
        let ending = try Tool.emblem(
            ["render", "badge", "--text", "3", "-o", "b.webp"], in: folder.path)
        #expect(ending.status == 0)
    }

    @Test(
        "a dash or an equals sign in place of a file is refused with a correction",
        arguments: [
            (["batch", "a.png", "-o", "-"], "./-"),
            (["batch", "a.png", "-o=o"], "'-o o'"),
            (["batch", "a.png", "-o", "o", "--depfile", "-"], "./-"),
            (["render", "badge", "--text", "3", "-o", "b.png", "--format", "webp"], "-o -"),
            (["render", "badge", "--text", "3", "-o", "/dev/stdout"], "'-o - --format FORMAT'"),
        ])
    func noFile(_ words: [String], _ hint: String) throws {
        let ending = try Tool.emblem(words, in: folder.path)
        #expect(ending.status == 64 && ending.errors.contains(hint), "\(ending.errors)")
        #expect(folder.tree() == ["a.png"])
    }

    @Test(
        "a drawing on standard output has the format of --format",
        arguments: [
            ([], "PNG"), (["--format", "webp"], "WEBP"), (["--format", "jpeg"], "\u{FFFD}"),
            (["--format=svg"], "<svg"),
        ] as [([String], String)])
    func streamedFormat(_ words: [String], _ sign: String) throws {
        let line = (["badge", "--text", "3", "-o", "-"] + words).joined(separator: " ")
        let run = try Tool.run(
            "/bin/bash",
            ["-c", "\(Tool.path(of: "emblem")) render \(line) > picture; echo $?"],
            in: folder.path)
        #expect(run.output == "0\n", "\(run)")
        let head = String(decoding: try folder.read("picture").prefix(16), as: UTF8.self)
        #expect(head.contains(sign), "\(head)")
    }

    @Test(
        "--quality without effect is accepted with a note",
        arguments: [
            (["--quality", "50"], "--quality has no effect"),
            (["--quality", "50", "--quiet"], nil),
            (["--quality", "50", "--format", "png,webp"], nil), (["--format", "png"], nil),
        ] as [([String], String?)])
    func idleForm(_ words: [String], _ note: String?) throws {
        let run = try Tool.emblem(["batch", "a.png", "-o", "o"] + words, in: folder.path)
        #expect(run.status == 0, "\(run)")
        #expect(run.errors.contains("has no effect") == (note != nil), "\(run.errors)")
        if let note { #expect(run.errors.contains(note), "\(run.errors)") }
    }

    @Test("a --memory above the memory of the machine is accepted with a warning")
    func hugeMemory() throws {
        let run = try Tool.emblem(
            ["batch", "a.png", "-o", "o", "--memory", "4000TB", "--timeout", "500ms"],
            in: folder.path)
        #expect(run.status == 0, "\(run)")
        #expect(run.errors.contains("--memory 4000TB is more than the "), "\(run.errors)")
    }

    @Test("failures refuses two output formats")
    func twice() throws {
        _ = try Tool.emblem(["batch", "a.png", "-o", "one"], in: folder.path)
        let failures = try Tool.emblem(["failures", "one", "--csv", "--json"], in: folder.path)
        #expect(failures.status == 64 && failures.errors.contains("Remove one of them"))
    }
}
