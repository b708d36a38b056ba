import Artwork
import Codecs
import Engine
import Glibc
import Raster
import Render
import Synchronization
import System
import Theming
import Transport

extension BatchRun {
    /// A row that a program delivers while earlier ones are drawn.
    package enum Arrival: Sendable {
        case row(ListRow)
        /// The program has no more rows because of an error. The run ends as if it were cancelled.
        case failed
    }

    /// The number of rows that may have arrived and not begun.
    private static let rowsAhead = 1_024

    /// Draws rows while they arrive. `draft` becomes the plan after the last row.
    ///
    /// If two items want one name, both get a suffix, even the item that arrived earlier. So each
    /// item is drawn under the name that it probably gets (`NameForecast`). After the last row, the
    /// run renames the files of items that get another name.
    ///
    /// - Parameters:
    ///   - folder: The folder in which relative paths start.
    ///   - arrivals: Waits for the next row; `nil` at the end.
    package func run(
        _ draft: PlanDraft, in folder: FilePath,
        arrivals: @escaping @Sendable () async -> Arrival?
    ) async throws(BatchError) -> Report {
        let state = try begin(
            RunIdentity(context.settings, outlet: outlet), 0..<0)
        let rows = ArrivingRows(draft, in: folder, state.memory)
        var bounds = LookAheadBounds(context.settings, local: context.rowsAtOnce)
        bounds.rows = Self.rowsAhead
        let haveArrived = Atomic(false)
        await runItems(
            state, bounds,
            arrivals: {
                let next = await arrivals()
                // A cancelled task gets no more rows either.
                if next == nil, !Task.isCancelled {
                    haveArrived.store(true, ordering: .releasing)
                }
                return next
            },
            read: { arrival, lookAhead in
                switch arrival {
                case nil: break
                case .failed: state.stop = .canceled
                case .row(let row):
                    do throws(PlanError) {
                        try rows.add(row, to: &lookAhead)
                    } catch {
                        state.failure = .plan(error)
                    }
                }
            },
            item: { rows.item(of: $0) })
        let isWhole =
            haveArrived.load(ordering: .acquiring) && counter.now.done == rows.begunCount
        guard isWhole, state.stop == nil, state.failure == nil else {
            return try end(state, hasAllItems: false)
        }
        var run = self
        do throws(BatchError) {
            run.plan = try rethrowing(BatchPlan(rows.draft), as: BatchError.plan)
            counter.begin(total: run.plan.count, skippedFiles: 0)
            state.begin(try run.settleNames(rows.forecast, state))
        } catch {
            state.failure = error
            return try end(state, hasAllItems: false)
        }
        await run.runItems(state)
        let hasAllItems = counter.now.done == run.plan.count
        if hasAllItems, state.stop == nil, state.failure == nil {
            do throws(BatchError) {
                try run.settleRows(state)
            } catch {
                state.failure = error
            }
        }
        return try run.end(state, hasAllItems: hasAllItems)
    }

    /// Records the rows of the run, which were not known when it began.
    private func settleRows(_ state: State) throws(BatchError) {
        let identity = RunIdentity(
            context.settings, outlet: outlet, plan: plan,
            indices: 0..<plan.count)
        try rethrowing(as: BatchError.outlet) { () throws(OutletError) in
            try state.journal.settle(identity, repeats: repeats(identity))
        }
    }

    /// Gives final names to the items that have other names. Returns the items that are still to be
    /// drawn, including those whose files were removed during the run.
    private func settleNames(
        _ forecast: NameForecast, _ state: State
    ) throws(BatchError) -> [Int] {
        guard forecast.hasConflicts || plan.renamedCount > 0 else { return [] }
        var (late, owners, sharers): ([Int], [Int], [Int]) = ([], [], [])
        for index in 0..<plan.count {
            let (number, isOwner) = try rethrowing(
                plan.numbering(at: index), as: BatchError.plan)
            guard let drawn = forecast[index] else {
                late.append(index)
                continue
            }
            guard drawn != number else { continue }
            if isOwner { owners.append(index) } else { sharers.append(index) }
        }
        var incomplete: Set<Int> = []
        for index in owners
        where try !rethrowing(setAside(index, state), as: BatchError.outlet) {
            incomplete.insert(index)
        }
        for index in owners + sharers {
            let item = try rethrowing(plan.item(at: index), as: BatchError.plan)
            if incomplete.contains(item.sharesFilesWith ?? index) {
                let line = try rethrowing(state.journal.line(at: index), as: BatchError.outlet)
                if let line { counter.forget(line.item.record) }
                late.append(index)
            } else {
                try rename(item, state)
            }
        }
        return late.sorted()
    }

    /// Moves the files of an item away, since other items may need their names. Files of an earlier
    /// run stay until `--prune`, as after any other change of a name.
    ///
    /// - Returns: Whether the item had all its files.
    private func setAside(_ index: Int, _ state: State) throws(OutletError) -> Bool {
        guard let line = try state.journal.line(at: index) else { return true }
        let record = line.item.record
        let stay = history?.isOfEarlierRun(line.key, resumes: state.memory.isResumed) == true
        var isComplete = true
        var former: [(folder: OutputFolder, path: RelativePath)] = []
        for (number, output) in record.outputs.enumerated() {
            guard let path = RelativePath(output.path), let folder = outlet.folder(of: output)
            else { throw .io(path: output.path, doing: "read", cause: Errno(ENOENT)) }
            guard let bytes = try folder.read(path, limit: output.bytes) else {
                isComplete = false
                continue
            }
            let place = OutputFolder.temporaryPath(index, number)
            try outlet.folder.write(bytes.span, to: place)
            former.append((folder, path))
        }
        // Outputs of one item can have the same path, so the files are removed after the last copy.
        if !stay {
            for (folder, path) in former { try folder.remove(path) }
        }
        if !isComplete {
            for number in record.outputs.indices {
                try outlet.folder.remove(OutputFolder.temporaryPath(index, number))
            }
            if stay {
                history?.forget(line.key)
                outlet.ledger.announceFormer(LedgerFile.all(of: record, outlet.targetRecords))
            }
        }
        return isComplete
    }

    /// Stores the files of an item again under its final name.
    private func rename(_ item: BatchItem, _ state: State) throws(BatchError) {
        let index = item.index
        try rethrowing(as: BatchError.outlet) { () throws(OutletError) in
            guard let line = try state.journal.line(at: index) else { return }
            let former = line.item.record
            var record = former
            (record.id, record.name) = (item.id, item.name)
            if let owner = item.sharesFilesWith {
                record.outputs = try state.journal.record(at: owner)?.outputs ?? []
            } else {
                record.outputs = try stored(former, as: item)
            }
            let key = state.memory.key(of: item)
            try state.journal.append(line.changed(to: record, key), isNew: true, at: index)
            outlet.ledger.settle(record)
            guard item.sharesFilesWith == nil else { return }
            if let history, history.isOfEarlierRun(line.key, resumes: state.memory.isResumed) {
                history.forget(line.key)
                outlet.ledger.announceFormer(outlet.filesLeft(of: former, by: record))
            }
            for number in former.outputs.indices {
                try outlet.folder.remove(OutputFolder.temporaryPath(index, number))
            }
        }
    }

    private func stored(
        _ record: ItemRecord, as item: BatchItem
    ) throws(OutletError) -> [OutputRecord] {
        let recipe = item.recipeOrDefault(in: context.settings)
        var images: [RenderedImage] = []
        for (number, output) in record.outputs.enumerated() {
            let variant = recipe.variants.first { output.shows($0) }
            let format = OutputFormat.allCases.first {
                output.path.hasSuffix(".\($0.fileExtension)")
            }
            guard let variant, let format,
                let bytes = try outlet.folder.read(
                    OutputFolder.temporaryPath(record.index, number), limit: output.bytes)
            else {
                throw .io(path: output.path, doing: "read", cause: Errno(ENOENT))
            }
            images.append(
                RenderedImage(
                    variant: variant, format: format,
                    size: PixelSize(width: output.width, height: output.height), bytes: bytes))
        }
        do throws(JobStop) {
            return try outlet.store(images, of: item, past: nil)
        } catch {
            guard case .fatal(let cause) = error else {
                throw .inTheWay(path: "\(outlet.folder.path)/…/\(item.name)", what: .folder)
            }
            throw cause
        }
    }
}
