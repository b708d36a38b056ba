import Bench
import CShims
import Codecs
import Notation
import Raster
import Testing

/// Runs over ten items that wrote a thousand bytes, with two jobs.
func measured(
    _ seconds: [Double] = [1.0, 1.0, 1.0], withoutPicture: Int = 0
) -> Measurement {
    let record: JSON = [
        "items": .number(JSONNumber(10)), "ok": .number(JSONNumber(10 - withoutPicture)),
        "outputs": .number(JSONNumber(10)), "tool": "emblem <&> 0",
        "machine": ["cpu": "Made", "cores": .number(JSONNumber(2))],
    ]
    let runs = seconds.map { seconds in
        MeasuredRun(
            emb_program_end(
                code: 0, user_seconds: seconds / 2, system_seconds: seconds / 10,
                peak_kilobytes: 50 << 10),
            seconds: seconds, record: record, outputs: ("d1", 1_000))
    }
    let bench = BenchCase(
        parameters: ["jobs": "2", "preset": "logos"], words: [],
        shown: "emblem batch in -o OUT --jobs 2")
    return Measurement(bench, runs, createdAt: "2026-01-01")
}

@Suite("Measurements")
struct MeasurementTests {
    @Test("a bench result begins like a result of hyperfine")
    func hyperfineShape() throws {
        let json = try JSONParser.parse(measured([1, 3, 2]).json().span)
        let result = try #require(json["results"]?.elements?.first)
        let names = try #require(result.members).map(\.name)
        #expect(
            names.prefix(12) == [
                "command", "mean", "stddev", "median", "user", "system", "min", "max", "times",
                "memory_usage_byte", "exit_codes", "parameters",
            ])
        #expect(result["median"]?.doubleValue == 2)
        #expect(result["times"]?.elements?.count == 3)
        #expect(result[path: ["parameters", "jobs"]]?.stringValue == "2")
        #expect(json["schema"]?.stringValue == "emblem.bench/1")
    }

    @Test("pictures drawn for a bench preset are readable and the same each time")
    func pictures() throws {
        for kind in SampleKind.allCases {
            let first = try SamplePicture(kind, 0).bytes()
            #expect(try first == SamplePicture(kind, 0).bytes())
            #expect(try first != SamplePicture(kind, 7).bytes())
            let header = try ImageDecoder.header(of: first.span, limits: DecodeLimits())
            #expect(header.size.width >= 100)
        }
    }

    @Test("the median is the middle value, and the deviation that of a sample")
    func statistics() {
        #expect([3, 1, 2].median == 2)
        #expect([4, 1, 2, 3].median == 2.5)
        #expect([Double]().median == 0)
        #expect(abs([2, 4, 4, 4, 5, 5, 7, 9].deviation - 2.138_089_935) < 1e-9)
        #expect([7].deviation == 0)
    }

    @Test(
        "the confidence of a difference is the share of all arrangements that are less extreme",
        arguments: [
            ([1.1, 1.2, 1.3], [0.8, 0.9, 1.0]), ([0.8, 0.9, 1.0], [1.1, 1.2, 1.3]),
            ([1.0, 1.3, 1.4, 1.6], [0.9, 1.1, 1.2, 1.25, 1.5]), ([2, 5], [1, 3, 4, 6, 7, 8]),
        ] as [([Double], [Double])])
    func confidence(now: [Double], base: [Double]) throws {
        let all = now + base
        func pairsNotAbove(_ chosen: [Double], _ others: [Double]) -> Int {
            chosen.reduce(0) { sum, value in sum + others.count { value <= $0 } }
        }
        let measured = pairsNotAbove(now, base)
        var (extreme, total) = (0.0, 0.0)
        for mask in 0..<(1 << all.count) where mask.nonzeroBitCount == now.count {
            let chosen = all.indices.filter { mask >> $0 & 1 == 1 }.map { all[$0] }
            let others = all.indices.filter { mask >> $0 & 1 == 0 }.map { all[$0] }
            total += 1
            if pairsNotAbove(chosen, others) <= measured { extreme += 1 }
        }
        let confidence = try #require(Comparison.Change.confidence(now, above: base))
        #expect(abs(confidence - (1 - extreme / total)) < 1e-12)
    }
}
