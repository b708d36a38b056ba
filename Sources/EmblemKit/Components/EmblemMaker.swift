import Artwork
import Engine
import Render
import System

/// What an emblem or avatar can show.
enum ComponentContent: Hashable, Sendable {
    case source(ImageSource)
    case initials(Initials)
}

/// What an item has of its own beside its source.
struct OwnLook: Hashable, Sendable {
    var appearance: Emblem.Appearance?
    var badge: BadgeMark?
    /// Are tried before the fallbacks of all.
    var initials: Initials?
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
        /// What it took, where somebody wants to know.
        var notes: WorkLog.Notes?

        var status: EmblemOutcome.Status {
            error == nil ? .ok : pictures.isEmpty ? .failed : .placeholder
        }
    }

    /// What stands in for missing pictures of one look.
    private struct StandIn: Sendable {
        let content: ComponentContent
        let pictures: [DrawnPicture]
    }

    /// Looks whose stand-ins are kept.
    private static let standInsLimit = 64

    private let loader: any AsyncEmblemImageLoader
    private let renderer: EmblemRenderer
    private let look: EmblemLook
    private let fallbacks: [ComponentContent]
    /// The bytes of pictures that are loaded and not drawn yet.
    private let bodies: Budget
    /// Pictures that are drawn at once.
    private let renderers: Budget
    private let decoding: Decoding?
    private let observer: (any EmblemObserver)?
    /// Equal URLs are loaded once, however different what is made of them looks.
    private let loads = SharedLoads<HeldImage>()
    private let drawnBefore = BoundedCache<OwnLook, StandIn>(countLimit: standInsLimit)

    /// - Parameters:
    ///   - fallbacks: what is drawn in the place of what cannot be; the first that can be drawn.
    ///   - theme: what all are drawn in; `nil` takes the one in force now.
    ///   - bodiesLimit: beyond so many bytes that wait to be drawn no load is begun.
    ///   - renderers: so many pictures are drawn at once.
    ///   - decoding: where; `nil` takes what the renderer says.
    init(
        loader: (any AsyncEmblemImageLoader)?, look: EmblemLook, fallbacks: [ComponentContent],
        theme: Theme?, bodiesLimit: Int = .max, renderers: Int = 1, decoding: Decoding? = nil,
        observer: (any EmblemObserver)? = nil
    ) {
        self.loader = loader ?? DesignSystem.shared.emblemImageLoader
        renderer = EmblemRenderer.inForce(theme)
        self.look = look
        self.fallbacks = fallbacks
        bodies = Budget(total: max(1, bodiesLimit))
        self.renderers = Budget(total: max(1, renderers))
        self.decoding = decoding
        self.observer = observer ?? DesignSystem.shared.observer
    }

    /// The pictures of `content`, or of the first fallback that can be drawn.
    ///
    /// - Parameter own: what the content has of its own.
    /// - Throws: `CancellationError` when the task is cancelled, and nothing else.
    func make(
        _ content: ComponentContent, _ own: OwnLook = OwnLook()
    ) async throws(CancellationError) -> Made {
        guard observer != nil else { return try await makeUnobserved(content, own) }
        let log = WorkLog()
        let result: Result<Made, CancellationError> = await WorkLog.$current.withValue(log) {
            do throws(CancellationError) {
                return .success(try await makeUnobserved(content, own))
            } catch {
                return .failure(error)
            }
        }
        var made = try result.get()
        made.notes = log.end()
        return made
    }

    /// Tells the observer, where there is one.
    func tell(of result: BatchResult, isShared: Bool = false) {
        observer?.finished(EmblemReport(result, isShared: isShared))
    }

    private func makeUnobserved(
        _ content: ComponentContent, _ own: OwnLook
    ) async throws(CancellationError) -> Made {
        // Before anything is loaded.
        guard look.fault == nil else { return Made(pictures: [], standIn: nil, error: look.fault) }
        do {
            return Made(pictures: try await draw(content, own), standIn: nil, error: nil)
        } catch {
            guard !Task.isCancelled else { throw CancellationError() }
            return try await substitute(error, own)
        }
    }

    /// What stands in for a picture that `cause` kept from being loaded.
    func substitute(
        _ cause: any Error, _ own: OwnLook = OwnLook()
    ) async throws(CancellationError) -> Made {
        guard look.fault == nil else { return Made(pictures: [], standIn: nil, error: look.fault) }
        if let known = drawnBefore.value(for: own) {
            return Made(pictures: known.pictures, standIn: known.content, error: cause)
        }
        for content in own.initials.map({ [.initials($0)] + fallbacks }) ?? fallbacks {
            do {
                let pictures = try await draw(content, own)
                drawnBefore.keep(StandIn(content: content, pictures: pictures), for: own)
                return Made(pictures: pictures, standIn: content, error: cause)
            } catch {
                guard !Task.isCancelled else { throw CancellationError() }
            }
        }
        return Made(pictures: [], standIn: nil, error: cause)
    }

    private func draw(
        _ content: ComponentContent, _ own: OwnLook
    ) async throws -> [DrawnPicture] {
        let look = look.with(own)
        switch content {
        case .source(let source): return try await draw(source, look)
        case .initials(let initials):
            do {
                return try await renderer.draw(initials, look, decoding)
            } catch EmblemError.failedToEncode(let reason) {
                throw EmblemError.failedToDraw("The initials cannot be drawn: \(reason)")
            }
        }
    }

    private func load(_ source: ImageSource) async throws -> HeldImage {
        guard let url = source.url else { return try await source.loadUnchecked(with: loader) }
        return try await loads.value(for: url) { [loader] in
            try await source.loadUnchecked(with: loader)
        }
    }

    private func draw(_ source: ImageSource, _ look: EmblemLook) async throws -> [DrawnPicture] {
        let log = WorkLog.current
        var start = MonotonicClock.now
        // Whoever waits for room with a picture in its hands goes first.
        _ = try await bodies.grant(of: 1)
        log?.add(.queue, since: &start)
        let held: HeldImage
        do {
            held = try await load(source)
        } catch {
            log?.add(.load, since: &start)
            throw error
        }
        let image = held.image
        log?.add(.load, since: &start)
        log?.add(bytes: image.byteCount)
        let grant = try await bodies.grant(of: image.byteCount)
        // From here on the picture counts for us, and no longer for the network.
        withExtendedLifetime(held.body) {}
        let turn = try await renderers.grant(of: 1)
        log?.add(.queue, since: &start)
        let drawn = try await renderer.draw(image, look, decoding)
        _ = consume turn
        try Task.checkCancellation()
        return withExtendedLifetime(grant) { drawn }
    }
}
