import Batch
import Codecs
import Engine
import Glibc
import Support
import Testing
import Transport

@Suite("Runs on a failing system")
struct FaultTests {
    private let fixture: RunFixture

    init() throws { fixture = try RunFixture() }

    /// A fault at each call number of one kind of call.
    struct Trouble: CustomTestStringConvertible {
        let call: SystemCall
        let code: Int32
        /// The number of calls in a row that fail.
        var count = 1

        var testDescription: String { "\(call) \(Errno(code)) x \(count)" }
    }

    private static let troubles: [Trouble] = [
        Trouble(call: .write, code: ENOSPC), Trouble(call: .write, code: ENOSPC, count: 1_000),
        Trouble(call: .write, code: EIO), Trouble(call: .open, code: EMFILE),
        Trouble(call: .open, code: EMFILE, count: 1_000), Trouble(call: .open, code: EROFS),
        Trouble(call: .rename, code: EIO), Trouble(call: .rename, code: EROFS, count: 1_000),
        Trouble(call: .makeFolder, code: EROFS), Trouble(call: .sync, code: EIO),
        Trouble(call: .stat, code: EIO),
        Trouble(call: .read, code: EIO),
    ]

    @Test(
        "a run on a failing system ends with an error or a complete set, without partial files",
        arguments: troubles)
    func everyCall(_ trouble: Trouble) async throws {
        try fixture.fill(3)
        try fixture.folder.write("no picture", to: "in/x.png")
        let plan = try fixture.plan([.source(fixture.folder.path("in"))])
        let calm = SystemFaults([])
        try await SystemCalls.$faults.withValue(calm) { _ = try await fixture.run(plan) }
        let calls = calm.count(of: trouble.call)
        #expect(calls > 0)
        var errors = 0
        for number in 1...calls {
            let out = "out\(number)"
            let batch = try fixture.batch(plan, into: out)
            let faults = SystemFaults([
                .init(trouble.call, first: number, count: trouble.count, .fail(trouble.code))
            ])
            do {
                let report = try await SystemCalls.$faults.withValue(faults) {
                    try await batch.run(0..<plan.count)
                }
                #expect(report.ending == .finished && report.counts.done == 4)
                #expect(try fixture.verification(of: out).isIntact)
            } catch {
                errors += 1
                try expectClear(error, trouble, out)
            }
            try expectWhole(out)
        }
        if trouble.call != .read { #expect(errors > 0) }
    }

    private func expectClear(_ error: any Error, _ trouble: Trouble, _ out: String) throws {
        guard case BatchError.outlet(let cause) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(cause.exitCode == 73 || cause.exitCode == 74)
        #expect(cause.cause == Errno(trouble.code))
        #expect(cause.description.contains(fixture.folder.path(out)))
        #expect(!fixture.folder.exists("\(out)/manifest.ndjson"))
    }

    /// Checks that every file under a final name is the file of an undisturbed run, or a
    /// placeholder.
    private func expectWhole(_ out: String) throws {
        let folder = fixture.folder
        for name in fixture.pictures(in: out) {
            let bytes = try folder.read("\(out)/\(name)")
            let placeholder = String(name.prefix { $0 != "/" }) + "/x.png"
            let isWhole = try bytes == folder.read("out/\(name)")
            #expect(try isWhole || bytes == folder.read("out/\(placeholder)"), "\(out)/\(name)")
        }
        #expect(folder.names(in: "\(out)/.emblem/tmp").isEmpty)
    }

    @Test("a run on a full disk keeps the pictures of an earlier run")
    func fullDisk() async throws {
        try fixture.fill(4)
        try await fixture.runFolder()
        let before = fixture.folder.tree("out")
        let manifest = try fixture.folder.read("out/manifest.ndjson")
        let faults = SystemFaults([.init(.write, first: 2, count: 10_000, .fail(ENOSPC))])
        await #expect(throws: BatchError.self) {
            try await SystemCalls.$faults.withValue(faults) {
                _ = try await fixture.runFolder()
            }
        }
        #expect(fixture.folder.tree("out") == before)
        #expect(try fixture.folder.read("out/manifest.ndjson") == manifest)
        try await fixture.runFolder()
        #expect(fixture.folder.tree("out") == before)
        #expect(try fixture.folder.read("out/manifest.ndjson") == manifest)
        #expect(try fixture.verification().isIntact)
    }

    @Test("a run on a full disk keeps an unchanged set and its manifest")
    func standing() async throws {
        try fixture.fill(4)
        let plan = try fixture.plan([.source(fixture.folder.path("in"))])
        try await fixture.runAgain(plan)
        let before = try fixture.set()
        let calm = SystemFaults([])
        try await SystemCalls.$faults.withValue(calm) { _ = try await fixture.runAgain(plan) }
        var errors = 0
        for number in 1...calm.count(of: .write) {
            let faults = SystemFaults([
                .init(.write, first: number, count: 10_000, .fail(ENOSPC))
            ])
            do {
                _ = try await SystemCalls.$faults.withValue(faults) {
                    try await fixture.runAgain(plan)
                }
            } catch is BatchError {
                errors += 1
            }
            #expect(try fixture.set() == before, "write \(number)")
        }
        #expect(errors > 0)
    }

    @Test("a run on a full disk removes the manifest if a picture changed")
    func changed() async throws {
        try fixture.fill(4)
        let plan = try fixture.plan([.source(fixture.folder.path("in"))])
        try await fixture.runAgain(plan)
        let old = try fixture.folder.read("in/p1000.png")
        try fixture.folder.write(RunFixture.picture(48, 48, red: 250), to: "in/p1000.png")
        let faults = SystemFaults([.init(.write, first: 5, count: 10_000, .fail(ENOSPC))])
        await #expect(throws: BatchError.self) {
            try await SystemCalls.$faults.withValue(faults) {
                _ = try await fixture.runAgain(plan)
            }
        }
        #expect(!fixture.folder.exists("out/manifest.ndjson"))
        try fixture.folder.write(old, to: "in/p1000.png")
        try await fixture.runAgain(plan)
        #expect(try fixture.verification().isIntact)
    }

    @Test("a run is not disturbed by short and interrupted system calls")
    func shortCalls() async throws {
        try fixture.fill(3)
        try await fixture.runFolder()
        let faults = SystemFaults([
            .init(.write, first: 1, count: 5, .fail(EINTR)),
            .init(.write, first: 6, count: 1_000_000, .short(100)),
            .init(.read, first: 1, count: 1_000_000, .short(7)),
            .init(.open, first: 2, .fail(EINTR)), .init(.rename, .fail(EINTR)),
        ])
        try await SystemCalls.$faults.withValue(faults) {
            _ = try await fixture.runFolder(into: "other")
        }
        #expect(fixture.folder.tree("out").count >= 8)
        for name in fixture.folder.tree("out") where name != "run.json" {
            #expect(try fixture.folder.read("out/\(name)") == fixture.folder.read("other/\(name)"))
        }
    }
}
