import Artwork
import Codecs
import Engine
import Raster
import Render
import Transport

/// The images inside drawings, state views and contact sheets. Like all images, they are decoded in
/// a worker with a deadline, unless `--sandbox none` is given.
extension RunContext {
    /// Checks a file of `--placeholder` before the first item is loaded.
    func checkPlaceholder() async throws {
        guard case .picture(let name, let bytes) = settings.recipe.placeholder else { return }
        _ = try await graphic(
            bytes, in: PixelSize(width: 64, height: 64), named: "--placeholder \(name)")
    }

    /// Returns the image in `bytes`; an SVG is scaled to fit `box`, whose size is in pixels.
    ///
    /// - Throws: Exit code 65 for an invalid image, 1 if decoding failed for another reason.
    func graphic(
        _ bytes: [UInt8], in box: PixelSize, named name: String
    ) async throws -> DecodedGraphic {
        var recipe = Recipe()
        recipe.limits = settings.recipe.limits
        let order = RenderOrder(
            .graphic(in: box), of: bytes, recipe: recipe,
            patienceNanoseconds: UInt64(
                max(0, settings.network.itemTimeout / .nanoseconds(1))),
            processorNanoseconds: UInt64(max(0, settings.renderTimeout / .nanoseconds(1))))
        switch await backend.render(order).result {
        case .success(let rendering):
            guard let graphic = rendering.graphic else {
                throw CommandFailure(1, "\(name): cannot be decoded")
            }
            return graphic
        case .failure(.render(.decode(let cause))): throw CommandFailure(65, "\(name): \(cause)")
        case .failure(.render(.tooLarge)):
            throw CommandFailure(1, "\(name): decoding needs more memory than allowed")
        // No worker could be started, so the error does not name the image.
        case .failure(.unavailable(let lack)): throw OrderError.unavailable(lack)
        case .failure(let error): throw CommandFailure(1, "\(name): \(error)")
        }
    }
}
