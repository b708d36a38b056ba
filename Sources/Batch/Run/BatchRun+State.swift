import Engine
import Render
import System
import Transport

extension BatchRun {
    /// The state of a run between two items. Only the task of the run uses it.
    final class State {
        private var rows: AnyIterator<PlannedRow>
        /// The rows that a resumed run tries again, after all others.
        private var retried = Deque<PlannedRow>()
        let memory: RunMemory
        private let remoteOnly: Bool
        private let backend: any RenderBackend
        var journal: Journal
        var recorder = RunRecorder()
        var stop: Ending?
        var failure: BatchError?
        private let ledger: OutputLedger

        init(
            _ indices: Range<Int>, _ context: RunContext, journal: consuming Journal,
            ledger: OutputLedger, memory: RunMemory
        ) {
            self.ledger = ledger
            self.memory = memory
            rows = AnyIterator(
                indices.lazy.enumerated()
                    .map { PlannedRow(place: $0.offset, index: $0.element) }.makeIterator())
            remoteOnly = context.settings.remoteOnly
            backend = context.backend
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
                lookAhead.add(row, plan.reference(at: row.index, remoteOnly: remoteOnly))
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
            recorder.record(end)
            if let fatal = end.fatal {
                failure = failure ?? .outlet(fatal)
                return
            }
            guard end.record.status != .canceled else {
                stop = .canceled
                return
            }
            do throws(OutletError) {
                try journal.append(line, isNew: end.reuse == .none, at: row.place)
                ledger.settle(end.record)
            } catch {
                failure = failure ?? .outlet(error)
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
