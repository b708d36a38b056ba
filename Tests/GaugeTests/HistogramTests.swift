import Gauge
import System
import Testing

@Suite struct HistogramTests {
    @Test(
        "every histogram percentile is within one per cent of the exact value",
        arguments: 1...6 as ClosedRange<UInt64>)
    func error(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let values = (0..<5_000).map { _ in
            // Values of all magnitudes, like durations from microseconds to minutes.
            UInt64.random(in: 0...UInt64.max, using: &random)
                >> UInt64.random(in: 0..<64, using: &random)
        }
        var histogram = Histogram()
        for value in values { histogram.record(value) }
        let sorted = values.sorted()
        for percent in [0, 0.1, 1, 10, 50, 90, 99, 99.9, 100] {
            let rank = max(1, Int((percent / 100 * 5_000).rounded(.up)))
            let truth = Double(sorted[rank - 1])
            let found = Double(histogram.percentile(percent))
            #expect(abs(found - truth) <= truth * 0.01, "\(percent) % of seed \(seed)")
        }
        #expect(histogram.max == sorted.last)
        #expect(histogram.count == 5_000)
    }

    @Test("histogram percentiles never decrease and stay within the recorded range")
    func monotone() {
        var histogram = Histogram()
        for value in [1_000, 1_001, 77, 900_000] as [UInt64] { histogram.record(value) }
        var last: UInt64 = 0
        for step in 0...1000 {
            let value = histogram.percentile(Double(step) / 10)
            #expect(value >= last && value >= 77 && value <= 900_000)
            last = value
        }
        #expect(histogram.percentile(-5) == 77 && histogram.percentile(500) == 900_000)
    }

    @Test("small histogram values are exact, and so is the mean")
    func exact() {
        var histogram = Histogram()
        for value in UInt64(0)..<64 { histogram.record(value) }
        for rank in 1...64 {
            #expect(histogram.percentile(Double(rank) / 64 * 100) == UInt64(rank - 1))
        }
        #expect(histogram.mean == 31.5)
    }

    @Test("an empty histogram returns zero, and the largest values do not overflow")
    func bounds() {
        let empty = Histogram()
        #expect(empty.percentile(50) == 0 && empty.mean == 0 && empty.max == 0)
        var full = Histogram()
        for _ in 0..<3 { full.record(.max) }
        #expect(full.percentile(50) == .max || full.percentile(50) > .max / 100 * 99)
        #expect(full.mean == Double(UInt64.max) / 3)
    }
}

@Suite struct StageTableTests {
    @Test("stage times keep their order and are read back by stage")
    func rows() {
        let table = StageTable(stages: ["fetch", "decode", "total"])
        table.record("decode", nanoseconds: 10)
        var times = StageTimes(table)
        times.add(5, at: table.index(of: "fetch"))
        times.add(6, at: table.index(of: "fetch"))
        times.add(7, at: 1)
        table.record(times)
        #expect(times[0] == 11 && times[2] == nil && times[9] == nil)
        let rows = table.summaries()
        #expect(rows.map(\.stage) == ["fetch", "decode", "total"])
        #expect(rows.map(\.count) == [1, 2, 0])
        #expect(rows[0].max == 11 && rows[1].p50 == 7 && rows[1].mean == 8.5)
    }

    @Test("many tasks record at once without losing a value")
    func tasks() async {
        let table = StageTable(stages: ["a"])
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for value in UInt64(0)..<1_000 { table.record("a", nanoseconds: value) }
                }
            }
        }
        #expect(table.summaries().first?.count == 8_000)
    }

    @Test("a stage row is written in milliseconds")
    func milliseconds() {
        let table = StageTable(stages: ["a"])
        table.record("a", nanoseconds: 1_500_000)
        #expect(
            written { table.summaries()[0].write(to: &$0) }
                == #"{"count":1,"mean_ms":1.5,"p50_ms":1.5,"p90_ms":1.5,"p99_ms":1.5,"max_ms":1.5}"#
        )
    }
}
