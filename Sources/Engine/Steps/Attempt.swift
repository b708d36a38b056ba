import Artwork
import Render
import Transport

/// What came of one of an item's sources.
struct Attempt: Sendable {
    /// What there is to show.
    enum Showing: Sendable {
        case drawn(Rendering)
        case content(EmblemContent)
        /// Drawn for another item, from the same source by the same recipe.
        case shared(SharedResult.Drawing)
        /// The outputs of an earlier run stand.
        case standing(ItemRecord)
    }

    /// 0 is the item's own source, 1 its first alternative.
    let sourceIndex: Int
    var src: SourceRecord?
    /// The source's file as it was when it was read.
    var seen: SeenFile?
    /// For others that name the same source.
    var bytes: SourceBytes?
    var showing: Showing?
    var failure: ItemFailure?
    /// Why an old answer is shown in place of a fresh one.
    var staleReason: ItemFailure?

    init(sourceIndex: Int) { self.sourceIndex = sourceIndex }
}

/// How an item ends, before its pictures are handed over.
struct Draft: Sendable {
    var record: ItemRecord
    var seen: SeenFile?
    var sourceIndex = 0
    /// How much of an earlier run was taken over.
    var reuse = Reuse.none
    var rendering: Rendering?
    var content: EmblemContent?
    /// Which of the run's own stand-ins that is.
    var standIn: Int?
    /// What came of the item's own source, for others that name it.
    var shared: SharedResult?

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
        case .standing(let past):
            record.takeOver(past)
            record.failure = nil
            record.isStale = false
            reuse = .unchanged
        case nil: break
        }
        if let reason = attempt.staleReason {
            record.failure = reason
            record.isStale = true
        }
    }

    /// Keeps the emblem of an earlier run although its source cannot be loaded now.
    init(of input: JobInput, keeping past: PastItem, _ reason: ItemFailure, shared: SharedResult?) {
        self.init(of: input)
        self.shared = shared
        record.takeOver(past.record)
        record.failure = reason
        record.isStale = true
        seen = past.seen
        sourceIndex = past.sourceIndex
        reuse = .unchanged
    }

    private mutating func show(_ rendering: Rendering) {
        self.rendering = rendering
        record.status = .ok
        record.describe(rendering)
    }

    /// Leaves the item without outputs for the reason of `stop`; what ends the whole run is
    /// returned.
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
