import Gauge
import Render

/// The stages that one job went through: how long each took, and when, for the trace.
struct JobClock: Sendable {
    /// A stretch of time spent in one stage.
    struct Lap: Sendable {
        let stage: RunStage
        let begin: UInt64
        let nanoseconds: UInt64
    }

    let start: UInt64
    private(set) var laps: [Lap] = []
    private var stage: RunStage?
    private var since: UInt64

    init() {
        start = MonotonicClock.now
        since = start
    }

    /// Ends the stage before and begins `stage`; the same stage again simply goes on.
    mutating func enter(_ stage: RunStage) {
        guard stage != self.stage else { return }
        let now = MonotonicClock.now
        close(at: now)
        self.stage = stage
        since = now
    }

    /// Ends the last stage; the whole job is a lap of its own.
    mutating func finish() {
        let now = MonotonicClock.now
        close(at: now)
        stage = nil
        laps.append(Lap(stage: .total, begin: start, nanoseconds: now - start))
    }

    private mutating func close(at now: UInt64) {
        guard let stage else { return }
        laps.append(Lap(stage: stage, begin: since, nanoseconds: now - since))
    }
}

extension JobClock {
    /// Goes on to a step of rendering, or ends the work when the run was asked to stop.
    mutating func follow(_ step: RenderStep) throws(RenderError) {
        guard !Task.isCancelled else { throw .stopped }
        enter(Self.stage(of: step))
    }

    /// The stage in which a step of rendering is counted.
    private static func stage(of step: RenderStep) -> RunStage {
        switch step {
        case .sniff, .decode: .decode
        case .resample: .resize
        case .compose: .compose
        case .encode: .encode
        }
    }
}
