import Bench
import Testing

@Suite("Comparison of two measurements")
struct ComparisonTests {
    private func compared(
        _ measurement: Measurement, with text: String,
        tolerance: Double = Comparison.usualTolerance
    ) throws -> Comparison {
        let base = try BaseRecord(Array(text.utf8)).result(for: measurement.bench)
        return Comparison(measurement, with: try #require(base), tolerance: tolerance)
    }

    /// An earlier record of the same ten items, with one more member.
    private func base(_ member: String, median: Double = 1) -> String {
        """
        {"results":[{"command":"x","median":\(median),\(member),"parameters":{"jobs":"2"}}]}
        """
    }

    @Test("a record compared with itself has no regression")
    func itself() throws {
        let text = String(decoding: measured().json(), as: UTF8.self)
        #expect(try compared(measured(), with: text, tolerance: 0).regressions.isEmpty)
    }

    @Test(
        "a slowdown above the tolerance is a regression, unless its runs overlap with the base",
        arguments: [
            ([1, 1, 1], #""items":10"#, 0.5, true), ([1, 1, 1], #""items":10"#, 0.92, false),
            ([1, 1, 1], #""items":10"#, 2, false), ([1, 1, 1], #""items":5"#, 0.5, false),
            ([0.96, 1.4, 1.5], #""items":10"#, 0.97, false),
            ([1.3, 1.4], #""items":10"#, 0.97, true),
            ([1.02, 1.2, 1.25, 1.3, 1.35], #""times":[0.9,0.95,1.0,1.3,1.4]"#, 1, false),
            ([1.02, 1.2, 1.25, 1.3, 1.35], #""times":[0.98,0.99,1.0,1.01,1.02]"#, 1, true),
        ] as [([Double], String, Double, Bool)])
    func time(seconds: [Double], member: String, median: Double, isWorse: Bool) throws {
        let comparison = try compared(measured(seconds), with: base(member, median: median))
        #expect(comparison.regressions.map(\.measure) == (isWorse ? [.time] : []))
    }

    @Test(
        "CPU time, peak memory and output bytes are compared with the tolerance, too",
        arguments: [
            (#""user":0.3,"system":0.2"#, 10, [.cpu]),
            (#""user":0.3,"system":0.2"#, 25, []),
            (#""user_times":[0.3,0.3,0.3],"system_times":[0.2,0.2,0.2]"#, 10, [.cpu]),
            (#""memory_usage_byte":[40000000,41000000,41000000]"#, 20, [.memory]),
            (#""memory_usage_byte":[40000000,41000000,41000000]"#, 50, []),
            (#""items":10,"bytes_out":500"#, 10, [.bytes]),
        ] as [(String, Double, [Measure])])
    func otherMeasures(member: String, tolerance: Double, worse: [Measure]) throws {
        let comparison = try compared(measured(), with: base(member), tolerance: tolerance)
        #expect(comparison.regressions.map(\.measure) == worse)
    }

    @Test("one more item without an image than in the base is a regression")
    func failures() throws {
        let now = measured(withoutPicture: 3)
        let worse = try compared(now, with: base(#""items":10,"without_picture":2"#))
        #expect(worse.regressions.map(\.measure) == [.failures])
        #expect(worse.text.contains("regression: items without an image: 3, in the base 2"))
        let same = try compared(now, with: base(#""items":10,"without_picture":3"#))
        #expect(same.regressions.isEmpty)
    }

    @Test("a change whose runs overlap with those of the base is reported as inconclusive")
    func overlap() throws {
        let comparison = try compared(
            measured([0.95, 1.4, 1.5]), with: base(#""times":[0.9,1.0,1.3]"#))
        #expect(comparison.text.contains("+40.0 %  inconclusive"))
    }

    @Test("another processor or number of cores is reported, and an unknown machine is not")
    func machines() throws {
        func differences(_ machine: String) throws -> [String] {
            let text = base("\"bytes_out\":1000").dropLast() + ",\"machine\":\(machine)}"
            return try BaseRecord(Array(text.utf8)).differences(from: measured())
        }
        #expect(try differences(#"{"cpu":"Made","cores":2}"#).isEmpty)
        #expect(try differences("null").isEmpty)
        #expect(
            try differences(#"{"cpu":"Other","cores":64}"#)
                == ["processor Other there, Made here", "cores 64 there, 2 here"])
    }

    @Test("a base is matched by its parameters, or by its command if it has none")
    func matching() throws {
        let text = """
            {"results":[{"command":"a","median":1,"parameters":{"jobs":"2","preset":"photos"}},
            {"command":"b","median":2,"parameters":{"jobs":"2"}},
            {"command":"emblem batch in -o OUT --jobs 2","median":1,"user":1.5,"system":0.2}]}
            """
        let record = try BaseRecord(Array(text.utf8))
        #expect(record.result(for: measured().bench)?.command == "b")
        let last = BenchCase(parameters: ["jobs": "3"], words: [], shown: measured().bench.shown)
        #expect(record.result(for: last)?.values[.cpu] == [1.7])
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
}
