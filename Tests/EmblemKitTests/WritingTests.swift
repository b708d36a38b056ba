import EmblemKit
import FoundationEssentials
import Support
import Synchronization
import Testing

@Suite("A batch that is written into a folder")
struct WritingTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func items(_ count: Int) throws -> [EmblemItem] {
        try (0..<count).map { EmblemItem(url: try testURL("/\($0).png"), id: "item-\($0)") }
    }

    private func batch(
        _ count: Int, _ loader: TestLoader
    ) throws -> EmblemBatch<KnownSources<[EmblemItem]>> {
        var batch = EmblemBatch(try items(count))
        batch.layouts = [.small, .large]
        batch.scales = [1, 2]
        batch.loader = loader
        return batch
    }

    private func files(_ name: String = "out") -> [String] {
        folder.tree(name).filter { !$0.hasPrefix(".emblem") && $0 != "run.json" }
    }

    @Test(
        "a batch that is written into a folder gives the pictures that its outcomes have, under the names of the items"
    )
    func same() async throws {
        let loader = TestLoader(try TestPictures.image())
        let batch = try batch(3, loader)
        let written = try await batch.write(to: folder.path("out"))
        #expect(written.items == 3 && written.ok == 3 && written.outputs == 12)
        #expect(written.manifest == folder.path("out/manifest.ndjson"))
        #expect(files().count == 13)
        for await outcome in batch {
            let image = try #require(outcome.emblem(.large, scale: 2))
            let file = try folder.read("out/large/item-\(outcome.index)@2x.png")
            #expect(try Data(file) == image.pngData())
        }
    }

    @Test(
        "a batch that is written into a folder rewrites nothing of what stands, and draws what is new"
    )
    func again() async throws {
        let loader = TestLoader(try TestPictures.image())
        try await batch(3, loader).write(to: folder.path("out"))
        let manifest = try folder.read("out/manifest.ndjson")
        let second = try await batch(3, loader).write(to: folder.path("out"))
        #expect(second.reused == 3 && second.items == 3)
        #expect(try folder.read("out/manifest.ndjson") == manifest)
        let more = try await batch(5, loader).write(to: folder.path("out"))
        #expect(more.reused == 3 && more.ok == 5)
    }

    @Test(
        "a batch that is written into a folder continues after a cancellation, and loads nothing again that is done"
    )
    func resumes() async throws {
        let image = try TestPictures.image()
        let gate = Gate()
        let slow = TestLoader { url in
            if !url.absoluteString.hasSuffix("/0.png") { try await gate.pass() }
            return image
        }
        let path = folder.path("out")
        let (ends, telling) = AsyncStream.makeStream(of: Int.self)
        let stopped = try batch(6, slow)
        let task = Task {
            try await stopped.write(to: path) { progress in
                telling.yield(progress.finished)
            }
        }
        for await finished in ends where finished >= 1 { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!folder.exists("out/manifest.ndjson"))
        let loader = TestLoader(image)
        let written = try await batch(6, loader).write(to: path)
        #expect(written.ok == 6 && written.reused == 1)
        #expect(loader.count() == 5)
    }

    @Test(
        "a batch that is written into a folder tells in its manifest what a loader threw, and shows the placeholder"
    )
    func failures() async throws {
        let image = try TestPictures.image()
        let loader = TestLoader { url in
            if url.absoluteString.hasSuffix("/1.png") { throw OwnError(word: "no luck") }
            return image
        }
        var batch = try batch(3, loader)
        batch.placeholder = .icon(.person)
        let written = try await batch.write(to: folder.path("out"), format: .webp)
        #expect(written.ok == 2 && written.placeholders == 1 && written.failed == 0)
        let manifest = String(
            decoding: try folder.read("out/manifest.ndjson"), as: UTF8.self)
        #expect(manifest.contains(#""placeholder":"icon:person""#))
        #expect(manifest.contains(#""class":"connect""#))
        #expect(files().filter { $0.hasSuffix(".webp") }.count == 12)
    }

    @Test(
        "a batch that is written into a folder takes pictures from memory, files and icons, and items of every look"
    )
    func sources() async throws {
        let image = try TestPictures.image()
        try folder.write(Array(image.pngData()), to: "logo.png")
        let items = [
            EmblemItem(source: .captured(image: image), id: "memory", appearance: .danger),
            EmblemItem(source: .local(name: folder.path("logo.png")), id: "file"),
            EmblemItem(source: .icon(.card), id: "icon", badge: Badge(text: "3")),
            EmblemItem(url: nil, id: "none", label: "Nobody"),
        ]
        let written = try await EmblemBatch(items).write(to: folder.path("out"))
        #expect(written.ok == 3 && written.placeholders == 1)
        var shown: [Int: Image] = [:]
        for await outcome in EmblemBatch(items) { shown[outcome.index] = outcome.emblem(.medium) }
        for (index, name) in ["memory", "file", "icon", "none"].enumerated() {
            let file = try folder.read("out/medium/\(name).png")
            #expect(try Data(file) == shown[index]?.pngData(), "\(name)")
        }
    }

    @Test(
        "a batch of avatars that is written into a folder shows initials where no picture is there")
    func avatars() async throws {
        let items = [
            EmblemItem(url: nil, id: "jane", label: "Jane Doe"), EmblemItem(url: nil, id: "nobody"),
        ]
        let written = try await AvatarBatch(items).write(to: folder.path("out"))
        #expect(written.placeholders == 2 && written.outputs == 8)
        let manifest = String(
            decoding: try folder.read("out/manifest.ndjson"), as: UTF8.self)
        #expect(manifest.contains(#""placeholder":"initials:JD""#))
        #expect(manifest.contains(#""placeholder":"icon:person""#))
    }

    @Test("a batch that is written into a folder says which file blocks it")
    func inTheWay() async throws {
        try folder.write("a file", to: "out")
        let loader = TestLoader(try TestPictures.image())
        let batch = try batch(1, loader)
        let path = folder.path("out")
        let error = await #expect(throws: EmblemError.self) { try await batch.write(to: path) }
        guard case .failedToWrite(let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains(path))
    }

    @Test(
        "a batch that is written into a folder refuses a folder without a name, and a batch of nothing"
    )
    func nothing() async throws {
        var batch = try batch(1, TestLoader(try TestPictures.image()))
        let error = await #expect(throws: EmblemError.self) { try await batch.write(to: "") }
        #expect(error.map { "\($0)" }?.contains("is empty") == true)
        batch.layouts = []
        let path = folder.path("out")
        await #expect(throws: EmblemError.self) { try await batch.write(to: path) }
        #expect(files().isEmpty)
    }
}
