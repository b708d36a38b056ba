import Testing
import Transport

@Suite("The pauses that hosts requested")
struct HostWaitsTests {
    private static let second: Int64 = 1_000_000_000

    @Test("overlapping pauses of a host count once, and the rest of a pause does not count yet")
    func totals() {
        let waits = HostWaits()
        waits.note("a", until: 10 * Self.second, at: 0)
        waits.note("a", until: 12 * Self.second, at: 4 * Self.second)
        waits.note("b", until: Self.second / 2, at: 0)
        waits.note("c", until: 5 * Self.second, at: 3 * Self.second)
        let longest = waits.longest(at: 4 * Self.second)
        #expect(longest?.host == "a" && longest?.left == 8 * Self.second)
        #expect(waits.longest(at: 12 * Self.second) == nil)
        let early = waits.totals(at: 6 * Self.second)
        #expect(early.map(\.host) == ["a", "c"])
        #expect(early.map(\.time) == [6 * Self.second, 2 * Self.second])
        #expect(
            waits.totals(at: 99 * Self.second).map(\.time) == [12 * Self.second, 2 * Self.second])
    }
}
