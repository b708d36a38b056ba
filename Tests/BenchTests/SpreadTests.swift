import Bench
import Testing

@Suite("Spread of measured values")
struct SpreadTests {
    @Test("the median is the middle value, or the mean of the two middle values")
    func median() {
        #expect(Spread([3, 1, 2]).median == 2)
        #expect(Spread([4, 1, 2, 3]).median == 2.5)
        #expect(Spread([7]).median == 7)
    }

    @Test("the standard deviation is that of a sample")
    func deviation() {
        let spread = Spread([2, 4, 4, 4, 5, 5, 7, 9])
        #expect(spread.mean == 5)
        #expect(abs(spread.deviation - 2.138_089_935) < 1e-9)
        #expect(Spread([7]).deviation == 0)
    }

    @Test("a value far above the others is an outlier, but the slowest of a range is not")
    func outliers() {
        #expect(Spread([1, 1.02, 0.98, 1.01, 2]).outliers == [2 / 1.01])
        #expect(Spread([1, 1.1, 0.9, 1.2, 1.3]).outliers.isEmpty)
        #expect(Spread([1, 9]).outliers.isEmpty)
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
        let confidence = try #require(Spread(now).confidence(above: Spread(base)))
        #expect(abs(confidence - (1 - extreme / total)) < 1e-12)
    }

    @Test("the exact and the approximate confidence agree, and one round gives none")
    func confidenceOfExtremes() throws {
        // The confidences by an independent program; the last one uses the approximation.
        for (count, expected) in [(60, 0.4366), (100, 0.4510), (101, 0.4511), (1000, 0.4845)] {
            let low = (0..<count).map { Double($0) }
            let high = low.map { $0 - 0.5 }
            let confidence = try #require(Spread(high).confidence(above: Spread(low)))
            #expect(abs(confidence - expected) < 0.0005, "\(count): \(confidence)")
        }
        #expect(Spread([2]).confidence(above: Spread([1, 1])) == nil)
        #expect(Spread([2, 2]).confidence(above: Spread([1])) == nil)
        let thousand = Spread(Array(repeating: 1, count: 1_000))
        let more = Spread(Array(repeating: 1, count: 1_001))
        #expect(thousand.confidence(above: thousand) != nil)
        #expect(thousand.confidence(above: more) == nil)
    }

    @Test("statistics of no values are zero")
    func none() {
        #expect(Spread([]).median == 0)
        #expect(Spread([]).max == 0)
    }

    @Test(
        "figures are printed with the requested number of digits",
        arguments: [
            (0.0, 2, "0.00"), (1.005, 1, "1.0"), (12.349, 2, "12.35"), (-0.04, 1, "0.0"),
            (-2.5, 1, "-2.5"), (999.9996, 3, "1000.000"), (.infinity, 1, "-"), (3, 0, "3"),
        ])
    func fixed(value: Double, digits: Int, text: String) {
        #expect(Figure.fixed(value, digits) == text)
    }
}
