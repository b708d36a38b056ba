/// A stage of an item's life, as tables of latency name it, in the order of work.
package enum RunStage: String, CaseIterable, Sendable {
    /// Waiting for a renderer and for memory.
    case queue
    /// Reading the source.
    case fetch
    /// Header, limits, decoding, orientation, profile.
    case decode
    /// Scaling to each size.
    case resize
    /// Background, border, mask.
    case compose
    case encode
    case write
    /// From the start of the job to its last byte stored.
    case total
    /// Reading the list; no clock runs here, rows fail here.
    case plan

    /// The stages that are timed.
    package static let timed: [RunStage] = [
        .queue, .fetch, .decode, .resize, .compose, .encode, .write, .total,
    ]
}
