/// A stage of an item, in the order of work. Latency tables, traces, records and failures use this
/// list, which is the only definition of the order.
package enum RunStage: String, CaseIterable, Sendable {
    /// Waiting for a renderer, for memory, or for permission to connect.
    case queue
    /// Host name resolution.
    case dns
    /// TCP and TLS; zero on a reused connection.
    case connect
    /// From the request to the first byte of the answer.
    case ttfb
    /// Reading the source; for the network, from the first byte to the last.
    case fetch
    /// Header, limits, decoding, colour profile.
    case decode
    /// Scaling to one layout at one scale, and rotation to upright.
    case resize
    /// Background, border, image, mask and badge.
    case compose
    case encode
    /// The delivery of the finished outputs, all or none.
    case write
    /// From the start of the job to its last stored byte.
    case total
    /// Reading the list. It is not timed, but rows can fail here.
    case plan

    package static let timed: [RunStage] = [
        .queue, .dns, .connect, .ttfb, .fetch, .decode, .resize, .compose, .encode, .write, .total,
    ]

    /// Whether a worker may report the stage.
    package var isDrawing: Bool {
        switch self {
        case .queue, .decode, .resize, .compose, .encode: true
        case .dns, .connect, .ttfb, .fetch, .write, .total, .plan: false
        }
    }
}

/// A stage and its start on the monotonic clock.
package struct StageMoment: Hashable, Sendable {
    package let stage: RunStage
    package let nanoseconds: UInt64

    package init(stage: RunStage, nanoseconds: UInt64) {
        self.stage = stage
        self.nanoseconds = nanoseconds
    }
}
