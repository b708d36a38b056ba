import Artwork
import Codecs
import Digest
import Gauge
import Raster
import Render
import System
import Theming
import Transport

/// The processing of one item from its source to finished pictures, in one task.
///
/// `load` finds bytes or an earlier result; `show` renders the bytes; `store` hands the resulting
/// `Draft` to the sink.
package struct Job: Sendable {
    enum Goal: Sendable {
        case emblems
        /// The image in a form that can be embedded in an SVG, with the resolution for a box of
        /// this size in pixels.
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

    /// Makes the emblems, or those of the placeholder, and stores them in `sink`.
    ///
    /// - Parameters:
    ///   - past: The result of the item in an earlier run.
    ///   - shared: The result of an earlier row with the same source.
    ///   - held: The failure of the item, if `sink` held it back.
    package func run(
        _ item: BatchItem, past: PastItem? = nil, sharing shared: SharedResult? = nil,
        after held: HeldFailure? = nil, into sink: some OutputSink
    ) async -> JobResult {
        let input = JobInput(item, in: context.settings, past: past, shared: shared)
        var meter = JobMeter(context.settings)
        let (draft, stop) = await outcome(of: input, &meter, after: held, for: sink)
        return end(draft, stop, of: input, meter, into: sink)
    }

    /// Finishes an item without waiting if the result of an earlier run can be reused; otherwise
    /// returns nil.
    package func finishUnchanged(
        _ item: BatchItem, past: PastItem, sharing shared: SharedResult? = nil,
        into sink: some OutputSink
    ) -> JobResult? {
        let input = JobInput(item, in: context.settings, past: past, shared: shared)
        var meter = JobMeter(context.settings)
        guard let draft = recall(input) ?? unchangedResult(input, &meter) else { return nil }
        return end(draft, nil, of: input, meter, into: sink)
    }

    /// Stores the draft unless the job ended early, and returns the result.
    private func end(
        _ draft: consuming Draft, _ stop: JobStop?, of input: JobInput, _ meter: JobMeter,
        into sink: some OutputSink
    ) -> JobResult {
        var (stop, meter) = (stop, meter)
        if stop == nil, !draft.isHeld {
            meter.clock.enter(.write)
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
            dark: draft.dark, twinFailure: draft.twinFailure, fallbackIndex: draft.fallbackIndex,
            reuse: draft.reuse,
            clock: meter.clock,
            network: meter.network,
            shared: draft.shared,
            held: draft.isHeld ? HeldFailure(draft: draft) : nil,
            fatal: fatal)
    }

    /// Makes the emblems, or those of the placeholder, without storing them.
    func make(_ item: BatchItem) async -> Draft {
        let input = JobInput(item, in: context.settings, past: nil, shared: nil)
        var meter = JobMeter(context.settings)
        var (draft, stop) = await outcome(of: input, &meter)
        if let stop { _ = draft.end(with: stop) }
        return draft
    }

    /// Returns the draft to store, and `stop` if the job ended early.
    private func outcome(
        of input: JobInput, _ meter: inout JobMeter, after held: HeldFailure? = nil,
        for sink: (any OutputSink)? = nil
    ) async -> (draft: Draft, stop: JobStop?) {
        if let known = recall(input) { return (known, nil) }
        do throws(JobStop) {
            return (try await make(input, &meter, after: held, for: sink), nil)
        } catch {
            return (Draft(of: input), error)
        }
    }

    /// Stores the drawing, unless an item with the same name and source has stored the same files.
    private func store(
        _ draft: inout Draft, of input: JobInput, into sink: some OutputSink
    ) throws(JobStop) {
        if let rendering = draft.rendering,
            draft.record.outputs.isEmpty || !sink.storesEqualNamesOnce
        {
            draft.record.outputs = try sink.store(
                rendering.images, of: input.item, past: input.past)
        }
        draft.shared = draft.shared?.storing(draft.record.outputs)
    }

    /// Tries the source, then its alternatives, then the placeholder.
    private func make(
        _ input: JobInput, _ meter: inout JobMeter, after held: HeldFailure?,
        for sink: (any OutputSink)?
    ) async throws(JobStop) -> Draft {
        var draft: Draft
        if let held {
            draft = held.draft
            draft.isHeld = false
        } else if let badRow = input.badRow {
            draft = Draft(of: input)
            draft.record.line = input.item.line
            draft.record.failure = badRow
        } else {
            draft = try await trySources(input, &meter)
            try await showTwin(input, &meter, &draft)
        }
        guard let failure = draft.record.failure, !draft.record.isStale else { return draft }
        let holds = sink?.holdsFailures == true
        let last =
            keepsStale(failure)
            ? sink?.lastEmblem(of: input.item, input.recipe, context.settings.mask) : nil
        if let last, !holds || last.images.count == input.recipe.variants.count {
            try await keep(last, failure, input, &meter, &draft)
            return draft
        }
        guard !reusePlaceholder(input, failure, &draft) else { return draft }
        if holds {
            draft.isHeld = true
        } else {
            try await substitute(input, &meter, &draft)
        }
        return draft
    }

    /// Uses the first source that can be shown; if none can, keeps the failure of the item's own
    /// source.
    func trySources(
        _ input: JobInput, _ meter: inout JobMeter
    ) async throws(JobStop) -> Draft {
        let remoteOnly = context.settings.remoteOnly
        var own = Attempt(sourceIndex: 0)
        var shared: SharedResult?
        var reference: SourceReference?
        do throws(ItemFailure) {
            reference = try input.item.reference(remoteOnly: remoteOnly)
        } catch {
            // The loader of the calling program may accept the scheme.
            if context.loader != nil, error.errorClass == .unsupportedScheme {
                reference = SourceReference(text: input.item.source, kind: .remote)
            } else {
                own.failure = error
            }
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
            // Releases memory first: a job that waits for memory must not hold any.
            shared?.releaseBytes()
            input.shared?.releaseBytes()
            let other = try await attempt(source, index + 1, input, &meter)
            if other.failure == nil { return Draft(of: input, other, shared: shared) }
        }
        if let kept = lastGood(of: 1...Int.max, input, own, shared) { return kept }
        return Draft(of: input, own, shared: shared)
    }

    /// Tries one source; returns its failure instead of throwing it.
    private func attempt(
        _ source: SourceReference, _ index: Int, _ input: JobInput, _ meter: inout JobMeter
    ) async throws(JobStop) -> Attempt {
        var attempt = Attempt(sourceIndex: index)
        do throws(JobStop) {
            try meter.begin(.fetch)
            switch try await load(source, input, &attempt, &meter) {
            case .known(let known): attempt.showing = known
            case .bytes(let bytes):
                attempt.bytes = bytes
                try await show(input, &attempt, &meter)
            }
        } catch {
            guard case .failure(let failure) = error else { throw error }
            attempt.bytes = nil
            // If even the expired cache entry cannot be shown, the reported failure is the reason
            // why there is no fresh response.
            attempt.failure = attempt.staleReason.take() ?? failure
        }
        return attempt
    }

    /// Waits for a grant; throws `.canceled` if the run is stopped.
    func granted(_ amount: Int, from budget: Budget) async throws(JobStop) -> Grant {
        guard let grant = try? await budget.grant(of: amount) else { throw .canceled }
        return grant
    }
}

/// The reason why a job ended early.
package enum JobStop: Error {
    /// The item failed; the run continues.
    case failure(ItemFailure)
    /// The run was asked to stop.
    case canceled
    /// The output folder cannot be written, so that every other item would fail, too.
    case fatal(OutletError)
}

/// The failure of an item whose placeholder waits until the run has an emblem.
package struct HeldFailure: Sendable {
    let draft: Draft
}

/// The result of an item after its images were stored.
package struct JobResult: Sendable {
    package var record: ItemRecord
    /// The metadata of the source file that was shown, or that failed; nil if it was not a file.
    package let seen: SeenFile?
    /// The index of the source that was shown: 0 is the item's own.
    package let sourceIndex: Int
    /// The source of the dark outputs, if they show another source than the light outputs.
    package let dark: SeenSource
    /// The failure of the dark twin in this run. The dark outputs then show the item's own source,
    /// or the twin of an earlier run.
    package let twinFailure: ItemFailure?
    /// The index of the image in `RunContext.fallbacks` that is shown instead.
    package let fallbackIndex: Int?
    package let reuse: Reuse
    package let clock: JobClock
    package let network: NetworkUse
    package let shared: SharedResult?
    /// The failure that the sink held back; the item then has no outputs yet.
    package var held: HeldFailure?
    package let fatal: OutletError?
}

extension Job {
    /// The result of loading: bytes to render, or an image that is known already.
    enum Loading {
        case bytes(SourceBytes)
        case known(Attempt.Showing)
    }

    /// Loads the bytes of the source, unless its result is known already.
    func load(
        _ source: SourceReference, _ input: JobInput, _ attempt: inout Attempt,
        _ meter: inout JobMeter
    ) async throws(JobStop) -> Loading {
        if let known = try reuseUnread(source, input, &attempt) { return .known(known) }
        if attempt.sourceIndex == 0, let shared = input.shared,
            let found = try takeShared(shared, input, &attempt)
        {
            return found
        }
        let loaded: SourceBytes
        switch (source.kind, input.item.picture) {
        case (.remote, _):
            loaded = try await fetch(source, input, &attempt, &meter)
        // The record gets no digest of these bytes, because the calling program has the image
        // already.
        case (.given, .held(let holder)): return .bytes(try await fetch(from: holder, &meter))
        default: loaded = try await read(source, of: input.item, &attempt)
        }
        let bytes = loaded.bytes
        attempt.src = SourceRecord(
            bytes: bytes.count, sha256: SHA256.hash(bytes.span).hex, header: nil)
        attempt.bytes = loaded
        return try reuseRead(input, &attempt).map { .known($0) } ?? .bytes(loaded)
    }

    /// Reuses the result of an earlier row with the same source; nil if its bytes are needed and
    /// were released.
    private func takeShared(
        _ shared: SharedResult, _ input: JobInput, _ attempt: inout Attempt
    ) throws(JobStop) -> Loading? {
        attempt.src = shared.src
        attempt.staleReason = shared.staleReason
        if case .failure(let failure) = shared.result { throw .failure(failure) }
        attempt.bytes = shared.bytes
        if let drawing = shared.drawing(by: input.recipe) { return .known(.shared(drawing)) }
        if let past = try reuseRead(input, &attempt) { return .known(past) }
        if let bytes = attempt.bytes { return .bytes(bytes) }
        attempt.src = nil
        return nil
    }

    private func read(
        _ source: SourceReference, of item: BatchItem, _ attempt: inout Attempt
    ) async throws(JobStop) -> SourceBytes {
        if case .file(let path) = source.kind { return try await read(path, &attempt) }
        let limit = context.settings.bytesLimit
        return try taking { () throws(ItemFailure) in
            switch source.kind {
            case .data:
                return SourceBytes(try DataURI.decode(source.text, bytesLimit: limit))
            case .icon(let name):
                guard let icon = BuiltInIcon(rawValue: name) else {
                    throw ItemFailure(noIcon: name)
                }
                // The icon is drawn from its built-in paths. The bytes only give the digest that
                // shows whether a new version of the tool changed it.
                return SourceBytes(Array(icon.svg.utf8), showing: .icon(icon))
            case .given:
                guard case .bytes(let bytes) = item.picture else {
                    throw ItemFailure(tooLarge: limit)
                }
                return SourceBytes(bytes, covered: bytes.count)
            case .standardInput:
                return SourceBytes(try StandardInput.read(bytesLimit: limit))
            case .file, .remote:
                preconditionFailure("A file or a URL is loaded elsewhere.")
            }
        }
    }

    private func read(
        _ path: FilePath, _ attempt: inout Attempt
    ) async throws(JobStop) -> SourceBytes {
        let limit = context.settings.bytesLimit
        let file = try taking { () throws(ItemFailure) in
            let file = try OpenFile(path)
            guard file.size <= limit else { throw ItemFailure(tooLarge: limit) }
            return file
        }
        attempt.seen = SeenFile(file.facts)
        let grant = try await granted(file.size, from: context.bodies)
        let bytes = try taking { () throws(ItemFailure) in try file.readAll(limit: limit) }
        return SourceBytes(bytes, grant)
    }

    /// Turns an intake error into the item's failure, unless the run was asked to stop.
    private func taking<Result: ~Copyable>(
        _ body: () throws(ItemFailure) -> Result
    ) throws(JobStop) -> Result {
        try rethrowing(
            as: { Task.isCancelled ? JobStop.canceled : .failure($0) }, body)
    }

    /// Loads an image of the calling program once there is memory for it.
    private func fetch(
        from holder: any GivenSource, _ meter: inout JobMeter
    ) async throws(JobStop) -> SourceBytes {
        // Waits for one byte of the budget first, so that jobs that already hold an image go first.
        try meter.begin(.queue)
        _ = try await granted(1, from: context.bodies)
        try meter.begin(.fetch)
        let loaded = try await holder.load()
        try meter.begin(.queue)
        let grant = try await granted(loaded.byteCount, from: context.bodies)
        // The budget of the run counts the memory now, so the loader may stop counting it.
        withExtendedLifetime(loaded.held) {}
        return SourceBytes(loaded.bytes, showing: loaded.subject, grant)
    }
}

/// An item with its recipe and the results that may be reused.
struct JobInput: Sendable {
    let item: BatchItem
    /// The recipe of the item; that of the run if the row cannot be used.
    let recipe: Recipe
    let badRow: ItemFailure?
    let past: PastItem?
    let shared: SharedResult?
    /// Whether outputs of the earlier run are reused if their source is unchanged.
    private var reuses = true

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

    /// Creates the input for the job of the item's dark twin.
    init(_ twin: BatchItem, _ recipe: Recipe, of input: JobInput, past: PastItem?) {
        item = twin
        self.recipe = recipe
        badRow = nil
        self.past = past
        shared = nil
        mask = input.mask
    }

    /// The earlier result, if its outputs may be reused.
    var reusable: PastItem? { reuses ? past : nil }

    /// A copy of the job that draws unchanged sources again.
    var redrawing: JobInput {
        var input = self
        input.reuses = false
        return input
    }

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
        record.dark = item.darkSources.map(mask.shown)
        record.extra = item.extra
        return record
    }
}

/// The destination of finished images.
package protocol OutputSink: Sendable {
    /// Whether two items with the same name are stored as the same files, so that the second need
    /// not be stored.
    var storesEqualNamesOnce: Bool { get }

    /// Stores the pictures of an item and returns their records.
    ///
    /// - Parameter past: The result of an earlier run.
    func store(
        _ images: [RenderedImage], of item: BatchItem, past: PastItem?
    ) throws(JobStop) -> [OutputRecord]

    /// Returns the emblem that the last set has of the source of an item; nil if it has none.
    func lastEmblem(of item: BatchItem, _ recipe: Recipe, _ mask: SourceMask) -> LastEmblem?

    /// Whether failed items wait with their placeholders, because they would replace emblems of the
    /// last set, and no item shows its source yet.
    var holdsFailures: Bool { get }
}

extension OutputSink {
    package var holdsFailures: Bool { false }

    package func lastEmblem(
        of item: BatchItem, _ recipe: Recipe, _ mask: SourceMask
    ) -> LastEmblem? { nil }
}

/// The emblem that the last set has of a source, in those variants of a recipe that it has.
package struct LastEmblem: Sendable {
    let record: ItemRecord
    let images: [RenderedImage]

    package init(_ record: ItemRecord, _ images: [RenderedImage]) {
        self.record = record
        self.images = images
    }
}
