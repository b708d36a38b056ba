import Transport

extension BatchRun {
    /// An item on its way into the window.
    struct Ticket: Sendable {
        /// The place of the item's line in the manifest.
        let place: Int
        let item: BatchItem
    }

    /// What the run keeps between two items; only the task of the run touches it.
    final class State {
        private var places: StrideTo<Int>.Iterator
        private var started = 0
        var journal: Journal
        var recorder: RunRecorder
        var stop: Ending?
        var failure: BatchError?

        init(
            places: StrideTo<Int>, journal: consuming Journal, recorder: consuming RunRecorder
        ) {
            self.places = places.makeIterator()
            self.journal = journal
            self.recorder = recorder
        }

        /// The next item, or `nil` when all were started or the run shall stop.
        func next(in plan: BatchPlan) -> Ticket? {
            if Task.isCancelled { stop = .canceled }
            guard stop == nil, failure == nil, let index = places.next() else { return nil }
            defer { started += 1 }
            do throws(PlanError) {
                return Ticket(place: started, item: try plan.item(at: index))
            } catch {
                failure = .plan(error)
                return nil
            }
        }

        func receive(_ end: JobEnd, at place: Int) {
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
                try journal.append(end.record, at: place)
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
