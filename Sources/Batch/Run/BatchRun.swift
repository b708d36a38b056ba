import Codecs
import Engine
import Gauge
import Notation
import Render
import Targets
import Theming
import Transport
import Worker

/// A whole run: every item of a plan through its job, then the records.
package struct BatchRun: Sendable {
    let plan: BatchPlan
    let context: RunContext
    let outlet: Outlet
    let counter: RunCounter
    let history: RunHistory?
    let resumes: Bool
    let startsOver: Bool
    private let orphans: Orphans.Treatment
    private let shard: ShardRecord?
    private let syncNanoseconds: UInt64
    let observer: Observer?

    /// Is told of each item as it ends, in the order of the ends.
    package typealias Observer = @Sendable (ItemRecord) -> Void

    /// - Parameters:
    ///   - history: what earlier runs into the folder left.
    ///   - resumes: the run goes on where the last one was interrupted, if one was.
    ///   - startsOver: nothing is taken over from earlier runs.
    ///   - orphans: what becomes of files that earlier runs made and this one does not.
    ///   - syncNanoseconds: the least time between two background syncs.
    ///   - shard: the part of the list that the run is over, where it is not the whole of it.
    package init(
        plan: BatchPlan, context: RunContext, outlet: Outlet, counter: RunCounter,
        history: RunHistory? = nil, resumes: Bool = false, startsOver: Bool = false,
        orphans: Orphans.Treatment = .ignore, shard: ShardRecord? = nil,
        syncNanoseconds: UInt64 = 1_000_000_000, observer: Observer? = nil
    ) {
        self.plan = plan
        self.context = context
        self.outlet = outlet
        self.counter = counter
        self.history = history
        self.resumes = resumes && history?.isUnfinished == true
        self.startsOver = startsOver
        self.orphans = orphans
        self.shard = shard
        self.syncNanoseconds = syncNanoseconds
        self.observer = observer
    }

    /// Why a run ended before its last item.
    package enum Ending: Sendable, Hashable {
        case finished
        /// The surrounding task was cancelled. No manifest was written.
        case canceled
    }

    /// What a run came to.
    package struct Report: Sendable {
        package let counts: RunCounts
        package let ending: Ending
        /// Nil where no manifest of a last run could be read.
        package var changes: SetChanges?
        /// Files of earlier runs that this one does not make; nil where nobody looked.
        package let orphans: Orphans?
        /// The run as OpenMetrics text.
        package let metrics: String
    }

    /// Runs the items at `indices` of the plan; the caller holds the lock of the output folder.
    ///
    /// - Throws: when the output folder fails, a list cannot be read again, or the run that is to
    ///   be resumed was another one. What was written until then stays valid.
    package func run(_ indices: StrideTo<Int>, trace: TraceFile?) async throws(BatchError) -> Report
    {
        let count = indices.underestimatedCount
        counter.begin(total: count, skippedFiles: plan.skips.count)
        let state = State(
            indices, context,
            journal: try open(indices),
            recorder: RunRecorder(trace: trace), ledger: outlet.ledger, memory: memory)
        await runItems(state)
        // That no process can be had any more is no matter where none is needed.
        let isUnfinished = state.stop != nil || counter.now.done < count
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

    private func open(_ indices: StrideTo<Int>) throws(BatchError) -> Journal {
        let identity = RunIdentity(context.settings, outlet: outlet, plan: plan, indices: indices)
        if let begun = history?.run {
            if resumes, let difference = difference(identity, begun) { throw .otherRun(difference) }
            if !startsOver, let other = identity.otherSet(than: begun) { throw .otherSet(other) }
        }
        try SharedTargets(
            outlet: outlet, plan: plan, indices: indices, settings: context.settings,
            startsOver: startsOver
        ).check()
        do throws(OutletError) {
            try outlet.ledger.begin(history, outlet.targets)
            try TargetFolders.remember(
                outlet.targets, in: outlet.folder, isShared: outlet.sharesTargets)
            return try journal(of: identity, indices)
        } catch {
            throw .outlet(error)
        }
    }

    /// After a failure that is the one to report: what cannot come back now is written anew by the next
    /// run.
    private func bringBackManifest() {
        do throws(OutletError) {
            try outlet.lastManifest.comeBack()
        } catch {
            // It stays aside.
        }
    }

    private func journal(
        of identity: RunIdentity, _ indices: StrideTo<Int>
    ) throws(OutletError) -> Journal {
        let repeats = repeats(identity)
        var journal = try Journal(
            identity, goesOn: resumes, repeats: repeats, count: indices.underestimatedCount,
            after: history, in: outlet.folders, syncNanoseconds: syncNanoseconds)
        try journal.flush()
        // A run over again has the same rows.
        if !resumes, !(repeats && RowTable.stands(in: outlet.folder)) {
            try RowTable.write(plan, into: outlet.folder)
        }
        return journal
    }

    /// The last run came to its end and was this one, word for word.
    private func repeats(_ identity: RunIdentity) -> Bool {
        guard let history, let begun = history.run, !history.isUnfinished,
            history.damage == nil, !startsOver
        else { return false }
        // The name of a look changes no output, but the manifest records it.
        return identity.options == begun.options
            && identity.difference(from: begun, row: { nil }) == nil
    }

    /// What was asked otherwise of the last run into the folder, in words.
    package func changeSinceLastRun(_ indices: StrideTo<Int>) -> String? {
        guard let begun = history?.run else { return nil }
        return RunIdentity(context.settings, outlet: outlet, plan: plan, indices: indices)
            .change(since: begun)
    }

    private func difference(_ identity: RunIdentity, _ begun: RunIdentity) -> String? {
        identity.difference(from: begun) {
            RowTable.firstDifference(plan, in: outlet.folder).map(rowText)
        }
    }

    private func rowText(_ index: Int) -> String {
        guard index < plan.count else { return "row \(index + 1) is missing" }
        do throws(PlanError) {
            let item = try plan.item(at: index)
            let line = item.line.map { " (line \($0) of \(item.list ?? "the list"))" } ?? ""
            let source = PrintableText.escaped(context.settings.mask.shown(item.source))
            return "row \(index + 1)\(line) changed: \(source)"
        } catch {
            return "row \(index + 1) changed"
        }
    }

    private func finish(
        _ state: State, _ confinement: Confinement, _ backendEnd: consuming BackendEnd
    ) throws(BatchError) -> Report {
        let settings = context.settings
        let options = OptionsRecord(settings, outlet)
        var counts = counter.now
        var former = FormerSet()
        var files: [WrittenTarget] = []
        let near: NearDuplicates.Count
        var unchanged: RunEnd?
        var changes: SetChanges?
        do throws(OutletError) {
            guard state.stop != .canceled else {
                try state.journal.stop()
                outlet.ledger.end()
                backendEnd.wait()
                return Report(
                    counts: counts, ending: .canceled, orphans: nil,
                    metrics: state.recorder.metrics(counts))
            }
            for folder in outlet.folders { try folder.checkFolders() }
            unchanged = try unchangedEnd(state)
            var duplicates: [NearDuplicates.Pair] = []
            if let unchanged {
                near = unchanged.near
            } else {
                duplicates = try state.likenesses.pairs(in: &state.journal)
                near = try NearDuplicates.count(duplicates, in: &state.journal)
            }
            counts.count(near)
            // What its processes have worked is part of the record.
            backendEnd.wait()
            files = try TargetWriter(outlet, hasSharing: plan.sharingCount > 0)
                .write(&state.journal)
            former = try FormerSet(in: outlet.folder)
            former.leaveOut(outlet.targets, files)
            try former.keep(in: outlet.folder)
            let record = { [counts] (found: SetChanges?) throws(OutletError) in
                let document = state.recorder.document(
                    counts, changes: found, options: options, shard: shard, jobs: settings.jobs,
                    memoryBytes: settings.memoryBytes, confinement: "\(confinement)")
                try outlet.folder.write(
                    document.span, to: RelativePath(ours: RunRecorder.name), sync: false)
                changes = found
            }
            if unchanged == nil {
                try Manifest.write(
                    &state.journal, options: options, files: files,
                    themeDigest: settings.theme.digest, counts: counts,
                    nearDuplicates: duplicates, replacing: outlet.lastManifest,
                    in: outlet.folder, record: record)
            } else {
                try record(SetChanges(unchanged: counts.done))
                try outlet.lastManifest.comeBack()
            }
        } catch {
            // It is the set that it was, whatever could not be written beside it.
            if unchanged != nil { bringBackManifest() }
            throw .outlet(error)
        }
        do throws(OutletError) {
            try state.journal.close(
                items: counts.done, near, after: history?.runEnd, in: outlet.folder)
        } catch {
            // The set is complete. A run whose end is not noted is only looked through once more
            // when it is asked to resume.
        }
        return Report(
            counts: counts, ending: state.stop ?? .finished, changes: changes,
            orphans: try settleOrphans(state, former),
            metrics: state.recorder.metrics(counts))
    }

    /// How the last run ended, where this one found all of it as it was: then the manifest is the
    /// one that waits.
    private func unchangedEnd(_ state: State) throws(OutletError) -> RunEnd? {
        // What other targets tell of their pictures stands in files, which are looked at one by one.
        guard state.journal.isRepeated, let end = history?.runEnd,
            outlet.targets.allSatisfy({ $0.target.kind == .files }),
            try end.isOfManifest(in: outlet.folder)
        else { return nil }
        return end
    }

    private func settleOrphans(
        _ state: State, _ former: FormerSet
    ) throws(BatchError) -> Orphans? {
        guard let history, orphans != .ignore else {
            outlet.ledger.end()
            return nil
        }
        do throws(OutletError) {
            let made = { (body: (ItemRecord) -> Void) throws(OutletError) in
                try state.journal.forEachRecord(body)
            }
            if case .remove(let limit) = orphans {
                return try prune(history, former, atMost: limit, made: made)
            }
            let found = try Orphans(of: history, in: outlet, former: former, made: made)
            outlet.ledger.end(keeping: found.unrecorded)
            return found
        } catch {
            throw .outlet(error)
        }
    }
}
