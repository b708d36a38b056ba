import Raster
import Support
import Testing

@Suite("A target folder of two sets", .ownThreads)
struct HeldTargetTests {
    private let folder: ScratchFolder

    /// Creates two folders of sources, each with a different image `acme`.
    init() throws {
        folder = try ScratchFolder()
        for (place, red) in [("banks/acme", 40), ("banks/north", 60), ("shops/acme", 80)] {
            let color = Color(red: UInt8(red), green: 90, blue: 200)
            try folder.write(Pictures.disc(color, width: 60, height: 60), to: "\(place).png")
        }
    }

    @discardableResult
    private func batch(
        _ input: String, _ out: String, _ arguments: [String], status: Int32 = 0,
        target: String = "android=res"
    ) throws -> Tool.Ending {
        let ending = try Tool.emblem(
            ["batch", input, "-o", out, "--target", target, "--layout", "small"] + arguments,
            in: folder.path)
        #expect(ending.status == status, "\(ending.errors)")
        return ending
    }

    private func isWhole(_ out: String) throws -> Bool {
        try Tool.emblem(["verify", out], in: folder.path).status == 0
    }

    private func resources() -> [String] { folder.tree("res").filter { !$0.hasPrefix(".emblem") } }

    @Test(
        "a second set is refused from the first conflict on",
        arguments: ["android=res", "xcassets=res", "web=res", "files=res"])
    func refused(target: String) throws {
        try batch("banks", "a", [], target: target)
        let files = resources()
        for _ in 0..<2 {
            let ending = try batch("shops", "b", ["--prune"], status: 73, target: target)
            #expect(ending.errors.contains("\(folder.path)/a"), "\(ending.errors)")
            #expect(!folder.exists("b/manifest.ndjson"))
        }
        #expect(resources() == files)
        #expect(try isWhole("a"))
    }

    @Test("a removed set releases its target folder, and the next run reports it")
    func released() throws {
        try batch("banks", "a", [])
        folder.remove("a")
        let ending = try batch("shops", "b", [])
        #expect(ending.errors.contains("no longer uses"), "\(ending.errors)")
        // A run with another folder releases the target, too.
        try batch("shops", "b", [], target: "android=other")
        try batch("banks", "c", [])
    }

    @Test("a planted claim in a folder does not redirect a run")
    func planted() throws {
        try batch("banks", "a", [])
        folder.remove("a")
        let word = try folder.text("res/.emblem/target.json")
        try folder.write("mine", to: "victim/small/acme.png")
        try folder.write(
            word.replacing("\(folder.path)/a", with: "\(folder.path)/victim"),
            to: "res/.emblem/target.json")
        try batch("shops", "b", ["--prune"])
        #expect(folder.tree("victim") == ["small/acme.png"])
        #expect(try folder.text("victim/small/acme.png") == "mine")
    }
}
