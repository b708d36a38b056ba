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

    @Test("the label, hint and value of an item reach its manifest")
    func accessibility() async throws {
        let item = EmblemItem(
            url: try testURL("/0.png"), id: "a", label: "Acme", hint: "Opens the account",
            value: "€ 12")
        #expect(EmblemItem(url: nil, hint: "h", value: "v") != EmblemItem(url: nil))
        var batch = EmblemBatch([item])
        batch.loader = TestLoader(try TestPictures.image())
        let written = try await batch.write(to: folder.path("out"))
        let manifest = String(decoding: TestFile.read(written.manifest), as: UTF8.self)
        #expect(
            manifest.contains(
                #""accessibility":{"label":"Acme","hint":"Opens the account","value":"€ 12"}"#))
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

    @Test("a written batch rewrites no existing output, and draws what is new")
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

    @Test("a written batch continues after a cancellation without loading finished items again")
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

    @Test(
        "a manifest has a documented class for every error of a loader, and keeps whether a retry helps",
        arguments: [
            (EmblemError.busy("full"), "busy", true),
            (.unavailable("no worker"), "unavailable", true),
            (.failedToDecode(.init(errorClass: "truncated", reason: "short")), "truncated", false),
            (.failedToLoad(.init(errorClass: "no_bucket", reason: "gone")), "connect", false),
            (.header("X-Token"), "connect", false),
        ])
    func classes(thrown: EmblemError, name: String, isRetryable: Bool) async throws {
        let batch = try batch(1, TestLoader { _ in throw thrown })
        let written = try await batch.write(to: folder.path("out"))
        #expect(written.failures.map(\.error) == [thrown])
        let manifest = String(
            decoding: try folder.read("out/manifest.ndjson"), as: UTF8.self)
        #expect(manifest.contains(#""class":"\#(name)""#))
        #expect(manifest.contains(#""retryable":\#(isRetryable)"#))
    }

    @Test("the manifest of a written batch records the time limits of its decoding")
    func timeLimits() async throws {
        var batch = try batch(1, TestLoader(try TestPictures.image()))
        var decoding = Decoding.current
        (decoding.timeout, decoding.processorTime) = (.seconds(7), .seconds(3))
        batch.decoding = decoding
        let written = try await batch.write(to: folder.path("out"))
        let manifest = String(decoding: try folder.read("out/manifest.ndjson"), as: UTF8.self)
        #expect(written.ok == 1)
        #expect(manifest.contains(#""item_timeout":7,"#))
        #expect(manifest.contains(#""render_timeout":3}"#))
    }

    @Test("a written batch passes URLs of other schemes to its loader, and reports every item")
    func schemes() async throws {
        let image = try TestPictures.image()
        let loader = TestLoader { url in
            if url.scheme == "gone" { throw EmblemError.missingURL }
            return image
        }
        let observer = KeepingObserver()
        let urls = ["s3://bucket/a.png", "gone://bucket/b.png", "https://pictures.test/c.png"]
        var batch = EmblemBatch(
            urls.enumerated().map { EmblemItem(url: URL(string: $1), id: "\($0)", label: "L") })
        batch.loader = loader
        batch.observer = observer
        let written = try await batch.write(to: folder.path("out"))
        #expect(written.ok == 2 && written.failures.map(\.id) == ["1"])
        let reports = observer.reports.sorted { ($0.index ?? 0) < ($1.index ?? 0) }
        #expect(reports.map(\.item.id) == ["0", "1", "2"])
        #expect(reports.map(\.item.source) == urls.map { .remote(url: URL(string: $0)) })
        #expect(reports.map(\.status) == [.ok, .placeholder, .ok])
        #expect(reports.map(\.errorClass) == [nil, "missing_url", nil])
        #expect(reports.allSatisfy { $0.bytesOut > 0 && $0.item.label == "L" })
        #expect(reports[0].bytesIn > 0)
    }

    @Test("a slow progress closure delays no item and receives the last progress")
    func slowProgress() async throws {
        let image = try TestPictures.image()
        let last = Semaphore()
        let loads = Atomic(0)
        let isLate = Atomic(false)
        let loader = TestLoader { _ in
            // More items than a run has in progress at once.
            if loads.add(1, ordering: .acquiringAndReleasing).newValue == 40 { last.signal() }
            return image
        }
        var batch = try batch(40, loader)
        batch.concurrency = 2
        batch.layouts = [.small]
        batch.scales = [1]
        let seen = Mutex<[Int]>([])
        try await batch.write(to: folder.path("out")) { progress in
            let isFirst = seen.withLock { seen in
                seen.append(progress.finished)
                return seen.count == 1
            }
            if isFirst, !last.wait(milliseconds: 100_000) {
                isLate.store(true, ordering: .releasing)
            }
        }
        let wasLate = isLate.load(ordering: .acquiring)
        #expect(!wasLate)
        let steps = seen.withLock { $0 }
        #expect(steps.last == 40 && steps == steps.sorted())
    }

    @Test("the manifest path of a relative folder is absolute")
    func absolutePath() async throws {
        // A relative path to the folder. The working folder cannot be changed, because all tests
        // share it.
        let start = FileManager.default.currentDirectoryPath
        let up = String(repeating: "../", count: start.split(separator: "/").count)
        let relative = up + folder.path("out").dropFirst()
        let written = try await batch(1, TestLoader(try TestPictures.image())).write(to: relative)
        #expect(written.manifest.hasPrefix("/") && written.manifest.hasSuffix("/manifest.ndjson"))
        #expect(FileManager.default.fileExists(atPath: written.manifest))
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
            let batch = EmblemBatch([EmblemItem(url: URL(string: text), id: "a")])
            let written = try await batch.write(to: folder.path("out"))
            #expect(written.placeholders == 1, "\(text)")
        }
    }

    @Test("a written batch names the file that blocks its folder")
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

    @Test("a written batch refuses a folder without a name, and a batch without layouts")
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
