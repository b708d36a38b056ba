extension EmblemBatch {
    /// Writes like ``write(to:format:progress:)``, and returns the run as a sequence of its progress.
    ///
    /// ```swift
    /// let run = batch.writing(to: folder)
    /// for try await step in run { print(step) }
    /// let written = try await run.value
    /// ```
    ///
    /// The run starts at once, with the theme, limits and key of the calling task.
    public func writing(to folder: String, format: FileFormat = .png) -> WrittenBatch.Run {
        WrittenBatch.Run { progress in
            try await write(to: folder, format: format, progress: progress)
        }
    }
}

extension AvatarBatch {
    /// Writes every avatar like ``EmblemBatch/writing(to:format:)``.
    public func writing(to folder: String, format: FileFormat = .png) -> WrittenBatch.Run {
        WrittenBatch.Run { progress in
            try await write(to: folder, format: format, progress: progress)
        }
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
        /// Throws the errors of ``EmblemBatch/write(to:format:progress:)``.
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
