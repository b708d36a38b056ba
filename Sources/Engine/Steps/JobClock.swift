import Gauge
import Render
import System
import Transport

/// The stages of a job, with the start and the duration of each.
package struct JobClock: Sendable {
    /// One stage of a job; `begin` is on the monotonic clock.
    package struct Lap: Sendable {
        package let stage: RunStage
        package let begin: UInt64
        package let nanoseconds: UInt64
    }

    package let start: UInt64
    package private(set) var laps: [Lap] = []
    private var stage: RunStage?
    private var since: UInt64
    /// The time spent waiting for permits of the run, in nanoseconds. It does not count towards the
    /// limit.
    private var waited: UInt64 = 0
    /// The time limit of the item in nanoseconds; nil if it no longer applies.
    private var limit: UInt64?

    init(limit: UInt64? = nil) {
        start = MonotonicClock.now
        since = start
        self.limit = limit
    }

    /// Ends the current stage and begins `stage`; does nothing if it is already the current one.
    mutating func enter(_ stage: RunStage) {
        enter(stage, at: MonotonicClock.now)
    }

    /// Adds the stages that the renderer reports. A reported stage cannot begin before the current
    /// stage: an earlier time is replaced by the start of the current stage. The time after the
    /// last stage counts as waiting.
    mutating func follow(_ answer: RenderAnswer) {
        for moment in answer.moments {
            enter(moment.stage, at: max(moment.nanoseconds, since))
        }
        if let end = answer.end { enter(.queue, at: max(end, since)) }
    }

    private mutating func enter(_ stage: RunStage, at moment: UInt64) {
        guard stage != self.stage else { return }
        close(at: moment)
        self.stage = stage
        since = moment
    }

    /// Ends the last stage and adds a lap for the whole job.
    mutating func finish() {
        let now = MonotonicClock.now
        close(at: now)
        stage = nil
        laps.append(Lap(stage: .total, begin: start, nanoseconds: now - start))
    }

    /// Divides the time of the current stage into the stages that the network loader reports.
    /// Unreported time, such as earlier attempts and the waits between them, counts only in the
    /// total.
    mutating func divide(by timings: NetworkTimings) {
        let now = MonotonicClock.now
        let parts: [(RunStage, Int64)] = [
            (.queue, timings.queue), (.dns, timings.dns), (.connect, timings.connect),
            (.ttfb, timings.firstByte), (.fetch, timings.fetch),
        ]
        // Rounding may make the parts longer than the whole, so they are limited to the time that
        // is left.
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
            laps.append(Lap(stage: stage, begin: first, nanoseconds: length))
            if stage == .queue { waited += length }
        }
        stage = nil
        since = now
    }

    /// The time that counts towards the limit of the item, in nanoseconds.
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

    mutating func stopLimit() { limit = nil }

    private mutating func close(at now: UInt64) {
        guard let stage else { return }
        laps.append(Lap(stage: stage, begin: since, nanoseconds: now - since))
        if stage == .queue { waited += now - since }
    }
}

/// The time, network transfers and CPU time that a job has used. Every step of the job updates it.
struct JobMeter {
    var clock: JobClock
    var network = NetworkUse()
    /// The remaining CPU time for drawing untrusted pictures.
    var drawingNanoseconds: UInt64

    init(_ settings: RunSettings) {
        clock = JobClock(limit: settings.itemNanoseconds)
        drawingNanoseconds = settings.renderNanoseconds
    }

    /// Begins a stage, unless the item is late or the run was asked to stop.
    mutating func begin(_ stage: RunStage) throws(JobStop) {
        guard !Task.isCancelled else { throw .canceled }
        guard !clock.isLate else { throw .failure(ItemFailure(.timeout, stage: stage)) }
        clock.enter(stage)
    }
}
