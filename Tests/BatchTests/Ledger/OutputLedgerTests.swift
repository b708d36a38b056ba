import Batch
import Codecs
import Engine
import Glibc
import Notation
import Support
import System
import Targets
import Testing
import Transport

/// Random lists, runs, failures and edits, compared with a model: a dictionary of the files that
/// the user wrote. Every other file was written by a run.
@Suite("The ledger of output files")
struct OutputLedgerTests {
    private let fixture: RunFixture

    init() throws { fixture = try RunFixture() }

    /// The folder of one random sequence of steps, and its model.
    private struct History {
        var random: SeededRandom
        /// The folder with the outputs.
        let root: String
        /// The rows: picture, id, layout.
        var rows: [[Int]] = []
        /// The files that the user wrote, by their paths.
        var user: [String: [UInt8]] = [:]
        /// The files that the user wrote where no run had written.
        var unrelated: [[UInt8]] = []
        /// The paths that runs wrote to, also runs that failed.
        var written: Set<String> = []

        var list: String {
            let layouts = ["", "small", "large"]
            return "source,id,layout\n"
                + rows.map { "in/p\(1_000 + $0[0]).png,i\($0[1]),\(layouts[$0[2]])\n" }.joined()
        }

        mutating func editList() {
            switch random.below(4) {
            case 0 where !rows.isEmpty: rows.remove(at: random.below(rows.count))
            case 1 where !rows.isEmpty: rows.shuffle(using: &random)
            default:
                rows.append([random.below(5), random.below(8), random.below(3)])
                if rows.count > 5 { rows.removeFirst() }
            }
        }
    }

    private func files(_ root: String) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in fixture.folder.tree(root) where name.contains("/") {
            files[name] = try fixture.folder.read("\(root)/\(name)")
        }
        return files
    }

    private func batch(
        _ history: History, prunes: Bool = false
    ) throws -> (run: BatchRun, count: Int) {
        let plan = try fixture.plan(list: history.list)
        let output = try OutputFolder(FilePath(fixture.folder.path("out")))
        let files = FilesTarget { NameTemplate.standard.path(of: $0) }
        // Plain files in OUT have no set.
        let set = history.root == "out" ? nil : PictureSet(scales: [1], formats: [.png])
        let site =
            history.root == "out"
            ? TargetSpot.Site.inside("")
            : .elsewhere(FilePath(fixture.folder.path(history.root)))
        let outlet = Outlet(
            folder: output, templateText: nil,
            targets: [try TargetSpot(files, set, at: site).open(in: output)],
            hasOneLayout: false)
        let run = BatchRun(
            plan: plan, context: fixture.context, outlet: outlet, counter: RunCounter(),
            history: try RunHistory(output),
            orphans: prunes ? .remove(atMost: 100) : .count)
        return (run, plan.count)
    }

    /// Begins a run in which one kind of system call fails from a random call on.
    private func breakOff(_ history: inout History) async throws {
        let call: SystemCall = [.rename, .write, .unlink, .sync][history.random.below(4)]
        let first = 1 + history.random.below(30)
        let faults = SystemFaults([.init(call, first: first, count: .max, .fail(EIO))])
        let (run, count) = try batch(history, prunes: history.random.below(2) == 0)
        do {
            _ = try await SystemCalls.$faults.withValue(faults) {
                try await run.run(0..<count)
            }
        } catch BatchError.outlet {
            // The run ended early.
        }
        try see(&history)
    }

    /// Records the files that a run wrote, also if the run ended early.
    private func see(_ history: inout History) throws {
        let files = try files(history.root)
        for (name, bytes) in files where history.user[name] != bytes {
            history.user[name] = nil
            history.written.insert(name)
        }
        history.user = history.user.filter { files[$0.key] != nil }
    }

    /// Changes or removes a file, or adds one where no run has written.
    private func editFiles(_ history: inout History) throws {
        let bytes = Array("the user's file \(history.random.next())".utf8)
        let names = try files(history.root).keys.sorted()
        switch history.random.below(3) {
        case 0 where !names.isEmpty:
            let name = names[history.random.below(names.count)]
            fixture.folder.remove("\(history.root)/\(name)")
            let removed = history.user.removeValue(forKey: name)
            history.unrelated.removeAll { $0 == removed }
        case 1 where !names.isEmpty:
            let name = names[history.random.below(names.count)]
            guard history.user[name] == nil else { return }
            try fixture.folder.write(bytes, to: "\(history.root)/\(name)")
            history.user[name] = bytes
        default:
            let layout = ["small", "large"][history.random.below(2)]
            let name = "\(layout)/i\(history.random.below(8)).png"
            guard !history.written.contains(name), history.user[name] == nil else { return }
            try fixture.folder.write(bytes, to: "\(history.root)/\(name)")
            history.user[name] = bytes
            history.unrelated.append(bytes)
        }
    }

    @Test(
        "over random edits, failures and prunes, the ledger counts exactly the unchanged outputs",
        arguments: ["out", "target"])
    func model(root: String) async throws {
        try fixture.fill(5, side: 8)
        var history = History(random: SeededRandom(seed: TestSeed.value), root: root)
        for _ in 0..<150 {
            switch history.random.below(6) {
            case 0: try editFiles(&history)
            case 1 where !history.rows.isEmpty: try await breakOff(&history)
            default:
                if history.random.below(3) > 0 { history.editList() }
                try await check(&history)
            }
        }
    }

    /// Runs the list to its end and compares the folder with the model.
    private func check(_ history: inout History) async throws {
        let prunes = history.random.below(2) == 0
        let before = try files(history.root)
        let (run, count) = try batch(history, prunes: prunes)
        let report = try await run.run(0..<count)
        let made = try Set(fixture.items().flatMap(\.paths))
        history.written.formUnion(made)
        let left = Set(before.keys).subtracting(made)
        let orphans = left.filter { history.user[$0] != before[$0] }
        let top = root(of: history)
        let reported = Set(report.orphans?.paths ?? [])
        #expect(reported == Set(orphans.map { top + $0 }), "\(TestSeed.words)")
        let removed = prunes && count > 0 ? orphans : []
        let after = try files(history.root)
        #expect(Set(after.keys) == made.union(left).subtracting(removed), "\(TestSeed.words)")
        let mismatches = try fixture.verification().mismatches
        #expect(mismatches.isEmpty, "\(TestSeed.words)")
        for name in left.subtracting(removed) {
            #expect(after[name] == before[name], "\(TestSeed.words)")
        }
        try see(&history)
        for bytes in history.unrelated {
            #expect(after.values.contains(bytes), "\(TestSeed.words)")
        }
    }

    private func root(of history: History) -> String {
        history.root == "out" ? "" : fixture.folder.path(history.root) + "/"
    }
}
