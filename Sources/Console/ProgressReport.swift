import Notation

package struct ProgressReport: Hashable, Sendable {
    /// Items that ended, with any result.
    package var done: Int
    package var total: Int
    /// Items that ended with a placeholder.
    package var placeholders: Int
    /// Items that ended without any output.
    package var failed: Int
    package var inFlight: Int
    package var reused: Int

    package init(
        done: Int, total: Int, placeholders: Int = 0, failed: Int = 0, inFlight: Int = 0,
        reused: Int = 0
    ) {
        self.reused = reused
        self.done = done
        self.total = total
        self.placeholders = placeholders
        self.failed = failed
        self.inFlight = inFlight
    }

    /// Returns the report as a line. Parts at the end are left out if it is longer than `columns`.
    package func line(
        rate: Double?, secondsLeft: Double?, elapsedSeconds: Double, columns: Int
    ) -> String {
        var parts = ["\(Figure.grouped(done))/\(Figure.grouped(total))"]
        if total > 0 { parts.append("\(min(100, done * 100 / total))%") }
        parts.append(rate.map { "\(Figure.short($0))/s" } ?? "-/s")
        parts.append(
            done < total
                ? "ETA \(secondsLeft.map { Figure.duration($0) } ?? "-")"
                : Figure.duration(elapsedSeconds))
        parts.append("\(Counted(placeholders, "placeholder"))")
        if reused > 0 { parts.append("\(Figure.grouped(reused)) unchanged") }
        if failed > 0 { parts.append("\(Figure.grouped(failed)) failed") }
        if inFlight > 0 { parts.append("\(inFlight) in flight") }
        while parts.count > 1, parts.joined(separator: "  ").count > columns { parts.removeLast() }
        return String(parts.joined(separator: "  ").prefix(max(0, columns)))
    }

    /// Returns one JSON object without line breaks.
    package func json(rate: Double?, secondsLeft: Double?, elapsedSeconds: Double) -> String {
        var writer = JSONWriter()
        writer.object { object in
            object.member("type", "progress")
            object.member("done", done)
            object.member("total", total)
            object.member("placeholders", placeholders)
            object.member("failed", failed)
            object.member("reused", reused)
            object.member("in_flight", inFlight)
            object.member("elapsed_seconds", Self.rounded(elapsedSeconds))
            object.member("per_second", rate.map { .number(JSONNumber(Self.rounded($0))) } ?? .null)
            object.member(
                "seconds_left", secondsLeft.map { .number(JSONNumber(Self.rounded($0))) } ?? .null)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}

/// The current rate of a run, over the last ten seconds.
package struct RateMeter: Hashable, Sendable {
    private struct Mark: Hashable, Sendable {
        var elapsed: UInt64
        var done: Int
    }

    /// The period that the rate covers, in nanoseconds.
    private static let window: UInt64 = 10_000_000_000

    private var marks: [Mark] = [Mark(elapsed: 0, done: 0)]

    package init() {}

    /// Records the number of items done, in nanoseconds since the run began.
    package mutating func note(done: Int, at elapsed: UInt64) {
        guard let last = marks.last, elapsed > last.elapsed else { return }
        // A mark for each hundredth of the window is enough, which bounds the list.
        if marks.count > 1, elapsed - marks[marks.count - 2].elapsed < Self.window / 100 {
            marks.removeLast()
        }
        marks.append(Mark(elapsed: elapsed, done: done))
        while marks.count > 2, elapsed - marks[1].elapsed >= Self.window { marks.removeFirst() }
    }

    /// Items per second; nil before there is a measurement.
    package var perSecond: Double? {
        guard let first = marks.first, let last = marks.last, last.elapsed > first.elapsed,
            last.done > first.done
        else { return nil }
        return Double(last.done - first.done) * 1e9 / Double(last.elapsed - first.elapsed)
    }

    /// Returns the seconds until `remaining` more items are done at this rate.
    package func secondsLeft(for remaining: Int) -> Double? {
        perSecond.map { Double(max(0, remaining)) / $0 }
    }
}
