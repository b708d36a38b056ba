import Batch
import Engine
import FoundationEssentials
import Synchronization
import Transport

/// The result of a batch that was written to a folder.
public struct WrittenBatch: Hashable, Sendable {
    /// The number of all items.
    public let items: Int
    /// The number of items that show their own image.
    public let ok: Int
    /// The number of items that show a placeholder; the manifest gives the reason.
    public let placeholders: Int
    /// The number of items among ``ok`` that show the image of an earlier batch, because their
    /// source could not be loaded this time.
    public let stale: Int
    /// The number of items without any file.
    public let failed: Int
    /// The number of output files of all items.
    public let outputs: Int
    /// The number of items that were reused, because neither they nor their sources had changed.
    public let reused: Int
    /// The number of items with warnings; see the manifest.
    public let linted: Int
    /// The number of foreign files that had the name of an output. Such files are kept in the
    /// folder, below `.emblem/replaced`.
    public let setAside: Int
    /// The first failures in the order in which they happened, at most ``failuresLimit``. The
    /// manifest has all failures.
    public let failures: [Failure]
    /// The absolute path of the manifest.
    public let manifest: String

    /// The limit for ``failures``.
    public static let failuresLimit = 1_000

    /// An item that does not show its image.
    public struct Failure: Hashable, Sendable {
        /// The index of the item in the batch, from 0.
        public let index: Int
        /// The id of the item, or its name in the manifest if it has none.
        public internal(set) var id: String
        /// The source as in the manifest, without passwords.
        public let source: String
        /// The reason why the image is not shown.
        public let error: EmblemError
    }

    init(_ counts: RunCounts, setAside: Int, failures: [Failure], folder: String) {
        self.setAside = setAside
        self.failures = failures
        items = counts.done
        ok = counts.ok
        placeholders = counts.placeholders
        stale = counts.stale
        failed = counts.failed
        outputs = counts.outputs
        reused = counts.reused
        linted = counts.linted
        manifest = FilePath(folder).appending(FilePath(Manifest.name)).description
    }
}

/// The counts of a batch that is being written, its first failures, and the task that calls the
/// program's progress closure.
final class WritingTally: Sendable {
    private struct State {
        var progress: BatchProgress
        var failures: [WrittenBatch.Failure] = []
    }

    private let state: Mutex<State>
    private let observer: (any EmblemObserver)?
    private let updates: AsyncStream<BatchProgress>.Continuation?
    /// The task that calls the closure of the program.
    private let progressTask: Task<Void, Never>?

    init(
        total: Int?, _ observer: (any EmblemObserver)?,
        _ report: (@Sendable (BatchProgress) -> Void)?
    ) {
        state = Mutex(State(progress: BatchProgress(total: total)))
        self.observer = observer
        guard let report else {
            (updates, progressTask) = (nil, nil)
            return
        }
        // Only the latest progress waits, so that a slow closure delays no item.
        let (stream, updates) = AsyncStream.makeStream(
            of: BatchProgress.self, bufferingPolicy: .bufferingNewest(1))
        self.updates = updates
        progressTask = Task(executorPreference: Executors.batches) {
            for await progress in stream { report(progress) }
        }
    }

    /// Returns the first failures, with the names of their items in the plan.
    func failures(in plan: BatchPlan) -> [WrittenBatch.Failure] {
        state.withLock { $0.failures }.map { failure in
            var failure = failure
            // A name that later items wanted too has changed since the failure.
            if let item = try? plan.item(at: failure.index) { failure.id = item.id }
            return failure
        }
    }

    func count(_ end: JobResult) {
        guard let status = end.record.emblemStatus else { return }
        let progress = state.withLock { state in
            state.progress.count(status)
            if status != .ok, state.failures.count < WrittenBatch.failuresLimit {
                state.failures.append(WrittenBatch.Failure(end.record))
            }
            return state.progress
        }
        updates?.yield(progress)
        observer?.finished(EmblemReport(end, status))
    }

    /// Waits for the last call of the program's closure.
    func finish() async {
        updates?.finish()
        await progressTask?.value
    }
}

extension WrittenBatch.Failure {
    fileprivate init(_ record: ItemRecord) {
        index = record.index
        id = record.id
        source = record.source
        error = record.failure?.emblemError ?? .failedToDraw("Nothing was drawn.")
    }
}

extension ItemFailure {
    /// The failure as an error of the library, also if a custom loader threw another error.
    var emblemError: EmblemError {
        (thrown as? EmblemError)
            ?? .failedToLoad(
                EmblemError.Cause(
                    errorClass: errorClass.rawValue, status: status, reason: explanation,
                    isRetryable: isRetryable))
    }
}

extension ItemRecord {
    /// The status; nil if the item was cancelled.
    fileprivate var emblemStatus: EmblemOutcome.Status? {
        switch status {
        case .ok: .ok
        case .placeholder: .placeholder
        case .failed: .failed
        case .canceled: nil
        }
    }

    /// The item, as far as the record describes it: without appearance and badge.
    fileprivate var emblemItem: EmblemItem {
        let scheme = SourceReference.scheme(of: source)
        let isURL = source.isEmpty || scheme != nil && scheme != "icon"
        return EmblemItem(
            source: isURL ? .remote(url: URL(string: source)) : .local(name: source), id: id,
            label: accessibility.label, hint: accessibility.hint, value: accessibility.value)
    }
}

extension EmblemReport {
    fileprivate init(_ end: JobResult, _ status: EmblemOutcome.Status) {
        let record = end.record
        self.init(
            record.emblemItem, record.index, status, status == .ok ? nil : record.failure?.thrown,
            end.clock, bytes: (record.src?.bytes ?? 0, record.outputs.reduce(0) { $0 + $1.bytes }))
    }
}
