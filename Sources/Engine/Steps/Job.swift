import Artwork
import Raster
import Render
import Transport

/// One item on its way from source to finished pictures. It runs whole in one task.
///
/// The steps hand values on: `load` finds bytes, or what is known of them already; `show` makes
/// pictures of bytes; what came of it all is a `Draft`, and `store` hands that over.
package struct Job: Sendable {
    /// What is made of each picture.
    enum Goal: Sendable {
        case emblems
        /// The content of a sketch, as sharp as this box needs it.
        case content(PixelSize)
    }

    let context: RunContext
    let goal: Goal

    package init(_ context: RunContext) {
        self.init(context, .emblems)
    }

    init(_ context: RunContext, _ goal: Goal) {
        self.context = context
        self.goal = goal
    }

    /// Makes the emblems, or their placeholder, and hands them to `sink`.
    ///
    /// - Parameters:
    ///   - past: what an earlier run found out.
    ///   - shared: what came of the same source before.
    package func run(
        _ item: BatchItem, past: PastItem? = nil, sharing shared: SharedResult? = nil,
        into sink: some OutputSink
    ) async -> JobResult {
        let input = JobInput(item, in: context.settings, past: past, shared: shared)
        var meter = JobMeter(context.settings)
        let (draft, stop) = await outcome(of: input, &meter)
        return end(draft, stop, of: input, meter, into: sink)
    }

    /// The same for an item that nobody has to be waited for, as it is found as an earlier run left it;
    /// nil for any other.
    package func takeOver(
        _ item: BatchItem, past: PastItem, sharing shared: SharedResult? = nil,
        into sink: some OutputSink
    ) -> JobResult? {
        let input = JobInput(item, in: context.settings, past: past, shared: shared)
        var meter = JobMeter(context.settings)
        guard let draft = recall(input) ?? standing(input, &meter) else { return nil }
        return end(draft, nil, of: input, meter, into: sink)
    }

    private func end(
        _ draft: consuming Draft, _ stop: JobStop?, of input: JobInput, _ meter: JobMeter,
        into sink: some OutputSink
    ) -> JobResult {
        var (stop, meter) = (stop, meter)
        if stop == nil {
            meter.clock.enter(.store)
            do throws(JobStop) {
                try store(&draft, of: input, into: sink)
            } catch {
                stop = error
            }
        }
        let fatal = stop.flatMap { draft.end(with: $0) }
        meter.clock.finish()
        return JobResult(
            record: draft.record, seen: draft.seen, sourceIndex: draft.sourceIndex,
            standIn: draft.standIn, reuse: draft.reuse, clock: meter.clock, network: meter.network,
            shared: draft.shared,
            fatal: fatal)
    }

    /// Makes what is asked for, or what stands in for it, and stores nothing.
    func make(_ item: BatchItem) async -> Draft {
        let input = JobInput(item, in: context.settings, past: nil, shared: nil)
        var meter = JobMeter(context.settings)
        var (draft, stop) = await outcome(of: input, &meter)
        if let stop { _ = draft.end(with: stop) }
        return draft
    }

    /// What is to be stored, or `stop` where the job left its way before.
    private func outcome(
        of input: JobInput, _ meter: inout JobMeter
    ) async -> (draft: Draft, stop: JobStop?) {
        if let known = recall(input) { return (known, nil) }
        do throws(JobStop) {
            return (try await make(input, &meter), nil)
        } catch {
            return (Draft(of: input), error)
        }
    }

    /// Hands over what was drawn; the files of an item that has the same name and source stand
    /// already.
    private func store(
        _ draft: inout Draft, of input: JobInput, into sink: some OutputSink
    ) throws(JobStop) {
        if let rendering = draft.rendering, draft.record.outputs.isEmpty || !sink.isOnePlace {
            draft.record.outputs = try sink.store(
                rendering.images, of: input.item, past: input.past)
        }
        draft.shared = draft.shared?.storing(draft.record.outputs)
    }

    /// Tries the source, then its alternatives, then the placeholder.
    private func make(
        _ input: JobInput, _ meter: inout JobMeter
    ) async throws(JobStop) -> Draft {
        var draft: Draft
        if let badRow = input.badRow {
            draft = Draft(of: input)
            draft.record.line = input.item.line
            draft.record.failure = badRow
        } else {
            draft = try await trySources(input, &meter)
        }
        guard let failure = draft.record.failure, !draft.record.isStale,
            !takeOverPlaceholder(input, failure, &draft)
        else { return draft }
        try await substitute(input, &meter, &draft)
        return draft
    }

    /// The first source that can be shown ends the search; the failure that is kept is that of the
    /// item's own source.
    private func trySources(
        _ input: JobInput, _ meter: inout JobMeter
    ) async throws(JobStop) -> Draft {
        let remoteOnly = context.settings.remoteOnly
        var own = Attempt(sourceIndex: 0)
        var shared: SharedResult?
        var reference: SourceReference?
        do throws(IntakeError) {
            reference = try input.item.reference(remoteOnly: remoteOnly)
        } catch {
            own.failure = ItemFailure(error)
        }
        if let reference {
            own = try await attempt(reference, 0, input, &meter)
            shared = SharedResult(own, input)
            if case .drawn(let rendering) = own.showing { input.shared?.keep(rendering, of: input) }
            if own.failure == nil { return Draft(of: input, own, shared: shared) }
        }
        if let kept = lastGood(of: 0...0, input, own, shared) { return kept }
        for (index, source) in input.item.alternativeReferences(remoteOnly: remoteOnly).enumerated()
        {
            // Whoever waits for memory must not hold some.
            shared?.letGo()
            input.shared?.letGo()
            let other = try await attempt(source, index + 1, input, &meter)
            if other.failure == nil { return Draft(of: input, other, shared: shared) }
        }
        if let kept = lastGood(of: 1...Int.max, input, own, shared) { return kept }
        return Draft(of: input, own, shared: shared)
    }

    /// Tries one source; what is wrong with it is returned, not thrown.
    private func attempt(
        _ source: SourceReference, _ index: Int, _ input: JobInput, _ meter: inout JobMeter
    ) async throws(JobStop) -> Attempt {
        var attempt = Attempt(sourceIndex: index)
        do throws(JobStop) {
            try meter.begin(.load)
            switch try await load(source, input, &attempt, &meter) {
            case .known(let known): attempt.showing = known
            case .bytes(let bytes):
                attempt.bytes = bytes
                try await show(input, &attempt, &meter)
            }
        } catch {
            guard case .failure(let failure) = error else { throw error }
            attempt.bytes = nil
            // An old answer that cannot be shown is not why there is no fresh one.
            attempt.failure = attempt.staleReason.take() ?? failure
        }
        return attempt
    }

    /// Units of a budget.
    func granted(_ amount: Int, from budget: Budget) async throws(JobStop) -> Grant {
        do throws(CancellationError) {
            return try await budget.grant(of: amount)
        } catch {
            throw .canceled
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
package struct JobResult: Sendable {
    package let record: ItemRecord
    package let seen: SeenFile?
    /// Which of the item's sources was shown: 0 is its own.
    package let sourceIndex: Int
    /// Which of the run's own stand-ins is shown in its place.
    package let standIn: Int?
    package let reuse: Reuse
    package let clock: JobClock
    package let network: NetworkUse
    package let shared: SharedResult?
    package let fatal: OutletError?
}
