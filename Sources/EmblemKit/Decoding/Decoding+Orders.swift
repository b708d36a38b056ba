import Artwork
import Cell
import Codecs
import Engine
import Raster
import Render
import System
import Theming

extension Decoding {
    /// Draws no emblem; for orders that ask for none.
    private static let plain = ThemedRenderer(
        Renderer(theme: .builtIn, artwork: EmblemArtwork()))

    /// Carries an order out where these settings say.
    ///
    /// - Throws: ``EmblemError``; `CancellationError` when the task is cancelled.
    func carryOut(
        _ subject: RenderOrder.Subject, of source: [UInt8] = [],
        _ recipe: Recipe = Recipe(variants: []), with themed: ThemedRenderer? = nil
    ) async throws -> (header: ImageHeader?, rendering: Rendering) {
        let order = RenderOrder(subject, of: source, recipe: recipe)
        let answer = try await answer(order, with: themed ?? Self.plain)
        switch answer.result {
        case .success(let rendering): return (answer.header, rendering)
        case .failure(let error):
            try Task.checkCancellation()
            throw EmblemError(error)
        }
    }

    /// Has an order carried out among all others of the library, with its patience.
    ///
    /// - Throws: ``EmblemError`` where no picture may be decoded; `CancellationError`.
    func answer(
        _ order: RenderOrder, with themed: ThemedRenderer
    ) async throws -> RenderAnswer {
        let start = StepMoment(step: .admit, nanoseconds: MonotonicClock.now)
        // On threads of ours from the first thing that others wait for to the last: a caller who holds
        // his thread meanwhile may hold the very one on which whoever has that thing would go on.
        var answer = try await withTaskExecutorPreference(Executors.work) {
            try await answerHere(order, with: themed)
        }
        if case .failure(.unavailable(let lack)) = answer.result {
            throw EmblemError.noWorker(lack.words)
        }
        answer.moments.insert(start, at: 0)
        return answer
    }

    private func answerHere(
        _ order: RenderOrder, with themed: ThemedRenderer
    ) async throws -> RenderAnswer {
        var order = order
        let memory = DecodingShare()
        defer { memory.giveBack() }
        switch order.subject {
        case .icon: return await draw(order, themed.renderer)
        case .raster(let pixels):
            guard await memory.take(pixels.buffer.size.byteCount) else { throw CancellationError() }
            return await draw(order, themed.renderer)
        case .picture, .initials, .graphic, .check, .pixels: break
        }
        order.patienceNanoseconds = timeoutNanoseconds
        order.processorNanoseconds = processorNanoseconds
        switch try await Workers.shared.place(isolation) {
        case .cells(let pool):
            // Whoever asks for memory has a worker to himself: nobody else waits for that meanwhile.
            let seat = try await DecodingMemory.seats.grant(of: 1)
            order.allowanceBytes = memory.takeNow()
            let answer = await pool.render(order, with: themed) { cost in
                await memory.take(cost.bytes)
            }
            _ = consume seat
            return answer
        case .here: return try await ThisProgram.render(order, themed.renderer)
        }
    }

    /// Draws what comes from no stranger: it needs no worker, and nothing bounds it.
    private func draw(_ order: RenderOrder, _ renderer: Renderer) async -> RenderAnswer {
        var order = order
        (order.patienceNanoseconds, order.processorNanoseconds) = (.max, .max)
        return await InProcess(renderer, memoryBytes: 0).render(order) { _ in true }
    }

    /// Decodes the whole picture once, and says what its header says.
    func check(_ bytes: [UInt8]) async throws -> ImageHeader {
        guard let header = try await carryOut(.check, of: bytes).header else {
            throw EmblemError.nothing
        }
        return header
    }

    /// Every pixel, oriented, in sRGB and premultiplied.
    func pixels(_ bytes: [UInt8]) async throws -> DecodedGraphic {
        guard let graphic = try await carryOut(.pixels, of: bytes).rendering.graphic else {
            throw EmblemError.nothing
        }
        return graphic
    }

    /// The picture as it lies in a drawing that shows it in `box`, and what format it had.
    func graphic(
        _ bytes: [UInt8], in box: PixelSize
    ) async throws -> (graphic: StateGraphic, format: ImageFormat) {
        let answer = try await carryOut(.graphic(in: box), of: bytes)
        guard let graphic = answer.rendering.graphic, let header = answer.header else {
            throw EmblemError.nothing
        }
        return (StateGraphic(graphic, of: bytes), header.format)
    }
}

extension EmblemError {
    fileprivate static let nothing = EmblemError.failedToDecode("Nothing was decoded.")

    init(_ error: OrderError) {
        switch error {
        case .render(.stopped), .refused:
            self = .failedToDecode("The work was stopped.")
        case .render(let error): self.init(error)
        case .crashed, .outOfMemory: self = .failedToDecode("\(error)")
        case .timeout:
            self = .failedToDecode(
                "Decoding was not done in time; Decoding.timeout says how long it may take.")
        case .drawnTooLong:
            self = .failedToDecode(
                "Decoding took more of the processors' time than Decoding.processorTime allows.")
        case .unavailable(let lack): self = .failedToDecode(lack.text)
        }
    }
}
