import Artwork
import Codecs
import Digest
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

extension Job {
    /// What loading brought.
    enum Loading {
        case bytes(SourceBytes)
        /// What there is to show is known already.
        case known(Attempt.Showing)
    }

    /// Reads the source, once its bytes have a place in memory, unless what it shows is known.
    func load(
        _ source: SourceReference, _ input: JobInput, _ attempt: inout Attempt,
        _ meter: inout JobMeter
    ) async throws(JobStop) -> Loading {
        if let known = try takeOverUnread(source, input, &attempt) { return .known(known) }
        if attempt.sourceIndex == 0, let shared = input.shared,
            let found = try takeShared(shared, input, &attempt)
        {
            return found
        }
        let loaded: SourceBytes
        switch (source.kind, input.item.picture) {
        case (.remote, _):
            loaded = try await fetch(
                source, failedBefore: input.past?.isRetried ?? false, &attempt, &meter)
        // Whoever hands a picture over knows it: nothing is recorded of its bytes.
        case (.given, .held(let holder)): return .bytes(try await fetch(from: holder, &meter))
        default: loaded = try await read(source, of: input.item, &attempt)
        }
        let bytes = loaded.bytes
        attempt.src = SourceRecord(
            bytes: bytes.count, sha256: SHA256.hash(bytes.span).hex, header: nil)
        attempt.bytes = loaded
        return try takeOverRead(input, &attempt).map { .known($0) } ?? .bytes(loaded)
    }

    /// What came of the same source before; nil where that is not known any more.
    private func takeShared(
        _ shared: SharedResult, _ input: JobInput, _ attempt: inout Attempt
    ) throws(JobStop) -> Loading? {
        attempt.src = shared.src
        attempt.staleReason = shared.staleReason
        if case .failure(let failure) = shared.result { throw .failure(failure) }
        attempt.bytes = shared.bytes
        if let drawing = shared.drawing(by: input.recipe) { return .known(.shared(drawing)) }
        if let past = try takeOverRead(input, &attempt) { return .known(past) }
        if let bytes = attempt.bytes { return .bytes(bytes) }
        attempt.src = nil
        return nil
    }

    private func read(
        _ source: SourceReference, of item: BatchItem, _ attempt: inout Attempt
    ) async throws(JobStop) -> SourceBytes {
        if case .file(let path) = source.kind { return try await read(path, &attempt) }
        let limit = context.settings.bytesLimit
        return try taking { () throws(IntakeError) in
            switch source.kind {
            case .data:
                return SourceBytes(try DataURI.decode(source.text, bytesLimit: limit))
            case .icon(let name):
                guard let icon = BuiltInIcon(rawValue: name) else { throw .noIcon(name) }
                // What is drawn is the icon, in its box; its bytes tell whether it is still the same.
                return SourceBytes(Array(icon.svg.utf8), showing: .icon(icon))
            case .given:
                guard case .bytes(let bytes) = item.picture else {
                    throw .tooLarge(limit: limit)
                }
                return SourceBytes(bytes, covered: bytes.count)
            case .standardInput:
                return SourceBytes(try StandardInput.read(bytesLimit: limit))
            case .file, .remote: preconditionFailure("What is remote is fetched.")
            }
        }
    }

    /// Reads a file once its bytes have a place in memory.
    private func read(
        _ path: FilePath, _ attempt: inout Attempt
    ) async throws(JobStop) -> SourceBytes {
        let limit = context.settings.bytesLimit
        let file = try taking { () throws(IntakeError) in
            let file = try OpenFile(path)
            guard file.size <= limit else { throw .tooLarge(limit: limit) }
            return file
        }
        attempt.seen = SeenFile(file.facts)
        let grant = try await granted(file.size, from: context.bodies)
        let bytes = try taking { () throws(IntakeError) in try file.readAll(limit: limit) }
        return SourceBytes(bytes, grant)
    }

    /// What cannot be taken in is the item's failure, unless the run was asked to stop.
    private func taking<Result: ~Copyable>(
        _ body: () throws(IntakeError) -> Result
    ) throws(JobStop) -> Result {
        do throws(IntakeError) {
            return try body()
        } catch {
            guard !Task.isCancelled else { throw .canceled }
            throw .failure(ItemFailure(error))
        }
    }

    /// Has a picture handed over, once there is room for it.
    private func fetch(
        from holder: any GivenSource, _ meter: inout JobMeter
    ) async throws(JobStop) -> SourceBytes {
        // Whoever waits for room with a picture in its hands goes first.
        try meter.wait()
        _ = try await granted(1, from: context.bodies)
        try meter.begin(.load)
        let loaded = try await holder.load()
        try meter.wait()
        let grant = try await granted(loaded.byteCount, from: context.bodies)
        // From here on it counts for the run, and no longer for its loader.
        withExtendedLifetime(loaded.held) {}
        return SourceBytes(loaded.bytes, showing: loaded.subject, grant)
    }

    /// Loads from the network, in what is left of the item's time.
    private func fetch(
        _ source: SourceReference, failedBefore: Bool, _ attempt: inout Attempt,
        _ meter: inout JobMeter
    ) async throws(JobStop) -> SourceBytes {
        if let loader = context.loader {
            return SourceBytes(
                try await loader.load(source.text), covered: context.settings.bodyBytes)
        }
        let outcome: NetworkOutcome
        let loader: NetworkLoader
        do throws(NetworkFailure) {
            loader = try context.network.loader()
            let request = NetworkRequest(
                url: source.text, timeLeft: meter.clock.timeLeft, failedBefore: failedBefore)
            outcome = await loader.load(request)
        } catch {
            throw .failure(ItemFailure(error))
        }
        meter.clock.divide(by: outcome.timings)
        meter.network.add(outcome)
        switch outcome.result {
        case .success(let response):
            return SourceBytes(response.body, covered: context.settings.bodyBytes)
        case .failure(let failure):
            guard failure.kind != .canceled else { throw .canceled }
            let reason = ItemFailure(failure)
            guard keepsStale(reason), let kept = loader.kept(source.text) else {
                throw .failure(reason)
            }
            attempt.staleReason = reason
            return SourceBytes(kept.body, covered: context.settings.bodyBytes)
        }
    }
}

/// What a job is given, and nothing of it changes.
struct JobInput: Sendable {
    let item: BatchItem
    /// How the item shall look; the run's own recipe where its row cannot be used.
    let recipe: Recipe
    let badRow: ItemFailure?
    /// What an earlier run found out.
    let past: PastItem?
    /// What came of the same source before.
    let shared: SharedResult?

    init(
        _ item: BatchItem, in settings: RunSettings, past: PastItem?, shared: SharedResult?
    ) {
        self.item = item
        self.past = past
        do throws(ItemFailure) {
            recipe = try item.recipe(in: settings)
            badRow = nil
            self.shared = shared
        } catch {
            recipe = settings.recipe
            badRow = error
            self.shared = nil
        }
        mask = settings.mask
    }

    private let mask: SourceMask

    /// The item's record before anything is known of its source.
    var record: ItemRecord {
        var record = ItemRecord(
            index: item.index, id: item.id, name: item.name, source: mask.shown(item.source),
            status: .canceled)
        record.row = item.row
        record.accessibility = Accessibility(
            label: item.label, hint: item.hint, value: item.value)
        for column in ListColumn.look {
            guard let text = item.look[column] else { continue }
            record.look[column] =
                column == .placeholder ? mask.shown(text) : SourceMask.inside(text: text)
        }
        record.alternatives = item.alternatives.map(mask.shown)
        record.extra = item.extra
        return record
    }
}

/// Where finished pictures go.
package protocol OutputSink: Sendable {
    /// Equal names are one place: what stands there need not be handed over again.
    var isOnePlace: Bool { get }

    /// Takes the pictures of an item, and says under which names.
    ///
    /// - Parameter past: what an earlier run stored of the item.
    func store(
        _ images: [RenderedImage], of item: BatchItem, past: PastItem?
    ) throws(JobStop) -> [OutputRecord]
}
