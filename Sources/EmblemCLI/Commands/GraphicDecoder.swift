import Artwork
import Codecs
import Console
import Engine
import Flags
import Raster
import Render
import Transport
import Worker

/// A decoder of the images inside drawings, state views and contact sheets. Like all images, these
/// images are decoded in a worker with a deadline, unless `--sandbox none` is given.
struct GraphicDecoder {
    struct Graphic {
        let content: StateGraphic
        let format: ImageFormat
    }

    private let run: RunContext

    /// - Parameter settings: the limits and timeouts; the look is ignored.
    init(_ settings: RunSettings, _ context: CommandContext) {
        run = context.singleRun(settings)
    }

    /// Uses the worker of a run that the command also needs for its own image.
    init(_ run: RunContext) { self.run = run }

    func close() { run.backend.close() }

    /// Checks a file of `--placeholder` before the first item is loaded.
    func check(_ placeholder: PlaceholderChoice) async throws {
        guard case .picture(let name, let bytes) = placeholder else { return }
        _ = try await graphic(
            bytes, in: PixelSize(width: 64, height: 64), named: "--placeholder \(name)")
    }

    /// Returns the image in `bytes`; an SVG is scaled to fit `box`, whose size is in pixels.
    ///
    /// - Throws: Exit code 65 for an invalid image, 1 if decoding failed for another reason.
    func graphic(_ bytes: [UInt8], in box: PixelSize, named name: String) async throws -> Graphic {
        let (graphic, format) = try await decoded(bytes, in: box, named: name)
        return Graphic(content: StateGraphic(graphic, of: bytes), format: format)
    }

    func pixels(
        _ bytes: [UInt8], in box: PixelSize, named name: String
    ) async throws -> PixelBuffer {
        try await decoded(bytes, in: box, named: name).graphic.buffer()
    }

    private func decoded(
        _ bytes: [UInt8], in box: PixelSize, named name: String
    ) async throws -> (graphic: DecodedGraphic, format: ImageFormat) {
        let settings = run.settings
        var recipe = Recipe(variants: [])
        recipe.limits = settings.recipe.limits
        let order = RenderOrder(
            .graphic(in: box), of: bytes, recipe: recipe,
            patienceNanoseconds: UInt64(
                max(0, settings.network.itemTimeout / .nanoseconds(1))),
            processorNanoseconds: UInt64(max(0, settings.renderTimeout / .nanoseconds(1))))
        let answer = await run.backend.render(order)
        switch answer.result {
        case .success(let rendering):
            guard let header = answer.header, let graphic = rendering.graphic else {
                throw CommandFailure(1, "\(name): cannot be decoded")
            }
            return (graphic, header.format)
        case .failure(.render(.decode(let cause))): throw CommandFailure(65, "\(name): \(cause)")
        case .failure(.tooLarge):
            throw CommandFailure(1, "\(name): decoding needs more memory than allowed")
        // No worker could be started, so the error does not name the image.
        case .failure(.unavailable(let lack)): throw OrderError.unavailable(lack)
        case .failure(let error): throw CommandFailure(1, "\(name): \(error)")
        }
    }
}

extension CommandContext {
    /// Returns default settings with the time limits of the command line.
    func graphicSettings() -> RunSettings {
        let network = NetworkArguments(self)
        var settings = RunSettings()
        if arguments.has(Options.itemTimeout) {
            settings.network.itemTimeout = network.itemTimeout
        }
        return settings
    }
}
