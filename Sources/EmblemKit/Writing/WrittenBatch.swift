import Batch
import Engine
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
        public let id: String
        /// The source as in the manifest, without passwords.
        public let source: String
        /// The reason why the image is not shown.
        public let error: EmblemError
    }

    init(_ counts: RunCounts, failures: [Failure], folder: String) {
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

extension WrittenBatch {
    /// A batch that is being written to a folder, as a sequence of its progress.
    ///
    /// A slow loop delays no item: it skips updates and continues with the latest one. The last
    /// update is always delivered. After it the sequence ends, or throws the error of the run.
    ///
    /// Leaving the loop early, cancelling its task, and releasing the run without a loop all cancel
    /// the run. If several loops iterate over one run, each update reaches only one of them.
    public struct Run: AsyncSequence, Sendable {
        private let work: OwnedTask<WrittenBatch, any Error>
        private let steps: AsyncStream<BatchProgress>

        init(
            _ write:
                @escaping @Sendable (
                    @escaping @Sendable (BatchProgress) -> Void
                ) async throws -> WrittenBatch
        ) {
            let (steps, latest) = AsyncStream.makeStream(
                of: BatchProgress.self, bufferingPolicy: .bufferingNewest(1))
            self.steps = steps
            work = OwnedTask(
                Task(executorPreference: Executors.batches) {
                    defer { latest.finish() }
                    return try await write { latest.yield($0) }
                })
        }

        /// The result of the run. Reading it waits for the end of the run; cancelling the waiting
        /// task cancels the run.
        ///
        /// Throws the errors of ``EmblemBatch/write(to:format:)``.
        public var value: WrittenBatch {
            get async throws {
                let task = work.task
                return try await withTaskCancellationHandler {
                    try await task.value
                } onCancel: {
                    task.cancel()
                }
            }
        }

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(run: self, steps: steps.makeAsyncIterator(), loop: OwnedTask(work.task))
        }

        /// The iterator over the progress of a run.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let run: Run
            var steps: AsyncStream<BatchProgress>.AsyncIterator
            /// The task of the run, which is cancelled when the loop is left.
            let loop: OwnedTask<WrittenBatch, any Error>
            var isOver = false

            public mutating func next() async throws -> BatchProgress? {
                try await next(isolation: nil)
            }

            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws -> BatchProgress? {
                guard !isOver else { return nil }
                var steps = self.steps
                let task = loop.task
                let step = await withTaskCancellationHandler(
                    operation: { await steps.next(isolation: actor) },
                    onCancel: { task.cancel() }, isolation: actor)
                self.steps = steps
                if let step, !Task.isCancelled { return step }
                isOver = true
                // Wait for the run, so that the sequence ends after it.
                _ = try await run.value
                return nil
            }
        }
    }
}

/// The counts of a batch that is being written, and its first failures.
final class WritingTally: Sendable {
    private struct State {
        var progress: BatchProgress
        var failures: [WrittenBatch.Failure] = []
    }

    private let state: Mutex<State>
    private let report: @Sendable (BatchProgress) -> Void

    init(
        total: Int, _ report: @escaping @Sendable (BatchProgress) -> Void
    ) {
        state = Mutex(State(progress: BatchProgress(total: total)))
        self.report = report
    }

    var failures: [WrittenBatch.Failure] { state.withLock { $0.failures } }

    func count(_ end: JobResult) {
        guard let status = end.record.emblemStatus else { return }
        let progress = state.withLock { state in
            state.progress.count(status)
            if status != .ok, state.failures.count < WrittenBatch.failuresLimit {
                state.failures.append(WrittenBatch.Failure(end.record))
            }
            return state.progress
        }
        report(progress)
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
    fileprivate var emblemStatus: BatchStatus? {
        switch status {
        case .ok: .ok
        case .placeholder: .placeholder
        case .failed: .failed
        case .canceled: nil
        }
    }
}
