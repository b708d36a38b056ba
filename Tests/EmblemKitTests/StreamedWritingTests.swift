import EmblemKit
import FoundationEssentials
import Glibc
import Support
import Synchronization
import System
import Testing

@Suite("A batch that is written while its items arrive")
struct StreamedWritingTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private var path: String { folder.path("out") }

    private func stored() -> [String] { folder.names(in: "out/.emblem/captured") }

    @Test(
        "a written batch draws items before its sources end, and reports their progress",
        .timeLimit(.minutes(5)))
    func early() async throws {
        let image = try TestPictures.image()
        let (items, source) = AsyncStream.makeStream(of: EmblemItem.self)
        var batch = EmblemBatch(items)
        batch.layouts = [.small]
        batch.loader = TestLoader(image)
        let run = batch.writing(to: path)
        source.yield(EmblemItem(url: try testURL("/0.png"), id: "first"))
        for try await step in run {
            #expect(step.total == nil)
            let id = "item-\(step.finished)"
            #expect(folder.exists("out/small/first.png"))
            if step.finished < 4 {
                source.yield(EmblemItem(url: try testURL("/\(id).png"), id: id))
            } else {
                source.finish()
            }
        }
        let written = try await run.value
        #expect(written.items == 4 && written.ok == 4)
    }

    @Test("a written batch reads at most 1,024 items ahead of its drawing")
    func bounded() async throws {
        let read = Atomic(0)
        let loaded = Atomic(0)
        let ahead = Atomic(0)
        let items = AsyncStream { () -> EmblemItem? in
            let index = read.add(1, ordering: .relaxed).oldValue
            return index < 2_400
                ? EmblemItem(url: URL(string: "https://a.test/\(index).png"), id: "\(index)") : nil
        }
        var batch = EmblemBatch(items)
        batch.layouts = [.small]
        batch.concurrency = 8
        batch.loader = TestLoader { _ in
            let begun = loaded.add(1, ordering: .relaxed).newValue
            ahead.max(read.load(ordering: .relaxed) - begun, ordering: .relaxed)
            throw OwnError(word: "no picture")
        }
        let written = try await batch.write(to: path)
        #expect(written.placeholders == 2_400)
        let most = ahead.load(ordering: .relaxed)
        #expect(most <= 1_100, "\(most) items")
    }

    @Test("a written batch names its failures as its manifest does")
    func failures() async throws {
        let urls = try ["/a/logo.png", "/b/logo.png", "/c/other.png"].map(testURL)
        var batch = EmblemBatch(urls: urls)
        batch.layouts = [.small]
        batch.loader = TestLoader { _ in throw OwnError(word: "no picture") }
        let written = try await batch.write(to: path)
        let manifest = String(decoding: try folder.read("out/manifest.ndjson"), as: UTF8.self)
        #expect(written.failures.count == 3 && Set(written.failures.map(\.id)).count == 3)
        for failure in written.failures {
            #expect(manifest.contains(#""id":"\#(failure.id)""#))
            #expect(folder.exists("out/small/\(failure.id).png"))
        }
        #expect(folder.names(in: "out/small").count == 3)
    }

    @Test("a written batch throws the error of its sources, and a later one completes the set")
    func brokenSources() async throws {
        let image = try TestPictures.image()
        let items = try (0..<4).map {
            EmblemItem(url: try testURL("/\($0).png"), id: "item-\($0)")
        }
        let broken = AsyncThrowingStream<EmblemItem, any Error> { stream in
            for item in items.prefix(2) { stream.yield(item) }
            stream.finish(throwing: OwnError(word: "no more rows"))
        }
        var first = EmblemBatch(broken)
        first.loader = TestLoader(image)
        let (path, batch) = (path, first)
        await #expect(throws: OwnError.self) { try await batch.write(to: path) }
        #expect(!folder.exists("out/manifest.ndjson"))
        var second = EmblemBatch(items)
        second.loader = TestLoader(image)
        #expect(try await second.write(to: path).ok == 4)
    }

    @Test("a finished batch removes the stored images that no item has, and a cancelled one none")
    func storedImages() async throws {
        let images = try (0..<3).map { try TestPictures.image(20 + $0, 20) }
        let items = images.enumerated().map {
            EmblemItem(source: .captured(image: $1), id: "image-\($0)")
        }
        try await EmblemBatch(items).write(to: path)
        #expect(stored().count == 3)
        try folder.write("notes", to: "out/.emblem/captured/notes.txt")
        let (arriving, source) = AsyncStream.makeStream(of: EmblemItem.self)
        let run = EmblemBatch(arriving).writing(to: path)
        source.yield(items[0])
        for try await _ in run { break }
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(stored().count == 4)
        let written = try await EmblemBatch(items.suffix(2)).write(to: path)
        #expect(written.ok == 2)
        #expect(stored().count == 3 && stored().contains("notes.txt"))
        #expect(try await EmblemBatch(items.suffix(2)).write(to: path).reused == 2)
    }

    @Test("a batch that is killed while it gives files their final names is completed by the next")
    func killed() async throws {
        let count = 60
        // The items with equal names are known only after the first one was drawn.
        for (name, height) in [("a", 20), ("b", 24)] {
            for number in 0..<count {
                try folder.write(
                    TestPictures.png(20 + number, height), to: "in/\(name)/\(number).png")
            }
        }
        let interrupted = try await apart { [folder] in
            func write(to out: String) throws -> Tool.Running {
                try Tool.start(
                    Tool.path(of: "KitProbe"), ["write", folder.path("in"), folder.path(out)])
            }
            func files(_ out: String) throws -> [String: [UInt8]] {
                let names = folder.tree(out).filter { $0 != "run.json" }
                return try Dictionary(
                    uniqueKeysWithValues: names.map { ($0, try folder.read("\(out)/\($0)")) })
            }
            #expect(try write(to: "whole").wait().status == 0)
            let whole = try files("whole")
            #expect(whole.count > 2 * count)
            var generator = SeededRandom(seed: TestSeed.value)
            var interrupted = 0
            for turn in 0..<10 {
                let out = "out-\(turn)"
                let run = try write(to: out)
                while run.isRunning, folder.names(in: "\(out)/small").count < 2 * count {
                    usleep(500)
                }
                usleep(.random(in: 0..<60_000, using: &generator))
                run.send(SIGKILL)
                if run.wait().status == SIGKILL, !folder.exists("\(out)/manifest.ndjson") {
                    interrupted += 1
                }
                #expect(try write(to: out).wait().status == 0)
                #expect(try files(out) == whole, "\(TestSeed.words)")
            }
            return interrupted
        }
        #expect(interrupted > 0)
    }

    @Test("a written batch finds a file whose name ends with a blank or has a line break")
    func blanks() async throws {
        let names = ["logo.png", "logo.png ", " logo.png", "logo\n.png"]
        for (index, name) in names.enumerated() {
            try folder.write(TestPictures.png(20 + index * 9, 20), to: name)
        }
        let items = names.map {
            EmblemItem(source: .local(name: folder.path($0)), id: "one name for all")
        }
        let written = try await EmblemBatch(items).write(to: path)
        #expect(written.ok == 4)
        let manifest = String(decoding: try folder.read("out/manifest.ndjson"), as: UTF8.self)
        for index in names.indices {
            #expect(manifest.contains(#""width":\#(20 + index * 9),"#))
        }
    }
}
