import Artwork
import Batch
import Engine
import Glibc
import Render
import Support
import Testing
import Theming
import Transport

/// Makes every system call of a run of 20 items fail once with each of five codes.
///
/// The results over all codes, for a first run and for a run over an existing set:
///
/// | call | whole set | error 73 or 74 |
/// |---|---|---|
/// | open, read, stat of a source | the item gets its placeholder | never |
/// | open, write, rename, stat of an output, mkdir | never | always |
/// | stat of an existing output, read of the journal | made again | if its head cannot be read |
/// | sync | never | always |
/// | unlink of a temporary file | left to the next run | never |
@Suite("Each system call failed once")
struct EveryCallTests {
    private var fixture: RunFixture
    private static let codes = [ENOSPC, EIO, EROFS, EMFILE, EDQUOT]
    private static let calls: [SystemCall] = [
        .open, .read, .write, .stat, .rename, .unlink, .makeFolder, .sync, .lock, .truncate, .list,
    ]

    init() throws {
        fixture = try RunFixture()
        fixture.settings.layouts = [.emblem(.small)]
        fixture.settings.recipe.variants = fixture.settings.variants(of: [.emblem(.small)])
        try fixture.fill(19, side: 4)
        try fixture.folder.write("no picture", to: "in/x.png")
    }

    /// Runs like the tool does: lock, history, items, records.
    private func run(
        _ plan: BatchPlan, into out: String
    ) async throws -> BatchRun.Report {
        let folder = try OutputFolder(FilePath(fixture.folder.path(out)))
        let lock = try OutputLock(folder)
        let report = try await fixture.runAgain(plan, into: out)
        _ = consume lock
        return report
    }

    @Test(
        "a run with one failed system call ends with an error or a complete set, and is repaired",
        arguments: calls)
    func first(_ call: SystemCall) async throws {
        let plan = try fixture.plan([.source(fixture.folder.path("in"))])
        let calm = SystemFaults([])
        try await SystemCalls.$faults.withValue(calm) { _ = try await run(plan, into: "calm") }
        let set = try fixture.set(in: "calm")
        // At least one round is needed: a second run may make calls that a first run does not.
        for number in 1...max(1, calm.count(of: call)) {
            for code in Self.codes {
                fixture.folder.remove("out")
                try await strike(plan, call, number, code)
                try await mend(plan, set)
            }
        }
    }

    @Test(
        "one failed system call affects an incremental run no more than a first run",
        arguments: calls
    )
    func again(_ call: SystemCall) async throws {
        let plan = try fixture.plan([.source(fixture.folder.path("in"))])
        _ = try await run(plan, into: "out")
        let set = try fixture.set()
        let calm = SystemFaults([])
        try await SystemCalls.$faults.withValue(calm) { _ = try await run(plan, into: "out") }
        for number in 1...max(1, calm.count(of: call)) {
            try await strike(plan, call, number, Self.codes[number % Self.codes.count])
            try await mend(plan, set)
        }
    }

    private func strike(
        _ plan: BatchPlan, _ call: SystemCall, _ number: Int, _ code: Int32
    ) async throws {
        let faults = SystemFaults([.init(call, first: number, .fail(code))])
        do {
            let report = try await SystemCalls.$faults.withValue(faults) {
                try await run(plan, into: "out")
            }
            #expect(report.ending == .finished && report.counts.done == 20)
            #expect(try fixture.verification().isIntact, "\(call) \(number) \(Errno(code))")
        } catch {
            let exit = Self.exitCode(of: error)
            #expect(exit == 73 || exit == 74, "\(call) \(number) \(Errno(code)): \(error)")
            // An existing manifest describes a complete set.
            let isThere = fixture.folder.exists("out/manifest.ndjson")
            #expect(try !isThere || fixture.verification().isIntact, "\(call) \(number)")
        }
    }

    private static func exitCode(of error: any Error) -> Int32 {
        switch error {
        case BatchError.outlet(let cause), let cause as OutletError: cause.exitCode
        case let cause as PlanError: cause.exitCode
        default: 0
        }
    }

    private func mend(
        _ plan: BatchPlan, _ set: [String: [UInt8]]
    ) async throws {
        let report = try await run(plan, into: "out")
        #expect(report.ending == .finished)
        #expect(try fixture.set() == set)
        #expect(fixture.folder.names(in: "out/.emblem/tmp").isEmpty)
    }
}
