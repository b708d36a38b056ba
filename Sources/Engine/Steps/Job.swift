import Render
import Transport

/// One item on its way from source to files. It runs whole in one task.
package struct Job: Sendable {
    let shop: RunContext

    package init(_ shop: RunContext) { self.shop = shop }

    /// A named part of the way; the stage is where its time is counted.
    struct Step: Sendable {
        let stage: RunStage
        let perform: @Sendable (Job, inout JobWork) async throws(JobStop) -> Void
    }

    /// The order of work. The runner follows this list, and the clock counts by it.
    static let order: [Step] = [
        Step(stage: .fetch) { job, work async throws(JobStop) in try await job.load(&work) },
        Step(stage: .queue) { job, work async throws(JobStop) in try await job.queue(&work) },
        // Sniffing, waiting for memory, decoding, resampling, composing and encoding are one step,
        // since they may be done by another process; it says when it came to each.
        Step(stage: .decode) { job, work async throws(JobStop) in try await job.render(&work) },
    ]

    /// Makes the emblems, or their placeholder, and hands them to `sink`.
    ///
    /// - Parameters:
    ///   - past: what an earlier run found out.
    ///   - shared: what came of the same source before.
    package func run(
        _ item: BatchItem, past: PastItem? = nil, sharing shared: KeptSource? = nil,
        into sink: some OutputSink
    ) async -> JobEnd {
        var work = begin(item, past, sharing: shared)
        var fatal: OutletError?
        do throws(JobStop) {
            if !recall(&work) { try await make(&work) }
            work.clock.enter(.write)
            try store(&work, into: sink)
            work.kept = work.kept?.storing(work.record.outputs)
        } catch {
            fatal = work.end(with: error)
        }
        work.clock.finish()
        return JobEnd(
            record: work.record, seen: work.seen, via: work.via,
            reuse: work.reuse, clock: work.clock, network: work.network, kept: work.kept,
            fatal: fatal)
    }

    /// Makes the emblems, or their placeholder, and hands them over with their record.
    package func draw(_ item: BatchItem) async -> (record: ItemRecord, rendering: Rendering?) {
        var work = begin(item, nil, sharing: nil)
        do throws(JobStop) {
            try await make(&work)
        } catch {
            _ = work.end(with: error)
        }
        return (work.record, work.rendering)
    }

    /// Hands over what was drawn; the files of an item that has the same name and source stand
    /// already.
    private func store(_ work: inout JobWork, into sink: some OutputSink) throws(JobStop) {
        guard let rendering = work.rendering, work.record.outputs.isEmpty || !sink.isOnePlace
        else { return }
        work.record.outputs = try sink.store(rendering.images, of: work.item, past: work.past)
    }

    private func begin(
        _ item: BatchItem, _ past: PastItem?, sharing shared: KeptSource?
    ) -> JobWork {
        let settings = shop.settings
        do throws(ItemFailure) {
            return JobWork(
                item: item, recipe: try item.recipe(in: settings), settings: settings,
                past: past, shared: shared)
        } catch {
            var work = JobWork(
                item: item, recipe: settings.recipe, settings: settings, past: past, shared: nil)
            work.record.line = item.line
            work.record.failure = error
            return work
        }
    }

    /// Tries the source, then its alternatives, then the placeholder.
    private func make(_ work: inout JobWork) async throws(JobStop) {
        if work.record.failure == nil { try await trySources(&work) }
        work.releaseDecoding()
        guard work.record.failure != nil, !takeOverPlaceholder(&work) else { return }
        try await substitute(&work)
    }

    /// The first source that can be shown ends the search; the failure that is kept is that of the
    /// item's own source.
    private func trySources(_ work: inout JobWork) async throws(JobStop) {
        var first: ItemFailure?
        var own: SourceReference?
        do throws(IntakeError) {
            own = try work.item.reference(remoteOnly: shop.settings.remoteOnly)
        } catch {
            first = ItemFailure(error)
        }
        let others = work.item.alternativeReferences(remoteOnly: shop.settings.remoteOnly)
        var ownRecord: SourceRecord?
        var ownFile: SeenFile?
        if let own {
            work.source = own
            first = try await follow(&work)
            work.keep(first)
            if first == nil { return }
            ownRecord = work.record.src
            ownFile = work.seen
        }
        for (place, source) in others.enumerated() {
            work.letGo()
            work.source = source
            work.via = place + 1
            guard try await follow(&work) != nil else { return }
        }
        work.via = 0
        work.seen = ownFile
        work.record.src = ownRecord
        work.record.failure = first
        if first?.errorClass == .badURL || first?.errorClass == .missingURL {
            work.record.line = work.item.line
        }
    }

    /// Runs the steps; what is wrong with the picture is returned, not thrown.
    private func follow(_ work: inout JobWork) async throws(JobStop) -> ItemFailure? {
        do throws(JobStop) {
            for step in Self.order {
                guard !Task.isCancelled else { throw .canceled }
                guard !work.clock.isLate else {
                    throw .failure(ItemFailure(.timeout, stage: step.stage))
                }
                if work.rendering != nil || work.reuse != .none { break }
                work.clock.enter(step.stage)
                try await step.perform(self, &work)
            }
            return nil
        } catch {
            guard case .failure(let failure) = error else { throw error }
            work.releaseDecoding()
            return failure
        }
    }
}

/// Why a job left its way.
package enum JobStop: Error {
    /// The item is at fault; the run goes on.
    case failure(ItemFailure)
    /// The run was asked to stop.
    case canceled
    /// The output folder is at fault; no other item will fare better.
    case fatal(OutletError)
}

/// What the run keeps of a job that ended.
package struct JobEnd: Sendable {
    package let record: ItemRecord
    package let seen: SeenFile?
    package let via: Int
    package let reuse: Reuse
    package let clock: JobClock
    package let network: NetworkUse
    package let kept: KeptSource?
    package let fatal: OutletError?
}
