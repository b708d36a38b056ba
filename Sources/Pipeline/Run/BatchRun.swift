import Cell
import Codecs
import Gauge
import Notation
import Render
import Theming
import Transport

/// A whole run: every item of a plan through its job, then the records.
package struct BatchRun: Sendable {
    private let plan: BatchPlan
    private let shop: Workshop
    private let outlet: Outlet
    private let counter: RunCounter
    private let observer: Observer?

    /// Is told of each item as it ends, in the order of the ends.
    package typealias Observer = @Sendable (ItemRecord) -> Void

    package init(
        plan: BatchPlan, shop: Workshop, outlet: Outlet, counter: RunCounter,
        observer: Observer? = nil
    ) {
        self.plan = plan
        self.shop = shop
        self.outlet = outlet
        self.counter = counter
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
        /// The run as OpenMetrics text.
        package let metrics: String
    }

    /// Runs the items at `places` of the plan; the caller holds the lock of the output folder.
    ///
    /// - Throws: when the output folder fails, or a list cannot be read again. What was written
    ///   until then stays valid.
    package func run(_ places: StrideTo<Int>, trace: TraceFile?) async throws(BatchError) -> Report
    {
        let count = places.underestimatedCount
        counter.begin(total: count)
        let state = State(
            LookAhead(
                places, bounds: LookAhead.Bounds(shop.settings),
                remoteOnly: shop.settings.remoteOnly),
            journal: try open(count),
            recorder: RunRecorder(trace: trace))
        await slide(state)
        if let failure = state.failure {
            state.closeJournal()
            throw failure
        }
        let confinement = await shop.place.confinement()
        shop.place.close()
        return try finish(state, confinement)
    }

    private func open(_ count: Int) throws(BatchError) -> Journal {
        do throws(OutletError) {
            // A manifest always tells of the last run: while this one goes on, there is none.
            try outlet.folder.remove(RelativePath(ours: Manifest.name))
            return try Journal(count: count, in: outlet.folder)
        } catch {
            throw .outlet(error)
        }
    }

    private func slide(_ state: State) async {
        let job = Job(shop: shop)
        let counter = counter
        let outlet = outlet
        await Window.slide(
            next: { () -> LookAhead.Start? in
                guard let start = state.next(in: plan) else { return nil }
                counter.started()
                return start
            },
            work: { start in
                (start, await job.run(start.item, sharing: start.shared, into: outlet))
            },
            receive: { start, end in
                counter.ended(end.record)
                observer?(end.record)
                state.receive(end, of: start)
            })
        shop.network.close()
    }

    private func finish(_ state: State, _ confinement: Confinement) throws(BatchError) -> Report {
        let settings = shop.settings
        let options = OptionsRecord(settings, nameTemplate: outlet.templateText)
        let counts = counter.now
        do throws(OutletError) {
            guard state.stop != .canceled else {
                try state.journal.sync()
                return Report(
                    counts: counts, ending: .canceled, metrics: state.recorder.metrics(counts))
            }
            let record = state.recorder.document(
                counts, options: options, jobs: settings.jobs, memoryBytes: settings.memoryBytes,
                confinement: "\(confinement)")
            _ = try outlet.folder.write(
                record.span, to: RelativePath(ours: "run.json"), sync: false)
            try Manifest.write(
                &state.journal, options: options, themeDigest: settings.theme.digest,
                counts: counts, into: outlet.folder)
        } catch {
            throw .outlet(error)
        }
        return Report(
            counts: counts, ending: state.stop ?? .finished, metrics: state.recorder.metrics(counts)
        )
    }
}

/// Why a run could not be brought to its end.
package enum BatchError: Error {
    case outlet(OutletError)
    /// A list changed or vanished between planning and running.
    case plan(PlanError)
}
