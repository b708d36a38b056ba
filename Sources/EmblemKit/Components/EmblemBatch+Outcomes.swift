extension EmblemBatch: AsyncSequence {
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(batch: self)
    }

    /// One run of the batch.
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

        /// What came of the next item, whatever the batch makes of it.
        mutating func nextResult(
            isolation actor: isolated (any Actor)?
        ) async throws(Sources.Failure) -> (MadeItem, BatchProgress)? {
            guard !isOver else { return nil }
            var walk = self.walk ?? Walk(batch)
            let run = walk.run
            // The run hears of a cancellation at once, not only when its walker has a thread again:
            // those who hold all threads may wait for the very workers that the run has.
            let delivery = await withTaskCancellationHandler(
                operation: { await walk.deliveries.next(isolation: actor) },
                onCancel: { run.task.cancel() }, isolation: actor)
            self.walk = walk
            if case .made(let made, _) = delivery, !Task.isCancelled {
                progress.count(made.status)
                return (made, progress)
            }
            isOver = true
            // Nothing of the run outlives its sequence.
            walk.run.task.cancel()
            await walk.run.task.value
            self.walk = nil
            if case .broken(let error) = delivery, !Task.isCancelled { throw error }
            return nil
        }
    }

    /// A run under way, and the end at which its outcomes come out.
    private struct Walk {
        let run: Run
        var deliveries: AsyncStream<BatchWalk<Sources>.Delivery>.AsyncIterator

        init(_ batch: EmblemBatch) {
            // Permits bound what is in the stream: each outcome carries the one it was made with.
            let (stream, end) = AsyncStream.makeStream(of: BatchWalk<Sources>.Delivery.self)
            let walk = BatchWalk(batch, end)
            run = Run(task: Task(executorPreference: Executors.batches) { await walk.run() })
            deliveries = stream.makeAsyncIterator()
        }
    }

    /// Ends its task when nobody walks any more.
    private final class Run: Sendable {
        let task: Task<Void, Never>

        init(task: Task<Void, Never>) {
            self.task = task
        }

        deinit { task.cancel() }
    }
}
