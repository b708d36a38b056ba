import Cell
import Render
import Synchronization
import System

/// What the work on one component takes, noted by whoever does a part of it.
///
/// It goes with the task, so that a loader of ours can note where bytes came from although a loader
/// of somebody else's asked it.
final class WorkLog: Sendable {
    struct Notes: Sendable {
        var stages: [EmblemReport.Stage: UInt64] = [:]
        var nanoseconds: UInt64 = 0
        var bytes = 0
        var origin: EmblemReport.Origin?
    }

    /// Nil where nobody wants to know.
    @TaskLocal static var current: WorkLog?

    private let began = MonotonicClock.now
    private let notes = Mutex(Notes())

    /// Counts the time since `start` for a stage; the next begins now.
    func add(_ stage: EmblemReport.Stage, since start: inout UInt64) {
        let now = MonotonicClock.now
        add(stage, now &- start)
        start = now
    }

    func add(bytes: Int) {
        notes.withLock { $0.bytes += bytes }
    }

    func note(_ origin: EmblemReport.Origin) {
        notes.withLock { $0.origin = origin }
    }

    /// The steps of an order that was given at `start` and has just been answered.
    func add(_ moments: [StepMoment], since start: UInt64) {
        var (last, stage) = (start, EmblemReport.Stage.queue)
        for moment in moments {
            // An attempt that was given up may have begun before.
            if moment.nanoseconds > last { add(stage, moment.nanoseconds &- last) }
            last = max(last, moment.nanoseconds)
            stage = Self.stage(moment.step)
        }
        let now = MonotonicClock.now
        if now > last { add(stage, now &- last) }
    }

    func end() -> Notes {
        notes.withLock { notes in
            notes.nanoseconds = MonotonicClock.now &- began
            return notes
        }
    }

    private func add(_ stage: EmblemReport.Stage, _ nanoseconds: UInt64) {
        notes.withLock { $0.stages[stage, default: 0] += nanoseconds }
    }

    private static func stage(_ step: Step) -> EmblemReport.Stage {
        switch step {
        case .load: .load
        case .admit: .queue
        case .sniff, .decode: .decode
        case .resample, .orient: .resample
        case .compose: .compose
        case .encode, .store: .encode
        }
    }
}
