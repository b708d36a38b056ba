import CSandbox

package struct WorkerSettings: Sendable {
    package var count: Int
    /// The program that becomes a worker when its first argument is `WorkerMain.word`.
    package var program: String
    /// The memory for decoding if nothing else is decoded, in bytes.
    package var memoryBytes: Int
    /// The isolation that a worker must have before it receives an image.
    package var isolation = Isolation.process
    /// The number of workers that are started before the first request.
    package var early: Int
    /// Returns the number of workers for this many jobs: a few more, since a core would be idle
    /// while the answer of its worker is in transit.
    package static func count(jobs: Int) -> Int {
        jobs > 1 ? jobs + 1 + jobs / 4 : jobs
    }

    /// Whether workers that were forked at startup are used first.
    var adopts: Bool { program == Self.thisProgram }
    /// The longest start of a process until it is ready.
    package var startNanoseconds: UInt64 = 20_000_000_000
    /// The number of processes in a row that never became ready, after which no more are started.
    package var failuresLimit = 5
    /// The wait after the first process that never became ready; it grows fourfold with each
    /// further such process.
    package var backOffNanoseconds: UInt64 = 10_000_000
    /// Whether a lack of shared memory for one order ends the whole run with that reason. Otherwise
    /// only that order fails.
    package var endsWithoutRoom = true

    /// The path of this program, which works even if its file was replaced.
    package static var thisProgram: String { unsafe String(cString: emb_own_program()) }

    package init(
        count: Int, memoryBytes: Int, program: String = thisProgram, early: Int? = nil
    ) {
        precondition(count > 0, "Work needs at least one worker.")
        self.count = count
        self.memoryBytes = memoryBytes
        self.program = program
        self.early = min(early ?? count, count)
    }
}
