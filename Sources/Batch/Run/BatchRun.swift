import Engine
import Render
import System
import Targets
import Theming
import Transport
import Worker

/// A run over items of a plan into one output folder.
package struct BatchRun: Sendable {
    private let plan: BatchPlan
    private let context: RunContext
    private let outlet: Outlet
    private let counter: RunCounter
    private let history: RunHistory?
    private let startsOver: Bool
    private let orphans: Orphans.Treatment
    private let observer: Observer?

    /// A function that is called with the result of each item, in the order in which the items end.
    package typealias Observer = @Sendable (JobResult) -> Void

    /// - Parameters:
    ///   - history: The results of earlier runs into the folder.
    ///   - startsOver: Whether nothing of earlier runs is reused.
    ///   - orphans: The treatment of files that earlier runs made and this run does not make.
    package init(
        plan: BatchPlan, context: RunContext, outlet: Outlet, counter: RunCounter,
        history: RunHistory? = nil, startsOver: Bool = false,
        orphans: Orphans.Treatment = .ignore,
        observer: Observer? = nil
    ) {
        self.plan = plan
        self.context = context
        self.outlet = outlet
        self.counter = counter
        self.history = history
        self.startsOver = startsOver
        self.orphans = orphans
        self.observer = observer
    }

    package enum Ending: Sendable, Hashable {
        case finished
        /// The surrounding task was cancelled. No manifest was written.
        case canceled
    }

    package struct Report: Sendable {
        package let counts: RunCounts
        package let ending: Ending
        /// Whether no item shows its source, so that the folder keeps the last set and its manifest.
        package var keepsLastSet = false
        /// Nil if no manifest of the last run could be read.
        package var changes: SetChanges?
        /// The files of earlier runs that this run does not make; nil if the run did not look for
        /// them.
        package var orphans: Orphans?
    }

    /// Runs the items at `indices` of the plan; the caller holds the lock of the output folder.
    ///
    /// - Throws: If the output folder fails. Everything written until then stays valid.
    package func run(_ indices: Range<Int>) async throws(BatchError) -> Report {
        counter.begin(total: indices.count, skippedFiles: plan.skips.count)
        let identity = RunIdentity(context.settings, outlet: outlet, plan: plan, indices: indices)
        let resumes = continues(identity)
        let memory = RunMemory(
            history: history, isResumed: resumes, startsOver: startsOver,
            onlyFailures: context.settings.onlyFailures,
            look: RunIdentity.lookDigest(
                OptionsRecord(context.settings, outlet), context.settings),
            remoteOnly: context.settings.remoteOnly)
        let state = State(
            indices, context, journal: try begin(identity, indices, resumes: resumes),
            outlet.lastManifest, memory: memory)
        await runItems(state)
        history?.endLookAhead()
        context.network.shutDown()
        // A backend that failed matters only if items are left.
        let isUnfinished =
            state.stop != nil || counter.now.done + state.heldCount < indices.count
        if isUnfinished, let cause = context.backend.failure {
            state.failure = state.failure ?? .workers(cause)
        }
        if let failure = state.failure {
            state.closeJournal()
            throw failure
        }
        let confinement = context.confinement
        return try finish(state, confinement, BackendEnd(of: context.backend))
    }

    // MARK: Begin

    /// Whether the run continues the last one, which was interrupted. Any other run is a new run,
    /// which reuses what fits.
    private func continues(_ identity: RunIdentity) -> Bool {
        guard let history, history.isUnfinished, let begun = history.run, !startsOver else {
            return false
        }
        return identity.onlyFailures == begun.onlyFailures && identity.equals(begun)
    }

    /// Opens the journal and marks the target folders, unless the run may not write to its folders.
    private func begin(
        _ identity: RunIdentity, _ indices: Range<Int>, resumes: Bool
    ) throws(BatchError) -> Journal {
        if !startsOver, let begun = history?.run, let other = identity.otherSet(than: begun) {
            throw .otherSet(other)
        }
        let refusal = try rethrowing(TargetFolders.refusal(of: outlet), as: BatchError.outlet)
        if let refusal { throw .heldTarget(refusal) }
        return try rethrowing(as: BatchError.outlet) { () throws(OutletError) in
            try outlet.ledger.begin(history, outlet.targets)
            let targets = TargetFolders(of: outlet.targets, after: history?.targets)
            let journal = try Journal(
                identity, goesOn: resumes,
                repeats: repeats(identity) && history?.targets == targets,
                count: indices.count, after: history, targets, in: outlet.folders)
            try targets.mark(outlet.targets, of: outlet.folder)
            // Without a journal, the manifest has the files of the last set.
            if history != nil, history?.run == nil {
                try journal.adopt(Manifest.filesOfLastSet(in: outlet.folder).map(\.file))
            }
            outlet.ledger.use(journal)
            if try Manifest.hasEmblemInLastSet(in: outlet.folder) { outlet.lastManifest.hold() }
            return journal
        }
    }

    /// Whether the last run finished and had exactly this identity.
    private func repeats(_ identity: RunIdentity) -> Bool {
        guard let history, let begun = history.run, !history.isUnfinished,
            history.damage == nil, !startsOver
        else { return false }
        // `equals` ignores the name in `--look`, which changes no output. The manifest records that
        // name, so the recorded options must be equal, too.
        return identity.options == begun.options && identity.equals(begun)
    }

    /// Returns the option that differs from the last run into the folder.
    package func changeSinceLastRun(_ indices: Range<Int>) -> String? {
        guard let begun = history?.run else { return nil }
        return RunIdentity(context.settings, outlet: outlet, plan: plan, indices: indices)
            .change(since: begun)
    }

    // MARK: Items

    /// Runs the rows of the plan.
    private func runItems(_ state: State) async {
        let memory = state.memory
        let job = Job(context)
        let counter = counter
        let outlet = outlet
        let receive = { (row: PlannedRow, end: JobResult, line: ItemLine.Ended) in
            counter.ended(end)
            if end.held == nil { observer?(end) }
            state.receive(end, of: row, line)
        }
        await context.withExecutor {
            await RunLoop.run(
                LookAheadBounds(context.settings, local: context.rowsAtOnce),
                arrivals: { () -> Never? in nil },
                read: { _, lookAhead in state.read(plan, into: &lookAhead) },
                begin: { start -> RunLoop.Start<Opened>? in
                    let item = plan.item(at: start.row.index)
                    counter.started()
                    let key = memory.looksAhead ? memory.key(of: item) : nil
                    let opened = Opened(
                        row: start.row, shared: start.shared, item: item, key: key,
                        past: key.flatMap(memory.ready), held: state.takeHeld(start.row))
                    // An item whose outputs are up to date needs no task.
                    guard let key, let past = opened.past,
                        let end = job.finishUnchanged(
                            item, past: past.item, sharing: start.shared, into: outlet)
                    else { return .work(opened) }
                    receive(start.row, end, ItemLine.of(end, key, past: past))
                    return .ended(end.shared)
                },
                isEnding: { state.endsEarly() },
                work: { opened in
                    let item = opened.item
                    let key = opened.key ?? memory.key(of: item)
                    let past = opened.past ?? memory.past(key, in: outlet)
                    let end = await job.run(
                        item, past: past?.item, sharing: opened.shared, after: opened.held,
                        into: outlet)
                    memory.note(end, key)
                    return (end.shared, (opened.row, end, ItemLine.of(end, key, past: past)))
                },
                receive: receive)
        }
    }

    private struct Opened: Sendable {
        let row: PlannedRow
        let shared: SharedResult?
        let item: BatchItem
        /// The key of the item, if it was computed already.
        let key: ItemKey?
        /// The result of an earlier run, if it was looked up already.
        let past: ItemLine?
        /// The failure of the item, if its placeholder was held back.
        let held: HeldFailure?
    }

    // MARK: End

    private func finish(
        _ state: State, _ confinement: Confinement, _ backendEnd: consuming BackendEnd
    ) throws(BatchError) -> Report {
        let options = OptionsRecord(context.settings, outlet)
        let journal = state.journal
        var isUnchanged = false
        do throws(OutletError) {
            guard state.stop != .canceled else {
                try journal.stop()
                backendEnd.wait()
                return Report(counts: counter.now, ending: .canceled)
            }
            for folder in outlet.folders { try folder.checkFolders() }
            let keepsLastSet = state.heldCount > 0
            if !keepsLastSet { isUnchanged = try self.isUnchanged(journal) }
            // The record includes the CPU time of the workers, so they must have ended.
            backendEnd.wait()
            if keepsLastSet {
                for end in state.takeFailures() {
                    counter.started()
                    counter.ended(end)
                    observer?(end)
                }
            }
            let counts = counter.now
            var report = Report(counts: counts, ending: .finished, keepsLastSet: keepsLastSet)
            let record = { (changes: SetChanges?) throws(OutletError) in
                let document = state.recorder.document(
                    counts, changes: changes, options: options, jobs: context.settings.jobs,
                    memoryBytes: context.settings.memoryBytes, confinement: "\(confinement)")
                try outlet.folder.write(
                    document.span, to: RelativePath(ours: RunRecorder.name))
                report.changes = changes
            }
            if keepsLastSet {
                try journal.undo()
                try record(nil)
                return report
            }
            let documents = try TargetWriter(outlet, journal)
            if !isUnchanged {
                try Manifest.write(
                    journal, options: options, files: documents.written,
                    themeDigest: context.settings.theme.digest, counts: counts,
                    replacing: outlet.lastManifest, in: outlet.folder, record: record)
            } else {
                try record(SetChanges(unchanged: counts.done))
                try outlet.lastManifest.comeBack()
            }
            report.orphans = try settleOrphans(journal, documents.keys)
            return report
        } catch {
            // The set is unchanged, even if a file next to it could not be written. If the manifest
            // keeps its other name, the next run writes a new one.
            if isUnchanged { try? outlet.lastManifest.comeBack() }
            throw .outlet(error)
        }
    }

    /// Returns whether this run found everything unchanged, so that the last manifest is still
    /// valid.
    private func isUnchanged(_ journal: Journal) throws(OutletError) -> Bool {
        // Targets other than plain files have files about their pictures, which are checked one by
        // one.
        guard journal.isRepeated, let end = history?.runEnd,
            outlet.targets.allSatisfy({ $0.target.kind == .files })
        else { return false }
        return try end.isOfManifest(in: outlet.folder)
    }

    /// Finds the files that this run no longer makes, ends the journal, and removes the files unless
    /// there is an obstacle.
    ///
    /// - Parameter documents: The keys of the files that the run made and no item has.
    private func settleOrphans(
        _ journal: Journal, _ documents: Set<String>
    ) throws(OutletError) -> Orphans? {
        let folder = outlet.folder
        var found: Orphans?
        if let history, orphans != .ignore {
            let base = { () throws(OutletError) in try PruneBase(in: folder, history) }
            let prunes = orphans != .count
            found = try Orphans(
                of: history, journal, in: outlet, documents: documents, base: prunes ? base : nil)
        }
        // The set is complete. Without the end line, the next run only checks the items once more.
        try? journal.close(
            items: counter.now.done, after: history?.runEnd,
            left: found?.announced ?? journal.left)
        guard case .remove(let percentage) = orphans, var found else { return found }
        let counts = counter.now
        found.withheld = found.obstacle(
            to: percentage, plan, items: counts.done, missing: counts.errors[.notFound] ?? 0)
        if found.withheld == nil {
            try PruneBase.forget(in: folder)
            try found.remove(from: folder, keeping: documents)
        } else {
            try found.base?.keep(in: folder)
        }
        return found
    }
}

extension BatchRun {
    /// The state of a run between two items. Only the task of the run uses it.
    private final class State {
        private var rows: AnyIterator<PlannedRow>
        /// The rows that are tried again after all others: those that the interrupted run saw fail,
        /// and those whose placeholders were held back.
        private var retried = Deque<PlannedRow>()
        /// The items whose placeholders are held back.
        private var held: [Int: (row: PlannedRow, end: JobResult)] = [:]
        let memory: RunMemory
        private let remoteOnly: Bool
        private let backend: any RenderBackend
        private let lastManifest: LastManifest
        let journal: Journal
        var recorder = RunRecorder()
        var stop: Ending?
        var failure: BatchError?

        init(
            _ indices: Range<Int>, _ context: RunContext, journal: Journal,
            _ lastManifest: LastManifest, memory: RunMemory
        ) {
            self.memory = memory
            rows = AnyIterator(
                indices.lazy.enumerated()
                    .map { PlannedRow(place: $0.offset, index: $0.element) }.makeIterator())
            remoteOnly = context.settings.remoteOnly
            backend = context.backend
            self.lastManifest = lastManifest
            self.journal = journal
        }

        /// Returns whether the run ends before its last item: it was cancelled, it failed, or no
        /// worker can be started any more.
        func endsEarly() -> Bool {
            if Task.isCancelled { stop = .canceled }
            return stop != nil || failure != nil || backend.failure != nil
        }

        func read(_ plan: BatchPlan, into lookAhead: inout LookAhead) {
            while lookAhead.hasRoom, let row = nextRow(in: plan) {
                // The source of a held row is not loaded again.
                let source =
                    held[row.index] == nil
                    ? plan.reference(at: row.index, remoteOnly: remoteOnly) : nil
                lookAhead.add(row, source)
            }
        }

        private func nextRow(in plan: BatchPlan) -> PlannedRow? {
            while let row = rows.next() {
                guard memory.isResumed, memory.isRetried(plan.item(at: row.index)) else {
                    return row
                }
                retried.append(row)
            }
            return retried.popFirst()
        }

        func receive(_ end: JobResult, of row: PlannedRow, _ line: ItemLine.Ended) {
            if end.held != nil {
                held[row.index] = (row, end)
                if !lastManifest.holdsOutputs { retried.append(row) }
                return
            }
            recorder.record(end)
            if let fatal = end.fatal {
                failure = failure ?? .outlet(fatal)
                return
            }
            guard end.record.status != .canceled else {
                stop = .canceled
                return
            }
            if end.record.status == .ok, lastManifest.holdsOutputs {
                lastManifest.release()
                for row in held.values.map(\.row).sorted(by: { $0.index < $1.index }) {
                    retried.append(row)
                }
            }
            do throws(OutletError) {
                try journal.append(
                    line, of: end.record, isNew: end.reuse == .none, at: row.place)
            } catch {
                failure = failure ?? .outlet(error)
            }
        }

        var heldCount: Int { held.count }

        /// Returns the failure of a row whose placeholder was held back.
        func takeHeld(_ row: PlannedRow) -> HeldFailure? {
            held.removeValue(forKey: row.index)?.end.held
        }

        /// Returns the results of the items whose placeholders were held back until the end.
        func takeFailures() -> [JobResult] {
            let ends = held.values.map(\.end).sorted { $0.record.index < $1.record.index }
            held = [:]
            return ends.map { end in
                var end = end
                end.held = nil
                end.record.status = .failed
                recorder.record(end)
                return end
            }
        }

        /// Saves the journal when the run ends with an error. The run reports that error, and not
        /// an error of this function.
        func closeJournal() {
            do throws(OutletError) {
                try journal.stop()
            } catch {
                failure = failure ?? .outlet(error)
            }
        }
    }
}
