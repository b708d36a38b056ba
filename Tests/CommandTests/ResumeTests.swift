import Foundation
import Notation
import Raster
import Support
import Testing

@Suite("emblem batch --resume, and runs over what stands")
struct ResumeCommandTests {
    private static let tool = Tool.path(of: "emblem")

    /// The set in `out` without what belongs to one run.
    private static func set(_ folder: ScratchFolder, _ out: String) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in folder.tree(out) where name != "run.json" {
            files[name] = try folder.read("\(out)/\(name)")
        }
        return files
    }

    /// Numbers that come again with the seed (SplitMix64).
    private struct Dice {
        var state: UInt64

        mutating func roll(_ count: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((word ^ (word >> 31)) % UInt64(count))
        }
    }

    @Test("a run killed at any moment ends, once resumed, as an undisturbed one")
    func kills() throws {
        let folder = try ScratchFolder()
        for number in 0..<1_000 {
            let shade = UInt8(truncatingIfNeeded: number)
            let color = Color(red: shade, green: 90, blue: 200)
            try folder.write(
                Pictures.disc(color, width: 24 + number % 9, height: 24), to: "in/\(number).png")
        }
        try folder.write("no picture", to: "in/bad.png")
        let batch = ["batch", "in", "--layout", "small,medium", "--quiet"]
        let calm = try Tool.emblem(batch + ["-o", "calm"], in: folder.path)
        #expect(calm.status == 0, "\(calm.errors)")
        let whole = try Self.set(folder, "calm")
        let journal = try folder.read("calm/.emblem/journal.ndjson").count
        let seed = UInt64(2_026)
        var dice = Dice(state: seed)
        for number in 0..<6 {
            let running = try Tool.start(
                Self.tool, batch + ["-o", "out", "--resume"], in: folder.path)
            let target = dice.roll(journal)
            let signal = dice.roll(3) == 0 ? SIGTERM : SIGKILL
            while running.isRunning, Self.size(folder) < target { usleep(500) }
            running.send(signal)
            _ = running.wait()
            #expect(number > 0 || !folder.exists("out/manifest.ndjson"), "seed \(seed)")
            if number % 2 == 0 { continue }
            let resumed = try Tool.emblem(batch + ["-o", "out", "--resume"], in: folder.path)
            #expect(resumed.status == 0, "\(resumed.errors)")
            #expect(try Self.set(folder, "out") == whole, "seed \(seed), kill \(number)")
            #expect(folder.tree("out/.emblem/tmp", hidden: true).isEmpty)
            folder.remove("out")
        }
    }

    private static func size(_ folder: ScratchFolder) -> Int {
        let path = folder.path("out/.emblem/journal.ndjson")
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        return facts?[.size] as? Int ?? 0
    }

    @Test("an interrupted run says how to go on, and other options are refused in words")
    func words() throws {
        let folder = try ScratchFolder()
        let picture = try Pictures.disc(.black, width: 700, height: 700)
        for index in 0..<300 { try folder.write(picture, to: "in/\(index).png") }
        let batch = ["batch", "in", "-o", "out", "--scale", "1,2,3"]
        let running = try Tool.start(Self.tool, batch, in: folder.path)
        while running.isRunning, folder.tree("out/small").isEmpty { usleep(2_000) }
        running.send(SIGINT)
        let ending = running.wait()
        #expect(ending.status == 130)
        #expect(ending.errors.contains("Type 'emblem batch … -o out --resume' to go on"))
        let other = try Tool.emblem(
            ["batch", "in", "-o", "out", "--scale", "1,2", "--resume"], in: folder.path)
        #expect(other.status == 64)
        #expect(other.errors.contains("--scale was 1,2,3 and is 1,2"), "\(other.errors)")
        try folder.write(picture, to: "in/new.png")
        let grown = try Tool.emblem(batch + ["--resume"], in: folder.path)
        #expect(grown.status == 64 && grown.errors.contains("the list"), "\(grown.errors)")
        let both = try Tool.emblem(batch + ["--resume", "--force"], in: folder.path)
        #expect(both.status == 64)
        folder.remove("in/new.png")
        let resumed = try Tool.emblem(batch + ["--resume"], in: folder.path)
        #expect(resumed.status == 0, "\(resumed.errors)")
        #expect(resumed.errors.contains("done before the stop"), "\(resumed.errors)")
        let record = try folder.json("out/run.json")
        #expect((record["resumed"]?.intValue ?? 0) > 0)
        #expect(record["items"]?.intValue == 300)
        let verified = try Tool.emblem(["verify", "out"], in: folder.path)
        #expect(verified.status == 0)
    }

    @Test("a second run over the same pictures rewrites nothing, and --force everything")
    func again() throws {
        let folder = try Pictures.mixedFolder()
        func stamps() throws -> [String: Date?] {
            var stamps: [String: Date?] = [:]
            for name in folder.tree("out") where name != "run.json" {
                let facts = try FileManager.default.attributesOfItem(
                    atPath: folder.path("out/\(name)"))
                stamps[name] = facts[.modificationDate] as? Date
            }
            return stamps
        }
        _ = try Tool.emblem(["batch", "in", "-o", "out"], in: folder.path)
        let first = try stamps()
        let second = try Tool.emblem(["batch", "in", "-o", "out"], in: folder.path)
        #expect(second.status == 0)
        #expect(second.errors.contains("7 items taken over unchanged"), "\(second.errors)")
        #expect(try stamps() == first)
        let forced = try Tool.emblem(["batch", "in", "-o", "out", "--force"], in: folder.path)
        #expect(forced.status == 0)
        #expect(try stamps().allSatisfy { first[$0.key] != $0.value })
    }
}
