import Render
import System
import Transport

/// The steps that one job went through: how long each took, and when, for the trace.
package struct JobClock: Sendable {
    /// A stretch of time spent in one stage.
    package struct Lap: Sendable {
        package let stage: RunStage
        /// The step that it is a part of; nil for a wait, and for the whole.
        package let step: Step?
        package let begin: UInt64
        package let nanoseconds: UInt64
    }

    package let start: UInt64
    package private(set) var laps: [Lap] = []
    private var stage: RunStage?
    private var step: Step?
    private var since: UInt64
    /// Time spent waiting for permits of our own.
    private var waited: UInt64 = 0
    /// The item's own time in nanoseconds; nil once nothing may end it any more.
    private var limit: UInt64?

    init(limit: UInt64? = nil) {
        start = MonotonicClock.now
        since = start
        self.limit = limit
    }

    /// Ends the step before and begins `step`; the same one again simply goes on.
    mutating func enter(_ step: Step) {
        enter(step, step.stage, at: MonotonicClock.now)
    }

    /// Ends the step before; a permit of our own is waited for.
    mutating func wait() {
        enter(nil, .queue, at: MonotonicClock.now)
    }

    /// Goes through the steps of rendering as they began, but not before the step before did; what
    /// came after their end was a wait.
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

    /// Ends the last stage; the whole job is a lap of its own.
    mutating func finish() {
        let now = MonotonicClock.now
        close(at: now)
        stage = nil
        step = nil
        laps.append(Lap(stage: .total, step: nil, begin: start, nanoseconds: now - start))
    }

    /// The time of the stage so far went by as the loader says; what it does not name, such as
    /// earlier attempts and the waits between them, shows in the total alone.
    mutating func divide(by timings: NetworkTimings) {
        let now = MonotonicClock.now
        let parts: [(RunStage, Int64)] = [
            (.queue, timings.queue), (.dns, timings.dns), (.connect, timings.connect),
            (.ttfb, timings.firstByte), (.fetch, timings.fetch),
        ]
        // A part that rounds past the whole is cut, so that no lap ends after now.
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

    /// What the item has taken of its own time.
    private var active: UInt64 {
        let now = MonotonicClock.now
        return now - start - waited - (stage == .queue ? now - since : 0)
    }

    /// What the item has left of its own time; nil where that is not bounded.
    var timeLeft: Duration? {
        limit.map { .nanoseconds(Int64(clamping: $0 - min($0, active))) }
    }

    /// The same for who counts in whole numbers.
    var nanosecondsLeft: UInt64 { limit.map { $0 - min($0, active) } ?? .max }

    /// The item's own time is over.
    var isLate: Bool { limit.map { active > $0 } ?? false }

    /// From here on the item may take as long as it needs, as for its placeholder.
    mutating func stopLimit() { limit = nil }

    private mutating func close(at now: UInt64) {
        guard let stage else { return }
        laps.append(Lap(stage: stage, step: step, begin: since, nanoseconds: now - since))
        if stage == .queue { waited += now - since }
    }
}

/// What a job has used: time, the network, the processors. The one thing that every step changes.
struct JobMeter {
    var clock: JobClock
    var network = NetworkUse()
    /// What the processors may still work on pictures of strangers.
    var drawingNanoseconds: UInt64

    init(_ settings: RunSettings) {
        clock = JobClock(limit: settings.itemNanoseconds)
        drawingNanoseconds = settings.renderNanoseconds
    }

    /// Begins a step, unless it is too late for it or the run was asked to stop.
    mutating func begin(_ step: Step) throws(JobStop) {
        try check(step.stage)
        clock.enter(step)
    }

    /// The same for a wait for one of our own permits.
    mutating func wait() throws(JobStop) {
        try check(.queue)
        clock.wait()
    }

    private func check(_ stage: RunStage) throws(JobStop) {
        guard !Task.isCancelled else { throw .canceled }
        guard !clock.isLate else { throw .failure(ItemFailure(.timeout, stage: stage)) }
    }
}

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
