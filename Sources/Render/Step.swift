/// The order of work on one image: each step once. The steps from resampling to encoding are
/// repeated for each layout, scale and colour scheme.
///
/// Clocks, traces and records use this list, which is the only definition of the order.
package enum Step: String, CaseIterable, Sendable {
    /// The bytes of the source, from a file, the network or memory.
    case load
    /// Detects the format, reads the header and checks it against the limits.
    case sniff
    /// Waits for memory, if decoding needs more than the usual share.
    case admit
    /// Decodes pixels or a drawing, applies the colour profile, and shrinks as far as the quality
    /// permits.
    case decode
    /// Scales to one layout at one scale.
    case resample
    /// Rotates to upright if needed: late, since the image is small by then.
    case orient
    /// Draws background, border, image, mask and badge.
    case compose
    case encode
    /// Delivers the finished outputs, all or none.
    case store
}

/// A step and its start on the monotonic clock.
package struct StepMoment: Hashable, Sendable {
    package let step: Step
    package let nanoseconds: UInt64

    package init(step: Step, nanoseconds: UInt64) {
        self.step = step
        self.nanoseconds = nanoseconds
    }
}
