import Pipeline

/// Does the work of one run of a batch.
struct BatchCrew<Sources: AsyncSequence & Sendable>: Sendable
where Sources.Element == ImageSource {
    enum Delivery: Sendable {
        /// The permit comes back when the outcome is taken.
        case made(EmblemOutcome, Permit)
        /// The sources gave up.
        case broken(Sources.Failure)
    }

    /// Sources that may wait for an equal one under way; they carry next to nothing.
    private static var followersLimit: Int { 1024 }

    private let sources: Sources
    private let maker: EmblemMaker
    private let window: Budget
    private let crowd = Budget(total: Self.followersLimit)
    private let underWay = SourcesUnderWay()
    private let deliveries: AsyncStream<Delivery>.Continuation

    init(_ batch: EmblemBatch<Sources>, _ deliveries: AsyncStream<Delivery>.Continuation) {
        sources = batch.sources
        maker = EmblemMaker(
            loader: batch.loader, look: batch.look,
            fallbacks: AsyncEmblem.fallbacks(batch.placeholder), theme: batch.theme,
            bodiesLimit: batch.bytesLimit, renderers: batch.renderers, decoding: batch.decoding)
        window = Budget(total: max(1, batch.concurrency))
        self.deliveries = deliveries
    }

    /// Runs to the end of the sources, or until the task is cancelled.
    func work() async {
        let failure = await withDiscardingTaskGroup { group -> Sources.Failure? in
            do throws(Sources.Failure) {
                var sources = sources.makeAsyncIterator()
                var index = 0
                while !Task.isCancelled, let source = try await sources.next(isolation: nil) {
                    await begin(source, index, in: &group)
                    index += 1
                }
                return nil
            } catch {
                return error
            }
        }
        if let failure { deliveries.yield(.broken(failure)) }
        deliveries.finish()
    }

    /// Waits for room and starts one source, or lines it up behind an equal one.
    private func begin(
        _ source: ImageSource, _ index: Int, in group: inout DiscardingTaskGroup
    ) async {
        do {
            if let url = source.url, underWay.contains(url) {
                let follower = Follower(
                    index: index, source: source, permit: try await Permit(crowd))
                if underWay.follow(url, follower) { return }
            }
            let first = Follower(index: index, source: source, permit: try await Permit(window))
            if let url = source.url { underWay.begin(url) }
            group.addTask { await make(first) }
        } catch {
            // The run was cancelled, and the loop will see it.
        }
    }

    private func make(_ first: Follower) async {
        do {
            let made = try await maker.make(.source(first.source))
            for one in [first] + underWay.end(first.source.url) {
                let outcome = EmblemOutcome(index: one.index, source: one.source, made: made)
                deliveries.yield(.made(outcome, one.permit))
            }
        } catch {
            // Nobody waits for outcomes any more.
        }
    }
}
