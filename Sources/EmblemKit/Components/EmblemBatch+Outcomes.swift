extension EmblemBatch: AsyncSequence {
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(batch: self)
    }

    /// The iterator of one run of the batch.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let batch: EmblemBatch
        private var walk: Walk?
        private var isOver = false
        private var progress: BatchProgress

        init(batch: EmblemBatch) {
            self.batch = batch
            progress = BatchProgress(total: batch.total)
        }

        public mutating func next() async throws(Sources.Failure) -> EmblemOutcome? {
            try await next(isolation: nil)
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Sources.Failure) -> EmblemOutcome? {
            try await nextResult(isolation: actor).map { EmblemOutcome($0, $1) }
        }

        /// Returns the result of the next item, as an emblem or an avatar.
        mutating func nextResult(
            isolation actor: isolated (any Actor)?
        ) async throws(Sources.Failure) -> (MadeItem, BatchProgress)? {
            guard !isOver else { return nil }
            var walk = self.walk ?? Walk(batch)
            let run = walk.run
            // Cancel the run at once, not only when the iterating task runs again. The threads for
            // that task may be blocked by callers that wait for this run's workers.
            let delivery = await withTaskCancellationHandler(
                operation: { await walk.deliveries.next(isolation: actor) },
                onCancel: { run.task.cancel() }, isolation: actor)
            self.walk = walk
            if case .made(let made, _) = delivery, !Task.isCancelled {
                progress.count(made.status)
                return (made, progress)
            }
            isOver = true
            // The run ends before its sequence does.
            walk.run.task.cancel()
            await walk.run.task.value
            self.walk = nil
            if case .broken(let error) = delivery, !Task.isCancelled { throw error }
            return nil
        }
    }

    /// A run in progress, and the stream of its outcomes.
    private struct Walk {
        let run: Run
        var deliveries: AsyncStream<BatchWalk<Sources>.Delivery>.AsyncIterator

        init(_ batch: EmblemBatch) {
            // Permits bound the number of elements in the stream: each outcome holds one.
            let (stream, end) = AsyncStream.makeStream(of: BatchWalk<Sources>.Delivery.self)
            let walk = BatchWalk(batch, end)
            run = Run(task: Task(executorPreference: Executors.batches) { await walk.run() })
            deliveries = stream.makeAsyncIterator()
        }
    }

    /// A task that is cancelled when the last iterator goes away.
    private final class Run: Sendable {
        let task: Task<Void, Never>

        init(task: Task<Void, Never>) {
            self.task = task
        }

        deinit { task.cancel() }
    }
}
