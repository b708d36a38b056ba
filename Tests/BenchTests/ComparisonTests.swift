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
            ([1, 1, 1], #""items":10"#, 2, false),
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

    @Test("a change whose runs overlap with those of the base is reported as inconclusive")
    func overlap() throws {
        let comparison = try compared(
            measured([0.95, 1.4, 1.5]), with: base(#""times":[0.9,1.0,1.3]"#))
        #expect(comparison.text.contains("+40.0 %  inconclusive"))
    }
}
