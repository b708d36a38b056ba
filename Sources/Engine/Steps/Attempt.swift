import Artwork
import Gauge
import Render
import Transport

/// The attempt to show one source of an item, and its result.
struct Attempt: Sendable {
    enum Showing: Sendable {
        case drawn(Rendering)
        case content(EmblemContent)
        /// The drawing of another item with the same source.
        case shared(SharedResult.Drawing)
        /// The unchanged outputs of an earlier run.
        case unchanged(ItemRecord)
    }

    /// The index of the source: 0 is the item's own, 1 its first alternative.
    let sourceIndex: Int
    var src: SourceRecord?
    /// The metadata of the source file when its bytes were read; nil for other sources.
    var seen: SeenFile?
    /// The source bytes, kept for other items with the same source.
    var bytes: SourceBytes?
    var showing: Showing?
    var failure: ItemFailure?
    /// The reason why an expired cache entry is shown.
    var staleReason: ItemFailure?

    init(sourceIndex: Int) { self.sourceIndex = sourceIndex }
}

/// The result of an item before its images are stored.
struct Draft: Sendable {
    var record: ItemRecord
    var seen: SeenFile?
    var sourceIndex = 0
    /// The source of the dark outputs, if they show another source than the light outputs.
    var dark = SeenSource()
    /// The failure of the dark twin in this run.
    var twinFailure: ItemFailure?
    var reuse = Reuse.none
    var rendering: Rendering?
    var content: EmblemContent?
    /// The index of the image in `RunContext.fallbacks` that is shown instead.
    var fallbackIndex: Int?
    /// The result of the first source, for other items with the same source.
    var shared: SharedResult?
    /// Whether the placeholder waits until an item of the run shows its source.
    var isHeld = false

    init(of input: JobInput) { record = input.record }

    init(of input: JobInput, _ attempt: Attempt, shared: SharedResult?) {
        self.init(of: input)
        self.shared = shared
        seen = attempt.seen
        sourceIndex = attempt.sourceIndex
        record.src = attempt.src
        record.failure = attempt.failure
        switch attempt.failure?.errorClass {
        case .badURL, .missingURL: record.line = input.item.line
        default: break
        }
        switch attempt.showing {
        case .drawn(let rendering): show(rendering)
        case .content(let content):
            self.content = content
            record.status = .ok
        case .shared(let drawing):
            show(drawing.rendering)
            if drawing.name == record.name { record.outputs = drawing.outputs }
        case .unchanged(let past):
            record.copyResult(of: past)
            reuse = .unchanged
        case nil: break
        }
        if let reason = attempt.staleReason {
            record.failure = reason
            record.isStale = true
        }
    }

    /// Keeps the emblem of an earlier run, because its source cannot be loaded now.
    init(of input: JobInput, keeping past: PastItem, _ reason: ItemFailure, shared: SharedResult?) {
        self.init(of: input)
        self.shared = shared
        record.copyResult(of: past.record)
        record.failure = reason
        record.isStale = true
        seen = past.seen
        sourceIndex = past.sourceIndex
        dark = past.dark
        reuse = .unchanged
    }

    mutating func show(_ rendering: Rendering) {
        self.rendering = rendering
        record.status = .ok
        record.describe(rendering)
    }

    /// Removes the outputs because of `stop`; returns the error if it ends the whole run.
    mutating func end(with stop: JobStop) -> OutletError? {
        reuse = .none
        record.isStale = false
        record.placeholder = nil
        record.outputs = []
        rendering = nil
        switch stop {
        case .failure(let failure):
            record.status = .failed
            record.failure = failure
            return nil
        case .canceled, .fatal:
            record.status = .canceled
            record.failure = ItemFailure(.canceled, stage: .total)
            if case .fatal(let cause) = stop { return cause }
            return nil
        }
    }
}
