import Artwork
import Engine
import Theming

/// Does the work of one run of a batch.
struct BatchRunner<Sources: AsyncSequence & Sendable>: Sendable
where Sources.Element: EmblemItemConvertible {
    enum Delivery: Sendable {
        /// The permit comes back when the outcome is taken.
        case made(BatchResult, Permit)
        /// The sources gave up.
        case broken(Sources.Failure)
    }

    /// Sources that may wait for an equal one under way; they carry next to nothing.
    private static var followersLimit: Int { 1024 }

    private let sources: Sources
    private let maker: EmblemMaker
    private let component: BatchComponent
    private let badgeCorner: Badge.Corner
    private let window: Budget
    private let crowd = Budget(total: Self.followersLimit)
    private let underWay = SourcesUnderWay()
    private let deliveries: AsyncStream<Delivery>.Continuation

    init(_ batch: EmblemBatch<Sources>, _ deliveries: AsyncStream<Delivery>.Continuation) {
        sources = batch.sources
        component = batch.component
        maker = EmblemMaker(
            loader: batch.loader, look: batch.look, fallbacks: batch.fallbacks, theme: batch.theme,
            bodiesLimit: batch.bytesLimit, renderers: batch.renderers, decoding: batch.decoding,
            observer: batch.observer)
        badgeCorner = batch.badgeCorner
        window = Budget(total: max(1, batch.concurrency))
        self.deliveries = deliveries
    }

    /// Runs to the end of the sources, or until the task is cancelled.
    func work() async {
        let failure = await withDiscardingTaskGroup { group -> Sources.Failure? in
            do throws(Sources.Failure) {
                var sources = sources.makeAsyncIterator()
                var index = 0
                while !Task.isCancelled, let next = try await sources.next(isolation: nil) {
                    await begin(next.emblemItem, index, in: &group)
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
        _ item: EmblemItem, _ index: Int, in group: inout DiscardingTaskGroup
    ) async {
        do {
            let own = component.ownLook(of: item, badgeCorner)
            let work = item.source.url.map { SharedWork(url: $0, own: own) }
            if let work, underWay.contains(work) {
                let follower = Follower(index: index, item: item, permit: try await Permit(crowd))
                if underWay.follow(work, follower) { return }
            }
            let first = Follower(index: index, item: item, permit: try await Permit(window))
            if let work { underWay.begin(work) }
            group.addTask { await make(first, own, work) }
        } catch {
            // The run was cancelled, and the loop will see it.
        }
    }

    private func make(_ first: Follower, _ own: OwnLook, _ work: SharedWork?) async {
        do {
            let made = try await maker.make(.source(first.item.source), own)
            for one in [first] + underWay.end(work) {
                let result = BatchResult(index: one.index, item: one.item, made: made)
                maker.tell(of: result, isShared: one.index != first.index)
                deliveries.yield(.made(result, one.permit))
            }
        } catch {
            // Nobody waits for outcomes any more.
        }
    }
}

/// What came of one item of a batch, whatever it is a batch of.
struct BatchResult: Sendable {
    /// `nil` for a component that stands alone.
    let index: Int?
    let item: EmblemItem
    let made: EmblemMaker.Made
}

/// What a batch makes of its items.
enum BatchComponent: Sendable {
    case emblems([Emblem.Layout])
    case avatars([Avatar.Layout])

    var isAvatars: Bool {
        if case .avatars = self { true } else { false }
    }

    var layouts: [ComponentLayout] {
        switch self {
        case .emblems(let layouts): layouts.map { .emblem($0.value) }
        case .avatars(let layouts): layouts.map { .avatar($0.value) }
        }
    }

    func ownLook(of item: EmblemItem, _ corner: Badge.Corner) -> OwnLook {
        var own = OwnLook(badge: item.badge?.mark(corner))
        switch self {
        case .emblems: own.appearance = item.appearance
        case .avatars: own.initials = item.label.flatMap { Initials.from(label: $0) }
        }
        return own
    }
}
