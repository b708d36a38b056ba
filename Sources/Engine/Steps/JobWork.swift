import Codecs
import Digest
import Render
import Transport

/// What a job holds between two steps; letting go of it gives every permit back.
struct JobWork: ~Copyable {
    let item: BatchItem
    let recipe: Recipe
    var clock: JobClock
    var record: ItemRecord
    /// The source that is tried now: the item's own, or one of its alternatives.
    var source: SourceReference?

    /// What came of the same source before.
    let shared: KeptSource?
    /// What an earlier run found out.
    let past: PastItem?
    /// How much of that was taken over.
    var reuse = Reuse.none
    /// The source's file as it was when it was read, and which of the sources it is.
    var seen: SeenFile?
    var via = 0
    var body: SourceBody?
    /// What the network did for this item.
    var network = NetworkUse()
    /// What came of the item's own source, for others that name it.
    var kept: KeptSource?
    var renderer: Grant?
    var pixels: Grant?
    var rendering: Rendering?
    /// What the processors may still work on pictures of strangers.
    var drawingNanoseconds: UInt64

    init(
        item: BatchItem, recipe: Recipe, settings: RunSettings, past: PastItem?,
        shared: KeptSource?
    ) {
        self.item = item
        self.past = past
        self.recipe = recipe
        self.shared = shared
        clock = JobClock(limit: settings.itemNanoseconds)
        drawingNanoseconds = settings.renderNanoseconds
        record = ItemRecord(
            index: item.index, id: item.id, source: settings.mask.shown(item.source),
            status: .canceled)
        record.accessibility = Accessibility(
            label: item.label, hint: item.hint, value: item.value)
        record.extra = item.extra
    }

    /// Takes over what was drawn from the same source by the same recipe.
    mutating func show(_ drawing: KeptSource.Drawing) {
        rendering = drawing.rendering
        record.status = .ok
        record.describe(drawing.rendering)
        if drawing.id == record.id { record.outputs = drawing.outputs }
    }

    /// Gives back what only decoding needed, so that others go on while this job draws a
    /// placeholder or stores.
    mutating func releaseDecoding() {
        body = nil
        pixels = nil
        renderer = nil
    }

    /// Notes what came of the item's own source: its failure, or what was drawn.
    mutating func keep(_ failure: ItemFailure?) {
        if let failure {
            kept = KeptSource(record.src, .failure(failure), nil)
        } else if reuse != .none {
            kept = KeptSource(record.src, .success(nil), body)
        } else if let rendering {
            let drawing = KeptSource.Drawing(
                recipe: recipe, rendering: rendering, id: record.id, outputs: [])
            kept = KeptSource(record.src, .success(drawing), body)
        }
    }

    /// Lets go of everything that counts against a budget, its own or one shared with others.
    mutating func letGo() {
        releaseDecoding()
        kept?.letGo()
        shared?.letGo()
    }

    /// Leaves the item without outputs for the reason of `stop`; what ends the whole run is
    /// returned.
    mutating func end(with stop: JobStop) -> OutletError? {
        reuse = .none
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
