import Engine
import FoundationEssentials
import System
import Transport

/// One iteration over a batch, whose items the engine draws.
struct BatchWalk<Sources: AsyncSequence & Sendable>: Sendable
where Sources.Element: EmblemItemConvertible {
    enum Delivery: Sendable {
        /// A drawn item with its permit, which is released when the outcome is delivered.
        case made(MadeItem, Permit)
        /// The error that ended the sequence of sources.
        case broken(Sources.Failure)
    }

    /// An item that was read, and its permit: from `followers` if it waits for an earlier item with
    /// the same source, otherwise from `window`.
    private struct Row: Sendable {
        let index: Int
        let item: EmblemItem
        let permit: Permit
    }

    /// An item that was read, with one permit from `window` and one from `followers`. `run()` keeps
    /// the permit that the item needs and drops the other one.
    private struct Arrival: Sendable {
        let index: Int
        let item: EmblemItem
        let inWindow: Permit
        let amongFollowers: Permit
    }

    /// The maximum number of items that wait for an earlier item with the same source. A waiting
    /// item takes very little memory.
    private static var followersLimit: Int { 1024 }

    private let sources: Sources
    private let work: ItemWork
    /// The permits for items in progress, including outcomes that are not delivered yet.
    private let window: Budget
    private let followers = Budget(total: Self.followersLimit)
    private let deliveries: AsyncStream<Delivery>.Continuation

    init(
        _ sources: Sources, _ drawing: ItemDrawing, _ deliveries: AsyncStream<Delivery>.Continuation
    ) {
        self.sources = sources
        work = ItemWork(drawing)
        window = Budget(total: max(1, drawing.options.concurrency))
        self.deliveries = deliveries
    }

    /// Runs to the end of the sources or until the task is cancelled.
    func run() async {
        let feed = SourceFeed(sources)
        var rows: [Int: Row] = [:]
        await RunLoop.run(
            LookAheadBounds(),
            arrivals: { await arrival(from: feed) },
            read: { arrival, lookAhead in
                guard let arrival else { return }
                let source = arrival.item.source.url.map {
                    SourceReference(text: $0.absoluteString, kind: .remote)
                }
                let isFollower = lookAhead.add(
                    PlannedRow(place: arrival.index, index: arrival.index), source)
                rows[arrival.index] = Row(
                    index: arrival.index, item: arrival.item,
                    permit: isFollower ? arrival.amongFollowers : arrival.inWindow)
            },
            begin: { start -> RunLoop.Start<(LookAhead.Start, Row)>? in
                rows.removeValue(forKey: start.row.index).map { .work((start, $0)) }
            },
            work: { [work] start, row in
                let (made, shared) = await work.make(
                    .success(.source(row.item.source)), of: row.item, at: row.index,
                    sharing: start.shared)
                return (shared, made.map { .made($0, row.permit) })
            },
            receive: { (delivery: Delivery?) in
                if let delivery { deliveries.yield(delivery) }
            })
        if let failure = await feed.failure { deliveries.yield(.broken(failure)) }
        deliveries.finish()
    }

    /// Waits for a permit from both budgets and then reads the next item. Only the item shows which
    /// of the two permits it needs.
    private func arrival(from feed: SourceFeed<Sources>) async -> Arrival? {
        guard let inWindow = await Permit(window), let amongFollowers = await Permit(followers),
            let (index, item) = await feed.next()
        else { return nil }
        return Arrival(index: index, item: item, inWindow: inWindow, amongFollowers: amongFollowers)
    }
}

/// One unit of a budget, released when the last reference goes away.
final class Permit: Sendable {
    private let grant: Grant

    /// Waits for the unit; `nil` if the task is cancelled.
    init?(_ budget: Budget) async {
        guard let grant = try? await budget.grant(of: 1) else { return nil }
        self.grant = grant
    }
}

/// The sources of one iteration over a batch, read one at a time.
actor SourceFeed<Sources: AsyncSequence & Sendable>
where Sources.Element: EmblemItemConvertible {
    private var iterator: Sources.AsyncIterator?
    private var count = 0
    /// The error that ended the sequence of sources.
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
