import Foundation
import Raster
import Support
import Testing

@Suite("Hostile drawings in commands other than batch", .ownThreads)
struct ConfinedGraphicTests {
    /// Every command that decodes an image, with its exit code for a timeout.
    private static let commands: [([String], Int32)] = [
        (["render", "emblem", "in.svg", "-o", "o.svg"], 1),
        (["render", "emblem", "in.svg", "-o", "o.png"], 1),
        (["render", "avatar", "in.svg", "-o", "o.svg"], 1),
        (["render", "avatar", "in.svg", "-o", "o.png"], 1),
        (["render", "state", "--icon", "in.svg", "--title", "T", "-o", "o.png"], 1),
        (["render", "state", "--icon", "in.svg", "--title", "T", "-o", "o.svg"], 1),
        (["render", "state", "--icon", "in.svg", "--title", "T", "-o", "o.html"], 1),
        (["render", "emblem", "--icon", "check", "--placeholder", "in.svg", "-o", "o.svg"], 1),
        (["render", "emblem", "none.png", "--placeholder", "in.svg", "-o", "o.png"], 1),
        (["batch", "good.png", "--placeholder", "in.svg", "-o", "out"], 1),
    ]

    private static func folder(_ drawing: [UInt8]) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.write(drawing, to: "in.svg")
        try folder.write(Pictures.disc(.black, width: 30, height: 30), to: "good.png")
        return folder
    }

    @Test("a hostile drawing ends at its time limit", arguments: commands.indices)
    func deadline(index: Int) throws {
        let late = try #require(HostileDrawing.all.first { $0.ending == .late })
        let folder = try Self.folder(late.bytes())
        let (words, code) = Self.commands[index]
        let (run, cost) = try Tool.emblemWithCost(
            words + ["--item-timeout", "0.3"], in: folder)
        // The time covers the drawing, its placeholder and the start of two processes.
        #expect(cost < 3, "\(words)")
        #expect(run.status == code, "\(words): \(run.errors)")
    }

    @Test("a hostile drawing takes no memory of the main process", arguments: [0, 2, 4, 6, 9])
    func memory(index: Int) throws {
        let heavy = try #require(HostileDrawing.all.first { $0.ending == .heavy })
        let folder = try Self.folder(heavy.bytes())
        // The peak is read while the tool runs: the peak after its end includes the workers that it
        // waited for.
        let words = (Self.commands[index].0 + ["--item-timeout", "1"]).joined(separator: " ")
        let script = """
            import subprocess, sys, time
            p = subprocess.Popen(sys.argv[1:], stderr=subprocess.DEVNULL)
            peak = 0
            while p.poll() is None:
                with open(f"/proc/{p.pid}/status") as status:
                    for line in status:
                        if line.startswith("VmHWM"): peak = max(peak, int(line.split()[1]))
                # Often enough that no peak is missed.
                time.sleep(0.002)
            print(peak)
            """
        try folder.write(script, to: "peak.py")
        let run = try Tool.run(
            "/bin/sh", ["-c", "python3 peak.py \(Tool.path(of: "emblem")) \(words)"],
            in: folder.path)
        let peak = try #require(Int(run.output.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(peak > 0 && peak < 120_000, "\(words): \(peak) KB")
    }

    @Test(
        "a drawing is the same with and without a worker process",
        arguments: ["png", "svg", "html"])
    func same(form: String) throws {
        let svg =
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 20'>"
            + "<rect width='40' height='20' fill='#0a5fff'/></svg>"
        let folder = try Self.folder(Array(svg.utf8))
        for source in ["in.svg", "good.png"] {
            var seen: Set<[UInt8]> = []
            for isolation in ["process", "none"] {
                let run = try Tool.emblem(
                    [
                        "render", "state", "--icon", source, "--title", "T", "--sandbox",
                        isolation, "-o", "\(isolation).\(form)",
                    ], in: folder.path)
                #expect(run.status == 0, "\(run.errors)")
                seen.insert(try folder.read("\(isolation).\(form)"))
            }
            #expect(seen.count == 1, "\(source) \(form)")
        }
    }

    @Test("a drawing is refused if no worker can be started")
    func noWorker() throws {
        // Without a worker, nothing is decoded in this process.
        let folder = try Self.folder(Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8))
        for words in [
            "render state --icon in.svg --title T -o o.png", "render emblem in.svg -o o.png",
            "render emblem in.svg -o o.svg", "render avatar in.svg -o o.svg", "inspect in.svg",
        ] {
            let run = try Tool.run(
                "/bin/bash",
                [
                    "-c",
                    "exec strace -f -qq -o trace -e trace=memfd_create,socketpair "
                        + "-e inject=memfd_create,socketpair:error=EPERM "
                        + "\(Tool.path(of: "emblem")) \(words)",
                ], in: folder.path)
            #expect(run.status == 69, "\(words): \(run.errors)")
            #expect(run.errors.contains("Operation not permitted"), "\(words): \(run.errors)")
            #expect(!folder.exists("o.png") && !folder.exists("o.svg"), "\(words)")
        }
    }
}
