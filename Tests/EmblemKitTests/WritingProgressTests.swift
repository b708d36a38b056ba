import EmblemKit
import FoundationEssentials
import Support
import Testing

@Suite("The progress of a batch that is written into a folder")
struct WritingProgressTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func batch(
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
        return try batch(6) { url in
            if !url.absoluteString.hasSuffix("/0.png") { try await gate.pass() }
            return image
        }
    }

    private var path: String { folder.path("out") }

    @Test("the progress of a written batch ends with the last item, and the run has its result")
    func result() async throws {
        let image = try TestPictures.image()
        let run = try batch(9) { url in
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

    @Test("a slow reader of the progress delays no item, skips steps and gets the last one")
    func slow() async throws {
        let image = try TestPictures.image()
        let (gate, loads) = (Gate(), TestLoader(image))
        var batch = try batch(40) { url in
            let image = try await loads.loadImage(from: url)
            if loads.count() == 40 { gate.open() }
            return image
        }
        batch.concurrency = 2
        var steps: [Int] = []
        for try await step in batch.writing(to: path) {
            steps.append(step.finished)
            try await gate.pass()
        }
        #expect(steps.last == 40 && steps == steps.sorted() && steps.count < 40)
    }

    @Test("the result of a written batch needs no loop over the progress")
    func noLoop() async throws {
        let image = try TestPictures.image()
        let written = try await batch(3) { _ in image }.writing(to: path).value
        #expect(written.ok == 3)
        let avatars = AvatarBatch([EmblemItem(url: nil, id: "jane", label: "Jane Doe")])
        var last: BatchProgress?
        for try await step in avatars.writing(to: folder.path("avatars")) { last = step }
        #expect(last?.placeholders == 1)
    }

    @Test("the progress of a batch that cannot be written throws the error of the run")
    func failure() async throws {
        try folder.write("a file", to: "out")
        let run = try batch(1) { _ in throw OwnError(word: "unused") }.writing(to: path)
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
        let batch = try batch(1) { _ in
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
}
