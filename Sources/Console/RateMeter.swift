/// How fast a run goes now: over the last ten seconds rather than since its beginning.
package struct RateMeter: Hashable, Sendable {
    private struct Mark: Hashable, Sendable {
        var elapsed: UInt64
        var done: Int
    }

    private let window: UInt64
    private var marks: [Mark] = [Mark(elapsed: 0, done: 0)]

    /// Measures over the last `window` nanoseconds.
    package init(window: UInt64 = 10_000_000_000) {
        self.window = window
    }

    /// Notes how much was done at a moment, in nanoseconds since the run began.
    package mutating func note(done: Int, at elapsed: UInt64) {
        guard let last = marks.last, elapsed > last.elapsed else { return }
        // A mark for each hundredth of the window is enough, which bounds the list.
        if marks.count > 1, elapsed - marks[marks.count - 2].elapsed < window / 100 {
            marks.removeLast()
        }
        marks.append(Mark(elapsed: elapsed, done: done))
        while marks.count > 2, elapsed - marks[1].elapsed >= window { marks.removeFirst() }
    }

    /// Items per second; nil before there is anything to measure.
    package var perSecond: Double? {
        guard let first = marks.first, let last = marks.last, last.elapsed > first.elapsed,
            last.done > first.done
        else { return nil }
        return Double(last.done - first.done) * 1e9 / Double(last.elapsed - first.elapsed)
    }

    /// Seconds until `remaining` more are done at this rate.
    package func secondsLeft(for remaining: Int) -> Double? {
        perSecond.map { Double(max(0, remaining)) / $0 }
    }
}
