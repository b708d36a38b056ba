import Artwork
import Pipeline
import Render
import Synchronization

/// What an emblem or avatar can show.
enum ComponentContent: Hashable, Sendable {
    case source(ImageSource)
    case initials(Initials)
}

/// Makes what is to look alike, and draws what stands in for missing pictures once for all.
final class EmblemMaker: Sendable {
    /// What came of one content.
    struct Made: Sendable {
        /// Empty where nothing at all could be drawn.
        let pictures: [DrawnPicture]
        /// What they show; nil where it is what was asked for.
        let standIn: ComponentContent?
        let error: (any Error)?
    }

    private let loader: any AsyncEmblemImageLoader
    private let renderer: EmblemRenderer
    private let look: EmblemLook
    private let fallbacks: [ComponentContent]
    /// The bytes of pictures that are loaded and not drawn yet.
    private let bodies: Budget
    /// Pictures that are drawn at once.
    private let renderers: Budget
    private let decoding: Decoding?
    private let drawnBefore = Mutex<(ComponentContent, [DrawnPicture])?>(nil)

    /// - Parameters:
    ///   - fallbacks: what is drawn in the place of what cannot be; the first that can be drawn.
    ///   - theme: what all are drawn in; `nil` takes the one in force now.
    ///   - bodiesLimit: beyond so many bytes that wait to be drawn no load is begun.
    ///   - renderers: so many pictures are drawn at once.
    ///   - decoding: where; `nil` takes what the renderer says.
    init(
        loader: (any AsyncEmblemImageLoader)?, look: EmblemLook, fallbacks: [ComponentContent],
        theme: Theme?, bodiesLimit: Int = .max, renderers: Int = 1, decoding: Decoding? = nil
    ) {
        self.loader = loader ?? DesignSystem.shared.emblemImageLoader
        renderer = EmblemRenderer.inForce(theme)
        self.look = look
        self.fallbacks = fallbacks
        bodies = Budget(total: max(1, bodiesLimit))
        self.renderers = Budget(total: max(1, renderers))
        self.decoding = decoding
    }

    /// The pictures of `content`, or of the first fallback that can be drawn.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, and nothing else.
    func make(_ content: ComponentContent) async throws(CancellationError) -> Made {
        // Before anything is loaded.
        guard look.fault == nil else { return Made(pictures: [], standIn: nil, error: look.fault) }
        do {
            return Made(pictures: try await draw(content), standIn: nil, error: nil)
        } catch {
            guard !Task.isCancelled else { throw CancellationError() }
            return try await substitute(error)
        }
    }

    /// What stands in for a picture that `cause` kept from being loaded.
    func substitute(_ cause: any Error) async throws(CancellationError) -> Made {
        guard look.fault == nil else { return Made(pictures: [], standIn: nil, error: look.fault) }
        if let (content, pictures) = drawnBefore.withLock({ $0 }) {
            return Made(pictures: pictures, standIn: content, error: cause)
        }
        for content in fallbacks {
            do {
                let pictures = try await draw(content)
                drawnBefore.withLock { $0 = (content, pictures) }
                return Made(pictures: pictures, standIn: content, error: cause)
            } catch {
                guard !Task.isCancelled else { throw CancellationError() }
            }
        }
        return Made(pictures: [], standIn: nil, error: cause)
    }

    private func draw(_ content: ComponentContent) async throws -> [DrawnPicture] {
        switch content {
        case .source(let source): return try await draw(source)
        case .initials(let initials):
            do {
                return try await renderer.draw(initials, look, decoding)
            } catch EmblemError.failedToEncode(let reason) {
                throw EmblemError.failedToDraw("The initials cannot be drawn: \(reason)")
            }
        }
    }

    private func draw(_ source: ImageSource) async throws -> [DrawnPicture] {
        // Whoever waits for room with a picture in its hands goes first.
        _ = try await bodies.grant(of: 1)
        let held = try await source.loadUnchecked(with: loader)
        let image = held.image
        let grant = try await bodies.grant(of: image.byteCount)
        // From here on the picture counts for us, and no longer for the network.
        withExtendedLifetime(held.body) {}
        let turn = try await renderers.grant(of: 1)
        let drawn = try await renderer.draw(image, look, decoding)
        _ = consume turn
        try Task.checkCancellation()
        return withExtendedLifetime(grant) { drawn }
    }
}
