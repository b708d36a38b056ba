import Batch
import Codecs
import Engine
import Glibc
import Support
import System
import Testing
import Transport

/// Runs that end early, at a random moment, while rows share sources and wait for memory.
@Suite("Runs that end early")
struct FatalEndTests {
    private static let rounds = 400
    /// A run counts as hung if no item ends during this many pauses of this length. Each pause
    /// lasts until the threads of the run have executed a task. If a busy machine or another test
    /// delays these threads, only one pause passes.
    private static let (pausesLimit, pause) = (100, Duration.milliseconds(50))

    /// The reason why a run ends before its last item.
    private enum Cause: CaseIterable {
        case fullDisk, cancellation, none
    }

    private struct Round {
        let cause: Cause
        /// The number of system calls, or of ended items, after which the run is made to end.
        let moment: Int
        let sources: [String]
        let layouts: [String]
        let jobs: Int
        let memoryBytes: Int

        init(_ dice: inout SeededRandom, files: Int) {
            cause = Cause.allCases[dice.below(Cause.allCases.count)]
            moment = 1 + dice.below(30)
            let count = 4 + dice.below(28)
            let shared = 2 + dice.below(files - 1)
            sources = (0..<count).map { _ in "in/\(dice.below(shared)).bmp" }
            let names = ["small", "medium", "large"]
            layouts = (0..<count).map { _ in names[dice.below(names.count)] }
            jobs = 1 + dice.below(4)
            // The largest file fits the memory share for bodies, and two do not.
            memoryBytes = 16 * (60 + dice.below(120)) << 10
        }

        var list: String {
            let rows = zip(sources, layouts).map { "\($0),\($1)" }
            return (["source,layout"] + rows).joined(separator: "\n") + "\n"
        }
    }

    private let fixture: RunFixture

    init() throws {
        fixture = try RunFixture()
        for number in 0..<8 {
            let picture = Bitmap.bytes(side: 80 + 12 * number, red: UInt8(number * 30))
            try fixture.folder.write(picture, to: "in/\(number).bmp")
        }
    }

    @Test("a run that ends on an error never stalls for five seconds")
    func everyWaitEnds() async throws {
        var dice = SeededRandom(seed: TestSeed.value)
        var ends: [Cause: Int] = [:]
        for number in 0..<Self.rounds {
            let round = Round(&dice, files: 8)
            guard let isEarly = try await run(round) else {
                Issue.record("round \(number), \(round): it hung; \(TestSeed.words)")
                return
            }
            if isEarly { ends[round.cause, default: 0] += 1 }
        }
        #expect(ends[.none] == nil)
        for cause in Cause.allCases where cause != .none {
            #expect(ends[cause, default: 0] > Self.rounds / 40, "\(cause); \(TestSeed.words)")
        }
    }

    /// Runs one round. Returns whether the run ended early, or nil if it hung.
    private func run(_ round: Round) async throws -> Bool? {
        fixture.folder.remove("out")
        var fixture = fixture
        fixture.settings.jobs = round.jobs
        fixture.settings.memoryBytes = round.memoryBytes
        let plan = try fixture.plan(list: round.list)
        let counter = RunCounter()
        let batch = try fixture.batch(plan, counter: counter)
        let faults = SystemFaults(
            round.cause == .fullDisk
                ? [.init(.write, first: round.moment, count: .max, .fail(ENOSPC))] : [])
        let work = Task {
            try await SystemCalls.$faults.withValue(faults) {
                try await batch.run(0..<plan.count)
            }
        }
        let hung = Task {
            var (pauses, ended) = (0, counter.now.done)
            while pauses < Self.pausesLimit {
                try await Task.sleep(for: Self.pause)
                let now = counter.now.done
                pauses = now > ended ? 0 : pauses + 1
                ended = now
            }
            work.cancel()
        }
        if round.cause == .cancellation {
            let moment = min(round.moment, plan.count)
            while counter.now.done < moment, !work.isCancelled { await Task.yield() }
            work.cancel()
        }
        let result = await work.result
        hung.cancel()
        if case .success = await hung.result { return nil }
        switch result {
        case .success(let report): return report.ending != .finished
        case .failure: return true
        }
    }
}

/// Uncompressed pictures, so that a source takes as much memory as its file.
private enum Bitmap {
    static func bytes(side: Int, red: UInt8) -> [UInt8] {
        func word(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let rows = [UInt8](repeating: red, count: side * side * 4)
        return Array("BM".utf8) + word(54 + rows.count, 4) + word(0, 4) + word(54, 4)
            + word(40, 4) + word(side, 4) + word(side, 4) + word(1, 2) + word(32, 2)
            + word(0, 24) + rows
    }
}
