import Bench
import Gauge
import Notation
import System

/// What one way of doing a piece of work takes.
struct KernelResult {
    let work: KernelWork
    /// The quickest of all runs: what disturbs a run only makes it longer.
    let milliseconds: Double
    let runs: Int
    let digest: String

    /// Megapixels or megabytes a second.
    var rate: String {
        let perSecond = milliseconds > 0 ? work.amount * 1000 / milliseconds : 0
        return "\(Figure.short(perSecond)) \(work.unit)/s"
    }

    var line: String {
        let name = "\(work.kernel), \(work.variant)"
        let gap = String(repeating: " ", count: max(1, 34 - name.count))
        return "\(name)\(gap)\(Figure.fixed(milliseconds, 3)) ms  \(rate)  \(digest.prefix(8))"
    }

    func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("kernel", work.kernel)
            json.member("variant", work.variant)
            json.member("milliseconds", (milliseconds * 1e6).rounded() / 1e6)
            json.member("rate", rate)
            json.member("runs", runs)
            json.member("digest", digest)
        }
    }
}

/// Runs a piece of work again and again for a while.
struct KernelBench {
    /// How long each piece is run.
    let milliseconds: UInt64

    func measure(_ work: KernelWork) -> KernelResult {
        // The first run makes tables and touches pages.
        let digest = work.run(true)
        var best = UInt64.max
        var runs = 0
        let start = MonotonicClock.now
        while runs < 5 || MonotonicClock.elapsed(since: start) < milliseconds * 1_000_000 {
            let begin = MonotonicClock.now
            _ = work.run(false)
            best = min(best, MonotonicClock.elapsed(since: begin))
            runs += 1
        }
        return KernelResult(
            work: work, milliseconds: Double(best) / 1e6, runs: runs,
            digest: digest)
    }
}
