import CSandbox

/// How workers are kept.
package struct WorkerSettings: Sendable {
    /// The most workers at once.
    package var count: Int
    /// The program that becomes a worker when its first argument is `WorkerMain.word`.
    package var program: String
    /// What decoding may take when nothing else is decoded.
    package var memoryBytes: Int
    /// What must hold a worker before it is given a picture.
    package var isolation = Isolation.process
    /// How many workers are started before anybody asks.
    package var early: Int
    /// The workers for so many jobs at once: a few more, since one whose answer is on its way to us
    /// would leave its core idle.
    package static func count(jobs: Int) -> Int {
        jobs > 1 ? jobs + 1 + jobs / 4 : jobs
    }

    /// The processes that this one made at its beginning are taken first.
    var adopts: Bool { program == Self.thisProgram }
    /// How long a process may take until it is ready.
    package var startNanoseconds: UInt64 = 20_000_000_000
    /// After so many processes in a row that were of no use no more are started.
    package var failuresLimit = 5
    /// The wait after the first of them; four times as long after each further one.
    package var backOffNanoseconds: UInt64 = 10_000_000
    /// Where this process lacks the room for one order, no other is begun, as for a run that is to end
    /// and say why. Otherwise that order fails alone.
    package var endsWithoutRoom = true

    /// This program itself, whatever became of its file.
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
