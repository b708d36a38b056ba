import Render

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
