import Engine
import Render
import System
import Transport

extension BatchRun {
    /// What the run keeps between two items; only the task of the run touches it.
    final class State {
        private var lookAhead: LookAhead
        private var indices: StrideTo<Int>.Iterator
        private var nextPlace = 0
        /// The rows that a resumed run tries again, after all others.
        private var retried = Deque<PlannedRow>()
        let memory: RunMemory
        private let remoteOnly: Bool
        private let backend: any RenderBackend
        var journal: Journal
        var likenesses: NearDuplicates
        var recorder: RunRecorder
        var stop: Ending?
        var failure: BatchError?
        private let notes: OutputNotes

        init(
            _ indices: StrideTo<Int>, _ context: RunContext, journal: consuming Journal,
            recorder: consuming RunRecorder, notes: OutputNotes, memory: RunMemory
        ) {
            self.notes = notes
            self.memory = memory
            self.indices = indices.makeIterator()
            lookAhead = LookAhead(LookAheadBounds(context.settings, local: context.rowsAtOnce))
            remoteOnly = context.settings.remoteOnly
            backend = context.backend
            likenesses = NearDuplicates(count: indices.underestimatedCount)
            self.journal = journal
            self.recorder = recorder
        }

        /// Returns whether the run ends before its last item: it was cancelled, it failed, or no worker
        /// can be started any more. From then on no item begins, and no result is kept for one.
        func endsEarly() -> Bool {
            if Task.isCancelled { stop = .canceled }
            guard stop != nil || failure != nil || backend.failure != nil else { return false }
            lookAhead.stop()
            return true
        }

        /// The next item that may begin, or `nil` when none may now.
        func next(in plan: BatchPlan) -> (start: LookAhead.Start, item: BatchItem)? {
            guard !endsEarly() else { return nil }
            do throws(PlanError) {
                try readAhead(in: plan)
                guard let start = lookAhead.next() else { return nil }
                return (start, try plan.item(at: start.row.index))
            } catch {
                failure = .plan(error)
                return nil
            }
        }

        /// Reads rows until the look-ahead is full.
        private func readAhead(in plan: BatchPlan) throws(PlanError) {
            while lookAhead.hasRoom, let row = try nextRow(in: plan) {
                lookAhead.add(row, try plan.reference(at: row.index, remoteOnly: remoteOnly))
            }
        }

        private func nextRow(in plan: BatchPlan) throws(PlanError) -> PlannedRow? {
            while let index = indices.next() {
                let row = PlannedRow(place: nextPlace, index: index)
                nextPlace += 1
                guard memory.isResumed, memory.isRetried(try plan.item(at: index)) else {
                    return row
                }
                retried.append(row)
            }
            return retried.popFirst()
        }

        func receive(_ end: JobResult, of start: LookAhead.Start, _ line: ItemLine.Ended) {
            lookAhead.ended(start.ticket, end.shared)
            recorder.record(end)
            if let fatal = end.fatal {
                failure = failure ?? .outlet(fatal)
                return
            }
            guard end.record.status != .canceled else {
                stop = .canceled
                return
            }
            likenesses.note(end.record, at: start.row.place)
            do throws(OutletError) {
                try journal.append(line, isNew: end.reuse == .none, at: start.row.place)
                notes.settle(end.record)
            } catch {
                failure = failure ?? .outlet(error)
            }
        }

        /// Saves what the journal holds when the run ends with an error of its own, which is the
        /// one to report.
        func closeJournal() {
            do throws(OutletError) {
                try journal.stop()
            } catch {
                failure = failure ?? .outlet(error)
            }
        }
    }
}
