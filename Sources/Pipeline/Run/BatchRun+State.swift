import Transport

extension BatchRun {
    /// What the run keeps between two items; only the task of the run touches it.
    final class State {
        private var lookAhead: LookAhead
        var journal: Journal
        var recorder: RunRecorder
        var stop: Ending?
        var failure: BatchError?

        init(
            _ lookAhead: consuming LookAhead, journal: consuming Journal,
            recorder: consuming RunRecorder
        ) {
            self.lookAhead = lookAhead
            self.journal = journal
            self.recorder = recorder
        }

        /// The next item that may begin, or `nil` when none may now.
        func next(in plan: BatchPlan) -> LookAhead.Start? {
            if Task.isCancelled { stop = .canceled }
            guard stop == nil, failure == nil else { return nil }
            do throws(PlanError) {
                return try lookAhead.next(in: plan)
            } catch {
                failure = .plan(error)
                return nil
            }
        }

        func receive(_ end: JobEnd, of start: LookAhead.Start) {
            lookAhead.ended(start.ticket, end.kept)
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
                try journal.append(end, at: start.row.place)
            } catch {
                failure = failure ?? .outlet(error)
            }
        }

        /// Saves what the journal holds when the run ends with an error of its own, which is the
        /// one to report.
        func closeJournal() {
            do throws(OutletError) {
                try journal.sync()
            } catch {
                failure = failure ?? .outlet(error)
            }
        }
    }
}
