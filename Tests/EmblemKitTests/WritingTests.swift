import EmblemKit
import FoundationEssentials
import Support
import Synchronization
import System
import Testing

@Suite("A batch written to a folder")
struct WritingTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private var path: String { folder.path("out") }

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

    @Test("a written batch has the pictures of its outcomes under the names of its items")
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

    @Test("a written batch continues after a cancellation without loading finished items again")
    func resumes() async throws {
        let image = try TestPictures.image()
        let gate = Gate()
        let slow = TestLoader { url in
            if !url.absoluteString.hasSuffix("/0.png") { try await gate.pass() }
            return image
        }
        let (ends, telling) = AsyncStream.makeStream(of: Int.self)
        let stopped = try batch(6, slow)
        let task = Task {
            for try await step in stopped.writing(to: path) { telling.yield(step.finished) }
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
        "a written batch records the error of its loader in the manifest and shows the placeholder"
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
        let failure = try #require(written.failures.first)
        #expect(written.failures.count == 1 && failure.index == 1 && failure.id == "item-1")
        #expect(failure.error.errorClass == "connect" && "\(failure.error)".contains("no luck"))
        let manifest = String(
            decoding: try folder.read("out/manifest.ndjson"), as: UTF8.self)
        #expect(manifest.contains(#""placeholder":"icon:person""#))
        #expect(manifest.contains(#""class":"connect""#))
        #expect(files().filter { $0.hasSuffix(".webp") }.count == 12)
    }

    @Test("a written batch passes URLs of other schemes to its loader")
    func schemes() async throws {
        let image = try TestPictures.image()
        let loader = TestLoader { url in
            if url.scheme == "gone" { throw EmblemError.missingURL }
            return image
        }
        let urls = ["s3://bucket/a.png", "gone://bucket/b.png", "https://pictures.test/c.png"]
        var batch = EmblemBatch(
            urls.enumerated().map { EmblemItem(url: URL(string: $1), id: "\($0)", label: "L") })
        batch.loader = loader
        let written = try await batch.write(to: folder.path("out"))
        #expect(written.ok == 2 && written.failures.map(\.id) == ["1"])
    }

    @Test("a written batch accepts pictures from memory, files and icons, and items of every look")
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
        "a written batch of avatars shows initials if there is no picture")
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

    @Test("a written batch reads no local file for a URL without a scheme")
    func schemeless() async throws {
        let path = try folder.write(TestPictures.png(20, 20), to: "in.png")
        for text in [path, "in.png", "c:/in.png"] {
            var batch = EmblemBatch([EmblemItem(url: URL(string: text), id: "a")])
            // Another test replaces the loader of the design system.
            batch.loader = NetworkImageLoader()
            let written = try await batch.write(to: folder.path("out"))
            #expect(written.placeholders == 1, "\(text)")
        }
    }

    @Test("a written batch names its failures as its manifest does")
    func names() async throws {
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

    @Test("a finished batch removes the stored images that no item has, and no other file")
    func storedImages() async throws {
        let items = try (0..<3).map {
            EmblemItem(source: .captured(image: try TestPictures.image(20 + $0, 20)), id: "\($0)")
        }
        func stored() -> [String] { folder.names(in: "out/.emblem/captured") }
        try await EmblemBatch(items).write(to: path)
        #expect(stored().count == 3)
        try folder.write("notes", to: "out/.emblem/captured/notes.txt")
        let written = try await EmblemBatch(items.suffix(2)).write(to: path)
        #expect(written.ok == 2)
        #expect(stored().count == 3 && stored().contains("notes.txt"))
        #expect(try await EmblemBatch(items.suffix(2)).write(to: path).reused == 2)
    }

    private func following(
        _ count: Int, _ load: @escaping @Sendable (URL) async throws -> Image
    ) throws -> EmblemBatch<KnownSources<[EmblemItem]>> {
        var batch = EmblemBatch(
            try (0..<count).map { EmblemItem(url: try testURL("/\($0).png"), id: "item-\($0)") })
        batch.layouts = [.small]
        batch.loader = TestLoader(load)
        return batch
    }

    /// Returns a batch of which only the first item can be loaded before the gate is open.
    private func halted(_ gate: Gate) throws -> EmblemBatch<KnownSources<[EmblemItem]>> {
        let image = try TestPictures.image()
        return try following(6) { url in
            if !url.absoluteString.hasSuffix("/0.png") { try await gate.pass() }
            return image
        }
    }

    @Test("the progress of a written batch ends with the last item, and the run has its result")
    func result() async throws {
        let image = try TestPictures.image()
        let run = try following(9) { url in
            if url.absoluteString.hasSuffix("/3.png") { throw OwnError(word: "no luck") }
            return image
        }.writing(to: path, format: .webp)
        var last: BatchProgress?
        for try await step in run {
            #expect(step.total == 9 && step.finished > last?.finished ?? 0)
            last = step
        }
        #expect(last?.finished == 9 && last?.fraction == 1 && last?.placeholders == 1)
        let written = try await run.value
        #expect(written.items == 9 && written.failures.map(\.id) == ["item-3"])
        #expect(folder.exists("out/small/item-8.webp"))
        var iterator = run.makeAsyncIterator()
        #expect(try await iterator.next() == nil)
    }

    @Test("the progress of a batch that cannot be written throws the error of the run")
    func progressFailure() async throws {
        try folder.write("a file", to: "out")
        let run = try following(1) { _ in throw OwnError(word: "unused") }.writing(to: path)
        var iterator = run.makeAsyncIterator()
        let error = await #expect(throws: EmblemError.self) { try await iterator.next() }
        #expect(error?.errorClass == "failed_to_write")
        #expect(try await iterator.next() == nil)
        await #expect(throws: EmblemError.self) { try await run.value }
    }

    @Test("cancelling a loop over the progress ends the run before the loop, and frees the folder")
    func canceled() async throws {
        let gate = Gate()
        let batch = try halted(gate)
        let (steps, telling) = AsyncStream.makeStream(of: Int.self)
        let task = Task { [path] in
            for try await step in batch.writing(to: path) { telling.yield(step.finished) }
        }
        for await _ in steps { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.open()
        let written = try await batch.write(to: path)
        #expect(written.ok == 6 && written.reused == 1)
    }

    @Test("leaving a loop over the progress, or cancelling a wait for the result, cancels the run")
    func left() async throws {
        let run = try halted(Gate()).writing(to: path)
        for try await step in run {
            #expect(step.finished == 1)
            break
        }
        await #expect(throws: CancellationError.self) { try await run.value }
        let gate = Gate()
        let other = try halted(gate).writing(to: folder.path("other"))
        let task = Task { try await other.value }
        await gate.wait(for: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("a written batch whose run is released ends")
    func released() async throws {
        let gate = Gate()
        let (ends, telling) = AsyncStream.makeStream(of: Bool.self)
        let batch = try following(1) { _ in
            do {
                try await gate.pass()
                throw OwnError(word: "opened")
            } catch {
                telling.yield(error is CancellationError)
                throw error
            }
        }
        do {
            let run = batch.writing(to: path)
            await gate.wait(for: 1)
            withExtendedLifetime(run) {}
        }
        for await isCanceled in ends {
            #expect(isCanceled)
            break
        }
    }

    @Test("a batch without layouts, and a folder without a name, are refused")
    func nothing() async throws {
        var batch = try batch(1, TestLoader(try TestPictures.image()))
        let error = await #expect(throws: EmblemError.self) { try await batch.write(to: "") }
        #expect(error.map { "\($0)" }?.contains("is empty") == true)
        batch.layouts = []
        let path = path
        await #expect(throws: EmblemError.self) { try await batch.write(to: path) }
        #expect(files().isEmpty)
    }
}
