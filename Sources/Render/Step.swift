/// The order of work on one picture: what is done to it, each step once, in the order in which it is
/// done. From resampling to encoding the steps come again for each layout, scale and colour scheme.
///
/// Clocks, traces and records count by this list, and nothing else says what follows what.
package enum Step: String, CaseIterable, Sendable {
    /// The bytes of the source, from a file, the network or memory.
    case load
    /// What the bytes are, and what their header says, held against the limits.
    case sniff
    /// Waiting for the memory that decoding takes, where a small share of it is not enough.
    case admit
    /// Pixels, or a drawing; with its profile, shrunk as far as is right.
    case decode
    /// The size of one layout at one scale.
    case resample
    /// Turned upright, where it was stored otherwise: late, since it is small by now.
    case orient
    /// Background, border, picture, mask, badge.
    case compose
    case encode
    /// The finished pictures handed over, whole or not at all.
    case store
}

/// A step and the moment at which it began, on the monotonic clock.
package struct StepMoment: Hashable, Sendable {
    package let step: Step
    package let nanoseconds: UInt64

    package init(step: Step, nanoseconds: UInt64) {
        self.step = step
        self.nanoseconds = nanoseconds
    }
}
