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
}
