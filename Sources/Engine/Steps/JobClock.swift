import Render
import System
import Transport

/// The steps of one job: the duration of each, and its start for the trace.
package struct JobClock: Sendable {
    package struct Lap: Sendable {
        package let stage: RunStage
        /// The step that contains the lap; nil for a wait and for the total.
        package let step: Step?
        package let begin: UInt64
        package let nanoseconds: UInt64
    }

    package let start: UInt64
    package private(set) var laps: [Lap] = []
    private var stage: RunStage?
    private var step: Step?
    private var since: UInt64
    /// The time spent waiting for the run's own permits.
    private var waited: UInt64 = 0
    /// The item's time limit in nanoseconds; nil if it no longer applies.
    private var limit: UInt64?

    init(limit: UInt64? = nil) {
        start = MonotonicClock.now
        since = start
        self.limit = limit
    }

    /// Ends the previous step and begins `step`; continues if it is the same step.
    mutating func enter(_ step: Step) {
        enter(step, step.stage, at: MonotonicClock.now)
    }

    /// Ends the previous step and begins a wait for one of the run's own permits.
    mutating func wait() {
        enter(nil, .queue, at: MonotonicClock.now)
    }

    /// Adds the steps of rendering with their start times, but none before the previous step began.
    /// Time after their end counts as waiting.
    mutating func follow(_ answer: RenderAnswer) {
        for moment in answer.moments {
            enter(moment.step, moment.step.stage, at: max(moment.nanoseconds, since))
        }
        if let end = answer.end { enter(nil, .queue, at: max(end, since)) }
    }

    private mutating func enter(_ step: Step?, _ stage: RunStage, at moment: UInt64) {
        guard stage != self.stage || step != self.step else { return }
        close(at: moment)
        self.stage = stage
        self.step = step
        since = moment
    }

    /// Ends the last stage and adds a lap for the whole job.
    mutating func finish() {
        let now = MonotonicClock.now
        close(at: now)
        stage = nil
        step = nil
        laps.append(Lap(stage: .total, step: nil, begin: start, nanoseconds: now - start))
    }

    /// Divides the time of the current stage as the loader reports it. Time without a name, such as
    /// earlier attempts and the waits between them, counts only in the total.
    mutating func divide(by timings: NetworkTimings) {
        let now = MonotonicClock.now
        let parts: [(RunStage, Int64)] = [
            (.queue, timings.queue), (.dns, timings.dns), (.connect, timings.connect),
            (.ttfb, timings.firstByte), (.fetch, timings.fetch),
        ]
        // Rounding may make the parts exceed the whole, so they are cut at the current time.
        var left = now - since
        let lengths = parts.map { stage, nanoseconds in
            let length = min(UInt64(max(0, nanoseconds)), left)
            left -= length
            return (stage, length)
        }
        let begin = since
        var place = now
        for (stage, length) in lengths.reversed() where length > 0 {
            let first = stage == .queue ? begin : place - length
            place -= length
            laps.append(Lap(stage: stage, step: .load, begin: first, nanoseconds: length))
            if stage == .queue { waited += length }
        }
        stage = nil
        step = nil
        since = now
    }

    /// The part of its time limit that the item has used.
    private var active: UInt64 {
        let now = MonotonicClock.now
        return now - start - waited - (stage == .queue ? now - since : 0)
    }

    /// The remaining time of the item; nil if it is not limited.
    var timeLeft: Duration? {
        limit.map { .nanoseconds(Int64(clamping: $0 - min($0, active))) }
    }

    /// The remaining time in nanoseconds; `.max` if it is not limited.
    var nanosecondsLeft: UInt64 { limit.map { $0 - min($0, active) } ?? .max }

    var isLate: Bool { limit.map { active > $0 } ?? false }

    /// Removes the time limit, for example for a placeholder.
    mutating func stopLimit() { limit = nil }

    private mutating func close(at now: UInt64) {
        guard let stage else { return }
        laps.append(Lap(stage: stage, step: step, begin: since, nanoseconds: now - since))
        if stage == .queue { waited += now - since }
    }
}

/// The resources that a job has used: time, network, CPU time. Every step changes it.
struct JobMeter {
    var clock: JobClock
    var network = NetworkUse()
    /// The remaining CPU time for drawing untrusted pictures.
    var drawingNanoseconds: UInt64

    init(_ settings: RunSettings) {
        clock = JobClock(limit: settings.itemNanoseconds)
        drawingNanoseconds = settings.renderNanoseconds
    }

    /// Begins a step, unless the item is late or the run was asked to stop.
    mutating func begin(_ step: Step) throws(JobStop) {
        try check(step.stage)
        clock.enter(step)
    }

    /// Begins a wait for one of the run's own permits, with the same checks.
    mutating func wait() throws(JobStop) {
        try check(.queue)
        clock.wait()
    }

    private func check(_ stage: RunStage) throws(JobStop) {
        guard !Task.isCancelled else { throw .canceled }
        guard !clock.isLate else { throw .failure(ItemFailure(.timeout, stage: stage)) }
    }
}

/// A stage of an item, as latency tables name it, in the order of work.
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
    /// Scaling to each size, and applying the orientation.
    case resize
    /// Background, border, mask.
    case compose
    case encode
    case write
    /// From the start of the job to its last stored byte.
    case total
    /// Reading the list. It is not timed, but rows can fail here.
    case plan

    package static let timed: [RunStage] = [
        .queue, .dns, .connect, .ttfb, .fetch, .decode, .resize, .compose, .encode, .write, .total,
    ]
}

extension Step {
    /// The stage that the time of the step counts for. Network loading is divided further: waiting,
    /// name, connection, first byte and rest.
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
