import Bench
import Gauge
import Notation
import System

struct KernelResult {
    let work: KernelWork
    /// The shortest of all runs, because disturbances only make a run longer.
    let milliseconds: Double
    let runs: Int
    let digest: String

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

struct KernelBench {
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
