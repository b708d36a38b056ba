import Engine
import FoundationEssentials
import Transport

/// One walk along a batch: its sources through the engine.
struct BatchWalk<Sources: AsyncSequence & Sendable>: Sendable
where Sources.Element: EmblemItemConvertible {
    enum Delivery: Sendable {
        /// The permit comes back when the outcome is taken.
        case made(MadeItem, Permit)
        /// The sources gave up.
        case broken(Sources.Failure)
    }

    /// An item that came, and its place: among those under way, or in the crowd of those whose source
    /// another one has.
    private struct Row: Sendable {
        let index: Int
        let item: EmblemItem
        let permit: Permit
    }

    private struct Arrival: Sendable {
        let index: Int
        let item: EmblemItem
        let inWindow: Permit
        let inCrowd: Permit
    }

    /// So many items may wait for one with their source; they carry next to nothing.
    private static var crowdLimit: Int { 1024 }

    private let sources: Sources
    private let work: ItemWork
    private let window: Budget
    private let crowd = Budget(total: Self.crowdLimit)
    private let deliveries: AsyncStream<Delivery>.Continuation

    init(_ batch: EmblemBatch<Sources>, _ deliveries: AsyncStream<Delivery>.Continuation) {
        sources = batch.sources
        work = ItemWork(
            batch.component, batch.wholeLook,
            standIns: batch.avatars == nil ? [.source(batch.placeholder)] : [],
            loader: batch.loader, theme: batch.theme, decoding: batch.decoding,
            renderers: batch.renderers, bytesLimit: batch.bytesLimit,
            badgeCorner: batch.badgeCorner, observer: batch.observer)
        window = Budget(total: max(1, batch.concurrency))
        self.deliveries = deliveries
    }

    /// Runs to the end of the sources, or until the task is cancelled.
    func run() async {
        let feed = SourceFeed(sources)
        let rows = ArrivedRows<Row>(LookAheadBounds())
        await Window.slide(
            arrivals: { await arrival(from: feed) },
            wantsMore: { true },
            arrive: { came in
                let source = came.item.source.url.map {
                    SourceReference(text: $0.absoluteString, kind: .remote)
                }
                rows.add(at: came.index, source) { isFollower in
                    let permit = isFollower ? came.inCrowd : came.inWindow
                    return Row(index: came.index, item: came.item, permit: permit)
                }
            },
            next: { Task.isCancelled ? nil : rows.next() },
            work: { [work] start, row in
                let end = await work.make(
                    .success(.source(row.item.source)), of: row.item, at: row.index, start)
                return (start, row, end)
            },
            receive: { start, row, end in
                rows.ended(start, end.shared)
                if let made = end.made { deliveries.yield(.made(made, row.permit)) }
            })
        if let failure = await feed.failure { deliveries.yield(.broken(failure)) }
        deliveries.finish()
    }

    /// The next source, once there is room for it, whatever it turns out to be.
    private func arrival(from feed: SourceFeed<Sources>) async -> Arrival? {
        guard let inWindow = await Permit(window), let inCrowd = await Permit(crowd),
            let (index, item) = await feed.next()
        else { return nil }
        return Arrival(index: index, item: item, inWindow: inWindow, inCrowd: inCrowd)
    }
}

/// A unit of a budget; given back when it is let go.
final class Permit: Sendable {
    private let grant: Grant

    /// Nil when the task is cancelled.
    init?(_ budget: Budget) async {
        do throws(CancellationError) {
            grant = try await budget.grant(of: 1)
        } catch {
            return nil
        }
    }
}

/// The sources of one walk, asked one by one.
private actor SourceFeed<Sources: AsyncSequence & Sendable>
where Sources.Element: EmblemItemConvertible {
    private var iterator: Sources.AsyncIterator?
    private var count = 0
    /// Why there are no more.
    private(set) var failure: Sources.Failure?

    init(_ sources: Sources) { iterator = sources.makeAsyncIterator() }

    func next() async -> (index: Int, item: EmblemItem)? {
        guard !Task.isCancelled, var iterator = self.iterator.take() else { return nil }
        do throws(Sources.Failure) {
            guard let next = try await iterator.next(isolation: self) else { return nil }
            self.iterator = iterator
            count += 1
            return (count - 1, next.emblemItem)
        } catch {
            failure = error
            return nil
        }
    }
}
