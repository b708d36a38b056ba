import Artwork
import Codecs
import Engine
import Raster
import Render
import System
import Theming
import Worker

extension Decoding {
    /// A renderer for orders that draw no emblem.
    private static let plain = ThemedRenderer(
        Renderer(theme: .builtIn, artwork: EmblemArtwork()))

    /// Carries out an order and returns its result. Throws ``EmblemError``, or `CancellationError`
    /// if the task is cancelled.
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

    /// Carries out an order with the library's workers, memory limit and timeouts. Throws
    /// ``EmblemError`` if neither a worker nor this program can decode, or `CancellationError`.
    func answer(
        _ order: RenderOrder, with themed: ThemedRenderer
    ) async throws -> RenderAnswer {
        // Acquire and release all shared resources on the library's threads. Callers may block the
        // threads of the program, and a task there could then not release a resource.
        let answer = try await withTaskExecutorPreference(Executors.work) {
            try await answerOnLibraryThread(order, with: themed)
        }
        if case .failure(.unavailable(let lack)) = answer.result {
            throw EmblemError.noWorker(lack.words)
        }
        return answer
    }

    private func answerOnLibraryThread(
        _ order: RenderOrder, with themed: ThemedRenderer
    ) async throws -> RenderAnswer {
        var order = order
        switch order.subject {
        case .icon, .raster: return await draw(order, themed.renderer)
        case .picture, .initials, .graphic, .check, .pixels: break
        }
        limit(&order)
        switch try await Workers.shared.place(isolation) {
        case .workers(let pool): return await pool.render(order, with: themed)
        case .here: return await ThisProgram.render(order, themed.renderer)
        }
    }

    /// Draws trusted content. It needs no worker and has no limits.
    private func draw(_ order: RenderOrder, _ renderer: Renderer) async -> RenderAnswer {
        var order = order
        (order.patienceNanoseconds, order.processorNanoseconds) = (.max, .max)
        return await InProcess(renderer, .trusted).render(order)
    }

    /// Decodes every part of an image once, and returns its header.
    func check(_ bytes: [UInt8]) async throws -> ImageHeader {
        guard let header = try await carryOut(.check, of: bytes).header else {
            throw EmblemError.nothing
        }
        return header
    }

    /// Decodes all pixels. They are oriented, in sRGB and premultiplied.
    func pixels(_ bytes: [UInt8]) async throws -> DecodedGraphic {
        guard let graphic = try await carryOut(.pixels, of: bytes).rendering.graphic else {
            throw EmblemError.nothing
        }
        return graphic
    }

    /// Decodes the image for a drawing that shows it in a box of that size in pixels. Returns the
    /// decoded graphic and the format of the image.
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

extension Permits {
    /// The memory that each renderer has for small images, in bytes.
    private static let smallImageBytes = 24 << 20
    /// The memory for large images, in bytes, which all renderers share.
    private static let largeImagesBytes = 184 << 20

    /// The permits of all workers of the library. An image that needs more than the memory for
    /// large images gets all of that memory, so that no other large image is decoded meanwhile.
    static let library = fair()

    /// The permits of images that are decoded in this program. They are separate from those of the
    /// workers, because an image whose decoding never ends keeps its memory forever.
    static let here = fair()

    /// The permits of trusted content, which is drawn in the program and never waits for images.
    fileprivate static let trusted = Permits(renderers: Workers.count, bytes: Workers.memoryBytes)

    private static func fair() -> Permits {
        Permits(
            renderers: Workers.count, bytes: largeImagesBytes + Workers.count * smallImageBytes,
            admitsLarger: true, smallBytes: smallImageBytes, isFair: true)
    }
}

extension EmblemError {
    fileprivate static let nothing = EmblemError.failedToDecode("Nothing was decoded.")

    init(_ error: OrderError) {
        switch error {
        case .render(.stopped), .preempted:
            self = .failedToDecode("The work was stopped.", .canceled)
        case .tooLarge(let bytes, _):
            self = .failedToDecode(
                "Decoding needs \(bytes >> 20 + 1) MB, which is more than Decoding.memoryLimit.",
                .limitDecode)
        case .render(let error): self.init(error)
        case .crashed: self = .failedToDecode("\(error)", .crashed)
        case .outOfMemory, .needsMemory:
            self = .failedToDecode("\(error)", .limitDecode)
        case .timeout:
            self = .failedToDecode("Decoding took longer than Decoding.timeout.", .timeout)
        case .drawnTooLong:
            // A retry of the same bytes would take as long.
            self = .failedToDecode(
                "Decoding took more than 5 seconds of CPU time.", .timeout,
                isRetryable: false)
        case .busy(let reason): self = .busy(reason)
        case .unavailable(let lack): self = .unavailable(lack.text)
        }
    }
}
