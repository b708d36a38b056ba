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
        #expect(Spread([1, 2, 3, 4, 5]).quartiles == (2, 4))
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
