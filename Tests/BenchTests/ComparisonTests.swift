import Bench
import Testing

@Suite("Comparison of two measurements")
struct ComparisonTests {
    private func compared(
        _ series: [Series], with text: String,
        tolerance: Double = Comparison.usualTolerance
    ) throws -> Comparison {
        Comparison(series, with: try BaseRecord(Array(text.utf8)), tolerance: tolerance)
    }

    @Test("a record compared with itself has no regression")
    func itself() throws {
        let all = [Made.series(jobs: 1), Made.series(jobs: 2)]
        let base = try BaseRecord(Made.report(all).json())
        let comparison = Comparison(all, with: base, tolerance: 0)
        #expect(comparison.rows.count == 2)
        #expect(!comparison.hasRegression)
        #expect(comparison.rows.allSatisfy { $0.hasSameOutputs == true })
    }

    @Test(
        "a slowdown above the tolerance is a regression, and one below is not",
        arguments: [(0.5, true), (0.92, false), (1.0, false), (2.0, false)])
    func time(baseMedian: Double, isWorse: Bool) throws {
        let text = """
            {"results":[{"command":"x","median":\(baseMedian),"parameters":{"jobs":"2"}}]}
            """
        let comparison = try compared([Made.series(jobs: 2)], with: text)
        #expect(comparison.hasRegression == isWorse)
    }

    @Test("a run as fast as the base's median is no regression")
    func burst() throws {
        let text = #"{"results":[{"command":"x","median":0.97,"parameters":{"jobs":2}}]}"#
        let series = Made.series(jobs: 2, seconds: [0.96, 1.4, 1.5])
        #expect(try !compared([series], with: text).hasRegression)
        #expect(
            try compared([Made.series(jobs: 2, seconds: [1.3, 1.4])], with: text).hasRegression)
    }

    @Test("a comparison finds a regression if all runs are slower, not if some are as fast")
    func spread() throws {
        func base(_ times: String) -> String {
            """
            {"results":[{"command":"x","median":1.0,"times":[\(times)],"parameters":{"jobs":"2"}}]}
            """
        }
        let series = Made.series(jobs: 2, seconds: [1.02, 1.2, 1.25, 1.3, 1.35])
        #expect(try !compared([series], with: base("0.9,0.95,1.0,1.3,1.4")).hasRegression)
        #expect(try compared([series], with: base("0.98,0.99,1.0,1.01,1.02")).hasRegression)
    }

    @Test("times are compared per item if both records count items")
    func byItem() throws {
        let text = """
            {"results":[{"command":"x","median":0.5,"items":5,"parameters":{"jobs":"2"}}]}
            """
        #expect(try !compared([Made.series(jobs: 2)], with: text).hasRegression)
    }

    @Test("output bytes above the tolerance are a regression")
    func bytes() throws {
        let text = """
            {"results":[{"command":"x","median":9,"items":10,"bytes_out":500,
            "parameters":{"jobs":"2"}}]}
            """
        let comparison = try compared([Made.series(jobs: 2)], with: text)
        #expect(comparison.rows.first?.regressions.map(\.measure) == [.bytes])
        #expect(comparison.text.contains("regression: bytes written"))
    }

    /// An earlier report to compare with: the same ten items, with one more member.
    private func base(_ member: String) -> String {
        """
        {"results":[{"command":"x","median":1.0,"items":10,\(member),"parameters":{"jobs":"2"}}]}
        """
    }

    @Test(
        "CPU time and peak memory are compared with the tolerance, too",
        arguments: [
            (#""user":0.3,"system":0.2"#, 10, [.cpu]),
            (#""user":0.3,"system":0.2"#, 25, []),
            (#""user_times":[0.3,0.3,0.3],"system_times":[0.2,0.2,0.2]"#, 10, [.cpu]),
            (#""user_times":[0.3,0.3],"system_times":[0.2,0.2]"#, 10, []),
            (#""memory_usage_byte":[40000000,41000000,41000000]"#, 20, [.memory]),
            (#""memory_usage_byte":[40000000,41000000,41000000]"#, 50, []),
        ] as [(String, Double, [Comparison.Measure])])
    func otherMeasures(member: String, tolerance: Double, worse: [Comparison.Measure]) throws {
        let comparison = try compared(
            [Made.series(jobs: 2)], with: base(member), tolerance: tolerance)
        #expect(comparison.rows.first?.regressions.map(\.measure) == worse)
    }

    @Test("one more item without a picture than in the base is a regression")
    func failures() throws {
        let series = Made.series(jobs: 2, withoutPicture: 3)
        let worse = try compared([series], with: base(#""without_picture":2"#))
        #expect(worse.rows.first?.regressions.map(\.measure) == [.failures])
        #expect(worse.text.contains("3 of 10 items have no image; in the base 2."))
        #expect(try !compared([series], with: base(#""without_picture":3"#)).hasRegression)
        #expect(try compared([series], with: base(#""without_picture":0"#)).hasRegression)
    }

    @Test("a change whose runs overlap with those of the base is reported as inconclusive")
    func overlap() throws {
        let series = Made.series(jobs: 2, seconds: [0.95, 1.4, 1.5])
        let comparison = try compared([series], with: base(#""times":[0.9,1.0,1.3]"#))
        #expect(!comparison.hasRegression && comparison.text.contains(" inconclusive\n"))
        #expect(comparison.text.contains("2 jobs: time is above its tolerance (+40.0 %)"))
    }

    @Test("another processor or number of cores is reported, and an unknown machine is not")
    func machines() throws {
        let report = Made.report([Made.series(jobs: 2)])
        func differences(_ machine: String) throws -> [String] {
            let text = base("\"bytes_out\":1000").dropLast() + ",\"machine\":\(machine)}"
            return report.differences(from: try BaseRecord(Array(text.utf8)))
        }
        #expect(try differences(#"{"cpu":"Made","cores":2}"#).isEmpty)
        #expect(try differences("null").isEmpty)
        #expect(
            try differences(#"{"cpu":"Other","cores":64}"#)
                == ["processor Other there, Made here", "cores 64 there, 2 here"])
    }

    @Test("cases are matched by their distinct properties, and unmatched ones are named")
    func matching() throws {
        let text = """
            {"results":[{"command":"a","median":1,"parameters":{"jobs":"1","preset":"photos"}},
            {"command":"b","median":2,"parameters":{"jobs":"1"}}]}
            """
        let comparison = try compared([Made.series(jobs: 1), Made.series(jobs: 2)], with: text)
        #expect(comparison.rows.map(\.base.command) == ["b"])
        #expect(comparison.unknown.map { $0["jobs"] } == ["2"])
        #expect(comparison.text.contains("2 jobs: the base does not have this case."))
        #expect(comparison.text.contains("jobs 1, preset photos: only the base has this case."))
    }

    @Test(
        "a file that is not a bench record is refused with a reason",
        arguments: [
            "", "[]", "{}", #"{"results":[]}"#, #"{"results":[{}]}"#,
            #"{"results":[{"median":1}]}"#,
            #"{"results":[{"command":"x","median":0}]}"#,
            #"{"results":[{"command":"x","median":"1"}]}"#,
        ])
    func malformed(text: String) {
        #expect(throws: BaseRecord.Malformed.self) { try BaseRecord(Array(text.utf8)) }
    }

    @Test("a record of hyperfine is accepted")
    func hyperfine() throws {
        let text = """
            {"results":[{"command":"emblem batch in -o OUT --jobs 2","mean":1.1,"stddev":0.1,
            "median":1.0,"user":1.5,"system":0.2,"min":0.9,"max":1.3,"times":[0.9,1.0,1.3],
            "exit_codes":[0,0,0]}]}
            """
        let series = Made.series(jobs: 2)
        #expect(try BaseRecord(Array(text.utf8)).result(for: series.bench)?.values[.cpu] == [1.7])
    }
}
