/// How cells are kept.
package struct CellSettings: Sendable {
    /// The most cells at once.
    package var count: Int
    /// The program that becomes a cell when its first argument is `CellWorker.word`.
    package var program: String
    /// What decoding may take when nothing else is decoded.
    package var memoryBytes: Int
    /// How many cells are started before anybody asks.
    package var early: Int
    /// How long a process may take until it is ready.
    package var startNanoseconds: UInt64 = 20_000_000_000
    /// After so many processes in a row that were of no use no more are started.
    package var failuresLimit = 5
    /// The wait after the first of them; four times as long after each further one.
    package var backOffNanoseconds: UInt64 = 10_000_000

    package init(
        count: Int, memoryBytes: Int, program: String = "/proc/self/exe", early: Int? = nil
    ) {
        precondition(count > 0, "Work needs at least one cell.")
        self.count = count
        self.memoryBytes = memoryBytes
        self.program = program
        self.early = min(early ?? count, count)
    }
}
