import Artwork
import Digest
import Gauge
import Render
import Synchronization
import System
import Transport

extension Job {
    /// Draws an image instead of the source: the placeholder of the row, else the first of
    /// `RunContext.fallbacks` that can be drawn, else the placeholder of the recipe.
    func substitute(
        _ input: JobInput, _ meter: inout JobMeter, _ draft: inout Draft
    ) async throws(JobStop) {
        // The time limit does not apply to the placeholder, so that the item always gets its
        // outputs.
        meter.clock.stopLimit()
        if let own = ownPlaceholder(input.item),
            try await draw(own, input, &meter, &draft) == nil
        {
            return
        }
        for place in context.fallbacks.indices {
            meter.clock.enter(.fetch)
            guard let fallback = try await fallback(at: place) else { continue }
            if try await draw(fallback, input, &meter, &draft) == nil {
                draft.fallbackIndex = place
                return
            }
        }
        let icon = input.recipe.component.icon
        var reason: String?
        for choice in [input.recipe.placeholder, .icon(icon)] {
            guard let fallback = FallbackImage(choice, label: input.item.label, icon: icon) else {
                draft.record.status = .failed
                return
            }
            guard let failure = try await draw(fallback, input, &meter, &draft) else { return }
            if !failure.detail.isEmpty { reason = failure.clause }
        }
        throw .failure(
            ItemFailure(
                .encode, stage: .encode,
                detail: "the placeholder cannot be drawn either" + (reason.map { ": \($0)" } ?? ""),
                cause: draft.record.failure?.cause?.error))
    }

    /// Loads an image of `RunContext.fallbacks` on its first use; nil if it cannot be loaded.
    private func fallback(at place: Int) async throws(JobStop) -> FallbackImage? {
        let cache = context.placeholders
        if let known = cache.given.withLock({ $0[place] }) { return known }
        let permit = try await granted(1, from: cache.loading)
        if let known = cache.given.withLock({ $0[place] }) { return known }
        var fallback: FallbackImage?
        do throws(JobStop) {
            fallback = FallbackImage(try await context.fallbacks[place].load(), at: place)
        } catch {
            guard case .failure = error else { throw error }
        }
        cache.given.withLock { $0[place] = .some(fallback) }
        _ = consume permit
        return fallback
    }

    /// Draws a fallback image; returns the failure if it cannot be drawn, so that the caller tries
    /// the next.
    private func draw(
        _ fallback: FallbackImage, _ input: JobInput, _ meter: inout JobMeter, _ draft: inout Draft
    ) async throws(JobStop) -> ItemFailure? {
        do throws(JobStop) {
            switch goal {
            case .emblems:
                draft.rendering = try await rendering(of: fallback, input, &meter)
            case .content:
                draft.content = try await content(of: fallback, input, &meter)
            }
        } catch {
            guard case .failure(let failure) = error else { throw error }
            return failure
        }
        draft.record.status = .placeholder
        draft.record.placeholder = fallback.name
        return nil
    }

    private func rendering(
        of fallback: FallbackImage, _ input: JobInput, _ meter: inout JobMeter
    ) async throws(JobStop) -> Rendering {
        if let known = context.placeholders.rendering(of: fallback, input.recipe) { return known }
        let (subject, bytes) = fallback.subject
        let answer = await carryOut(
            subject, of: bytes, input.recipe, beside: 0,
            patience: context.settings.itemNanoseconds, &meter)
        let rendering = try answer.result.get()
        context.placeholders.keep(rendering, of: fallback, input.recipe)
        return rendering
    }

    private func content(
        of fallback: FallbackImage, _ input: JobInput, _ meter: inout JobMeter
    ) async throws(JobStop) -> EmblemContent? {
        switch fallback {
        case .icon(let icon): .icon(icon)
        case .initials(let initials): .initials(initials)
        case .raster: nil
        case .picture(_, let bytes):
            try await content(
                of: bytes, input.recipe, patience: context.settings.itemNanoseconds, &meter)
        }
    }

    /// Reads the file that the row names as its placeholder; nil if it cannot be read.
    private func ownPlaceholder(_ item: BatchItem) -> FallbackImage? {
        let settings = context.settings
        guard let path = item.placeholderPath(remoteOnly: settings.remoteOnly),
            let bytes = try? FileIntake.read(path, bytesLimit: settings.bytesLimit).bytes
        else { return nil }
        return .picture(name: item.placeholder ?? "", bytes: bytes)
    }
}

/// The image that an item shows instead of its source.
enum FallbackImage: Hashable, Sendable {
    case icon(BuiltInIcon)
    case initials(Initials)
    case picture(name: String, bytes: [UInt8])
    case raster(name: String, SharedPixels)

    init?(_ loaded: LoadedSource, at place: Int) {
        switch loaded.subject {
        case .icon(let icon): self = .icon(icon)
        case .initials(let initials): self = .initials(initials)
        case .raster(let pixels): self = .raster(name: "\(place)", pixels)
        case nil: self = .picture(name: "\(place)", bytes: loaded.bytes)
        case .picture, .graphic, .check, .pixels: return nil
        }
    }

    /// Creates the fallback image that `choice` means for an item with this label; nil if none is
    /// wanted.
    ///
    /// - Parameter icon: The icon to use in place of initials if there is no label.
    init?(_ choice: PlaceholderChoice, label: String?, icon: BuiltInIcon) {
        switch choice {
        case .icon(let icon): self = .icon(icon)
        case .picture(let name, let bytes): self = .picture(name: name, bytes: bytes)
        case .none: return nil
        case .letters(let initials): self = .initials(initials)
        case .initials:
            if let initials = label.flatMap({ Initials.from(label: $0) }) {
                self = .initials(initials)
            } else {
                self = .icon(icon)
            }
        }
    }

    var name: String {
        switch self {
        case .icon(let icon): PlaceholderChoice.icon(icon).spelling
        case .initials(let initials): PlaceholderChoice.letters(initials).spelling
        case .picture(let name, _), .raster(let name, _): "file:\(SourceMask().shown(name))"
        }
    }

    var subject: (RenderOrder.Subject, of: [UInt8]) {
        switch self {
        case .icon(let icon): (.icon(icon), [])
        case .initials(let initials): (.initials(initials), [])
        case .picture(_, let bytes): (.picture, bytes)
        case .raster(_, let pixels): (.raster(pixels), [])
        }
    }
}

/// A cache of drawn placeholders, so that a run with many failures draws each kind once.
final class PlaceholderCache: Sendable {
    /// The identity of a placeholder. A picture is identified by its digest, so that the cache
    /// holds no bytes of sources.
    private struct Key: Hashable {
        let name: String
        let picture: Digest256?
        let recipe: Recipe

        init(_ fallback: FallbackImage, _ recipe: Recipe) {
            name = fallback.name
            if case .picture(_, let bytes) = fallback {
                picture = SHA256.hash(bytes.span)
            } else {
                picture = nil
            }
            var recipe = recipe
            recipe.placeholder = .none
            self.recipe = recipe
        }
    }

    /// The drawn placeholders. Their number is bounded, because initials differ from item to item.
    private let renderings = BoundedCache<Key, Rendering>(countLimit: 64)
    /// The loaded fallback images of the run by index; nil for one that cannot be loaded.
    let given = Mutex<[Int: FallbackImage?]>([:])
    /// The permit to load a fallback image: one job loads while the others wait for its result.
    let loading = Budget(total: 1)

    func rendering(of fallback: FallbackImage, _ recipe: Recipe) -> Rendering? {
        renderings.value(for: Key(fallback, recipe))
    }

    func keep(_ rendering: Rendering, of fallback: FallbackImage, _ recipe: Recipe) {
        renderings.keep(rendering, for: Key(fallback, recipe))
    }
}
