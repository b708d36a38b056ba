import Render

/// A stage of an item's life, as tables of latency name it, in the order of work.
package enum RunStage: String, CaseIterable, Sendable {
    /// Waiting for a renderer, for memory, or for leave to connect.
    case queue
    /// Looking the host's name up.
    case dns
    /// TCP and TLS; nothing on a connection that stood already.
    case connect
    /// From the request to the first byte of the answer.
    case ttfb
    /// Reading the source; of the network, from the first byte to the last.
    case fetch
    /// Header, limits, decoding, profile.
    case decode
    /// Scaling to each size, and turning upright.
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
        .queue, .dns, .connect, .ttfb, .fetch, .decode, .resize, .compose, .encode, .write, .total,
    ]
}

extension Step {
    /// Where the time of the step is counted. Loading from the network is told apart further: into
    /// waiting, name, connection, first byte and rest.
    package var stage: RunStage {
        switch self {
        case .load: .fetch
        case .admit: .queue
        case .sniff, .decode: .decode
        case .resample, .orient: .resize
        case .compose: .compose
        case .encode: .encode
        case .store: .write
        }
    }
}
