import Codecs
import Digest
import Render
import Transport

/// What a job holds between two steps; letting go of it gives every permit back.
struct JobWork: ~Copyable {
    let item: BatchItem
    let recipe: Recipe
    var clock = JobClock()
    var record: ItemRecord
    /// The source that is tried now: the item's own, or one of its alternatives.
    var source: SourceReference?

    /// The bytes of the source, and the share of the memory that they take.
    var bytes: [UInt8] = []
    var body: Grant?
    var header: ImageHeader?
    var request: DecodeRequest?
    var renderer: Grant?
    var pixels: Grant?
    var rendering: Rendering?

    init(item: BatchItem, recipe: Recipe) {
        self.item = item
        self.recipe = recipe
        record = ItemRecord(
            index: item.index, id: item.id, source: item.source, status: .canceled)
        record.accessibility = Accessibility(
            label: item.label, hint: item.hint, value: item.value)
        record.extra = item.extra
    }

    /// Gives back what only decoding needed, so that others go on while this job draws a
    /// placeholder or stores.
    mutating func releaseDecoding() {
        bytes = []
        body = nil
        pixels = nil
        renderer = nil
    }

    /// Leaves the item without outputs for the reason of `stop`; what ends the whole run is
    /// returned.
    mutating func end(with stop: JobStop) -> OutletError? {
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
