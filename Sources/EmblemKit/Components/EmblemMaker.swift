import Render
import Synchronization

/// Makes the emblems of sources that look alike, and draws their placeholder once for all.
final class EmblemMaker: Sendable {
    /// What came of a source.
    struct Made: Sendable {
        /// Empty where not even the placeholder could be drawn.
        let emblems: [RenderedEmblem]
        let error: (any Error)?
    }

    private let loader: any AsyncEmblemImageLoader
    private let renderer: EmblemRenderer
    private let look: EmblemLook
    private let placeholder: ImageSource
    private let standIn = Mutex<[RenderedEmblem]?>(nil)

    init(
        loader: (any AsyncEmblemImageLoader)?, look: EmblemLook, placeholder: ImageSource
    ) {
        let system = DesignSystem.shared
        self.loader = loader ?? system.emblemImageLoader
        renderer = system.renderer
        self.look = look
        self.placeholder = placeholder
    }

    /// The emblems of `source`, or of the placeholder.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, and nothing else.
    func make(_ source: ImageSource) async throws(CancellationError) -> Made {
        do {
            return Made(emblems: try await draw(source), error: nil)
        } catch {
            guard !Task.isCancelled else { throw CancellationError() }
            return try await substitute(error)
        }
    }

    private func substitute(_ cause: any Error) async throws(CancellationError) -> Made {
        var drawn = standIn.withLock { $0 } ?? []
        for source in [placeholder, .icon(.accountBalance)] where drawn.isEmpty {
            do {
                drawn = try await draw(source)
                standIn.withLock { [drawn] in $0 = drawn }
            } catch {
                guard !Task.isCancelled else { throw CancellationError() }
            }
        }
        for index in drawn.indices { drawn[index].error = cause }
        return Made(emblems: drawn, error: cause)
    }

    /// Between any two steps the task may be cancelled.
    private func draw(_ source: ImageSource) async throws -> [RenderedEmblem] {
        let image = try await source.loadUnchecked(with: loader)
        let drawn = try await DecodingMemory.borrow(renderer.cost(of: image, look)) {
            do throws(RenderError) {
                return try renderer.draw(image, look) { _ throws(RenderError) in
                    if Task.isCancelled { throw .stopped }
                }
            } catch {
                throw EmblemError(error)
            }
        }
        try Task.checkCancellation()
        return drawn
    }
}
