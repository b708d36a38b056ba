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
        // On threads of ours from the first thing that others wait for to the last: a caller who holds
        // his thread meanwhile may hold the very one on which whoever has that thing would go on.
        try await withTaskExecutorPreference(Executors.work) {
            try await carryOutHere(subject, of: source, recipe, with: themed ?? Self.plain)
        }
    }

    private func carryOutHere(
        _ subject: RenderOrder.Subject, of source: [UInt8], _ recipe: Recipe,
        with themed: ThemedRenderer
    ) async throws -> (header: ImageHeader?, rendering: Rendering) {
        let start = MonotonicClock.now
        let answer = try await answer(
            RenderOrder(
                subject, of: source, recipe: recipe, patienceNanoseconds: timeoutNanoseconds,
                processorNanoseconds: processorNanoseconds),
            with: themed)
        WorkLog.current?.add(answer.moments, since: start)
        switch answer.result {
        case .success(let rendering): return (answer.header, rendering)
        case .failure(let error):
            try Task.checkCancellation()
            throw EmblemError(error)
        }
    }

    /// Has an order carried out among all others of the library.
    ///
    /// - Throws: ``EmblemError`` where no picture may be decoded; `CancellationError`.
    func answer(
        _ order: RenderOrder, with themed: ThemedRenderer
    ) async throws -> RenderAnswer {
        let place = try await Workers.shared.place(isolation)
        var order = order
        switch place {
        case .cells(let pool):
            // Whoever asks for memory has a worker to himself: nobody else waits for that meanwhile.
            let seat = try await DecodingMemory.seats.grant(of: 1)
            let memory = DecodingShare()
            order.allowanceBytes = memory.takeNow()
            let answer = await pool.render(order, with: themed) { cost in
                await memory.take(cost.bytes)
            }
            _ = consume seat
            return answer
        case .here: return try await ThisProgram.render(order, themed.renderer)
        }
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
        case .unavailable(let lack): self = .noWorker(lack.text)
        }
    }
}
