import Codecs
import Engine
import Gauge
import Notation
import Render
import System
import Targets
import Theming
import Transport
import Worker

/// A run over items of a plan into one output folder.
package struct BatchRun: Sendable {
    let plan: BatchPlan
    let context: RunContext
    let outlet: Outlet
    let counter: RunCounter
    let history: RunHistory?
    let startsOver: Bool
    private let orphans: Orphans.Treatment
    let observer: Observer?

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
        package let plan: BatchPlan
        /// Nil if no manifest of the last run could be read.
        package var changes: SetChanges?
        /// The files of earlier runs that this run does not make; nil if the run did not look for
        /// them.
        package let orphans: Orphans?
    }

    /// Runs the items at `indices` of the plan; the caller holds the lock of the output folder.
    ///
    /// - Throws: If the output folder fails, or a list cannot be read again. Everything written until
    ///   then stays valid.
    package func run(_ indices: Range<Int>) async throws(BatchError) -> Report {
        let count = indices.count
        let state = try begin(
            RunIdentity(context.settings, outlet: outlet, plan: plan, indices: indices), indices)
        await runItems(state)
        return try end(state, hasAllItems: counter.now.done == count)
    }

    /// Opens the journal, and begins to count.
    func begin(_ identity: RunIdentity, _ indices: Range<Int>) throws(BatchError) -> State {
        counter.begin(total: indices.count, skippedFiles: plan.skips.count)
        let memory = memory(resumes: continues(identity))
        return State(
            indices, context, journal: try open(identity, indices, resumes: memory.isResumed),
            ledger: outlet.ledger, memory: memory)
    }

    /// Writes the records of a run whose items have ended.
    func end(_ state: State, hasAllItems: Bool) throws(BatchError) -> Report {
        history?.endLookAhead()
        context.network.shutDown()
        try check(state, hasAllItems: hasAllItems)
        let confinement = context.confinement
        return try finish(state, confinement, BackendEnd(of: context.backend))
    }

    /// Saves the journal and throws if the run failed.
    func check(_ state: State, hasAllItems: Bool) throws(BatchError) {
        // A backend that failed matters only if items are left.
        let isUnfinished = state.stop != nil || !hasAllItems
        if isUnfinished, let cause = context.backend.failure {
            state.failure = state.failure ?? .workers(cause)
        }
        if let failure = state.failure {
            state.closeJournal()
            throw failure
        }
    }

    /// Whether the run continues the last one, which was interrupted. Any other run is a new run,
    /// which reuses what fits.
    private func continues(_ identity: RunIdentity) -> Bool {
        guard let history, history.isUnfinished, let begun = history.run, !startsOver else {
            return false
        }
        return identity.onlyFailures == begun.onlyFailures && identity.equals(begun)
    }

    private func open(
        _ identity: RunIdentity, _ indices: Range<Int>, resumes: Bool
    ) throws(BatchError) -> Journal {
        if !startsOver, let begun = history?.run, let other = identity.otherSet(than: begun) {
            throw .otherSet(other)
        }
        let refusal = try rethrowing(TargetFolders.refusal(of: outlet), as: BatchError.outlet)
        if let refusal { throw .heldTarget(refusal) }
        return try rethrowing(as: BatchError.outlet) { () throws(OutletError) in
            try outlet.ledger.begin(history, outlet.targets)
            try TargetFolders.remember(outlet.targets, in: outlet.folder)
            return try journal(of: identity, indices, resumes: resumes)
        }
    }

    /// Gives the manifest its name back after an error. The run reports that error, and not an
    /// error of this function. If the manifest keeps its other name, the next run writes a new
    /// manifest.
    private func bringBackManifest() {
        try? outlet.lastManifest.comeBack()
    }

    private func journal(
        of identity: RunIdentity, _ indices: Range<Int>, resumes: Bool
    ) throws(OutletError) -> Journal {
        var journal = try Journal(
            identity, goesOn: resumes, repeats: repeats(identity), count: indices.count,
            after: history, in: outlet.folders)
        try journal.syncHead()
        return journal
    }

    /// Whether the last run finished and had exactly this identity.
    func repeats(_ identity: RunIdentity) -> Bool {
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

    private func finish(
        _ state: State, _ confinement: Confinement, _ backendEnd: consuming BackendEnd
    ) throws(BatchError) -> Report {
        let settings = context.settings
        let options = OptionsRecord(settings, outlet)
        let counts = counter.now
        var former = FormerSet()
        var files: [WrittenTarget] = []
        var isUnchanged = false
        var changes: SetChanges?
        do throws(OutletError) {
            guard state.stop != .canceled else {
                try state.journal.stop()
                outlet.ledger.end()
                backendEnd.wait()
                return Report(counts: counts, ending: .canceled, plan: plan, orphans: nil)
            }
            for folder in outlet.folders { try folder.checkFolders() }
            isUnchanged = try self.isUnchanged(state)
            // The record includes the CPU time of the workers, so they must have ended.
            backendEnd.wait()
            files = try TargetWriter(outlet).write(&state.journal)
            former = try FormerSet(in: outlet.folder)
            former.leaveOut(outlet.targets, files)
            try former.keep(in: outlet.folder)
            let record = { (found: SetChanges?) throws(OutletError) in
                let document = state.recorder.document(
                    counts, changes: found, options: options, jobs: settings.jobs,
                    memoryBytes: settings.memoryBytes, confinement: "\(confinement)")
                try outlet.folder.write(
                    document.span, to: RelativePath(ours: RunRecorder.name))
                changes = found
            }
            if !isUnchanged {
                try Manifest.write(
                    &state.journal, options: options, files: files,
                    themeDigest: settings.theme.digest, counts: counts,
                    replacing: outlet.lastManifest,
                    in: outlet.folder, record: record)
            } else {
                try record(SetChanges(unchanged: counts.done))
                try outlet.lastManifest.comeBack()
            }
        } catch {
            // The set is unchanged, even if a file next to it could not be written.
            if isUnchanged { bringBackManifest() }
            throw .outlet(error)
        }
        // The set is complete. Without the end line, the next run only checks the items once more.
        try? state.journal.close(
            items: counts.done, after: history?.runEnd, in: outlet.folder)
        return Report(
            counts: counts, ending: state.stop ?? .finished, plan: plan, changes: changes,
            orphans: try settleOrphans(state, former))
    }

    /// Returns whether this run found everything unchanged, so that the last manifest is still
    /// valid.
    private func isUnchanged(_ state: State) throws(OutletError) -> Bool {
        // Targets other than plain files have files about their pictures, which are checked one by
        // one.
        guard state.journal.isRepeated, let end = history?.runEnd,
            outlet.targets.allSatisfy({ $0.target.kind == .files })
        else { return false }
        return try end.isOfManifest(in: outlet.folder)
    }

    private func settleOrphans(
        _ state: State, _ former: FormerSet
    ) throws(BatchError) -> Orphans? {
        guard let history, orphans != .ignore else {
            outlet.ledger.end()
            return nil
        }
        return try rethrowing(as: BatchError.outlet) { () throws(OutletError) in
            let made = { (body: (ItemRecord) -> Void) throws(OutletError) in
                try state.journal.forEachRecord(body)
            }
            if case .remove(let limit) = orphans {
                return try prune(history, former, atMost: limit, made: made)
            }
            let found = try Orphans(of: history, in: outlet, former: former, made: made)
            outlet.ledger.end(keeping: found.unrecorded)
            return found
        }
    }
}

extension BatchRun {
    /// Removes the files that this run no longer makes, unless there is an obstacle.
    func prune(
        _ history: RunHistory, _ former: FormerSet, atMost percentage: Double,
        made: ((ItemRecord) -> Void) throws(OutletError) -> Void
    ) throws(OutletError) -> Orphans {
        let base = { () throws(OutletError) in
            try PruneBase(in: outlet.folder) { Orphans.forEachName(of: history, in: outlet, $0) }
        }
        var found = try Orphans(of: history, in: outlet, former: former, base: base, made: made)
        let counts = counter.now
        found.withheld = found.obstacle(
            to: percentage, plan, items: counts.done, missing: counts.errors[.notFound] ?? 0)
        guard found.withheld == nil else {
            try found.base?.keep(in: outlet.folder)
            outlet.ledger.end(keeping: found.unrecorded)
            return found
        }
        try PruneBase.forget(in: outlet.folder)
        try found.remove(from: outlet.folder)
        try former.forget(in: outlet.folder)
        outlet.ledger.end(keeping: [])
        return found
    }
}
