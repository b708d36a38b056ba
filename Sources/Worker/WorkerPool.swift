import Glibc
import Render
import Synchronization
import System

/// Worker processes that render for this one.
///
/// An image that crashes its worker costs that image alone: the worker is replaced, and the image
/// is tried once more. Small orders that wait together go to a worker as a group; if the group
/// fails, each of them is repeated alone. Any number of tasks may ask at once. The end of the pool
/// ends its processes.
package final class WorkerPool: RenderBackend {
    private let keeper: WorkerKeeper
    private let thread: Thread?
    package let permits: Permits
    /// The renderer on this side, which also draws our own icons if no process can be had.
    package var renderer: Renderer { usual.renderer }
    /// The renderer of orders that bring none.
    private let usual: ThemedRenderer
    private let isClosed = Atomic(false)

    /// The most workers that one order may crash alone.
    private static let attempts = 2
    /// The most workers that may end before they met the image, in addition to those that may have
    /// been killed while idle. Workers report themselves whether they met it, and may lie.
    private static let untakenAttempts = 2

    /// - Parameter permits: The permits that the orders share with other backends; nil for as many
    ///   renderers as there are workers, with the memory of the settings.
    package init(settings: WorkerSettings, renderer: Renderer, permits: Permits? = nil) {
        self.permits =
            permits ?? Permits(renderers: settings.count, bytes: settings.memoryBytes)
        usual = ThemedRenderer(renderer)
        let keeper = WorkerKeeper(settings: settings, theme: usual.theme)
        self.keeper = keeper
        thread = keeper.lack == nil ? Thread("emblem-workers") { keeper.run() } : nil
        if thread == nil { keeper.giveUp(WorkerLack("no thread can be started", code: EAGAIN)) }
    }

    deinit { close() }

    /// Ends all processes and waits for their end; orders under way are stopped.
    package func close() {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        keeper.close()
        thread?.join()
        Prefork.close()
    }

    /// Lends the thread that hears the processes to those who wait for them; `nil` takes it back.
    /// No piece of work may wait for another, or for this pool to close.
    package func help(with work: (any WorkDonor)?) { keeper.help(with: work) }

    /// Why no process can be had any more, also when all is over; `nil` while there was hope.
    package var failure: OrderError? {
        keeper.lack.map { .unavailable($0) }
    }

    /// The most pictures that are rendered at once.
    package var count: Int { keeper.settings.count }

    /// The number of waiting orders that are enough to form the largest groups.
    package var groupedCount: Int { count * WorkerGroupSize.limit }

    /// The orders that wait for a process.
    package var waitingCount: Int { keeper.waitingCount }

    /// The workers without an order.
    package var idleCount: Int { keeper.idleCount }

    /// The orders that went along with another's until now.
    package var alongCount: Int { keeper.alongCount }

    /// The numbers of the processes that live now.
    package var processes: [pid_t] { keeper.processes }

    /// The processes that were started until now, those included that took the place of others.
    package var startedCount: Int { keeper.startedCount }

    /// What is in force in the workers; waits for the first one. `nil` when there will be none.
    package func confinement() async -> Confinement? {
        if keeper.confinement == nil,
            case .worker(let worker, _) = await keeper.wait(for: WorkerTurn())
        {
            keeper.giveBack(worker, keeps: true)
        }
        return keeper.confinement
    }

    /// What is in force in the workers that came up until now; `nil` when none did.
    package var knownConfinement: Confinement? { keeper.confinement }

    package func render(_ order: RenderOrder) async -> RenderAnswer {
        let answer = await render(order, with: usual, groups: order.isSmall(in: renderer))
        // Our own icons are trusted, so placeholders are drawn here if no worker can be had.
        guard case .icon = order.subject, case .failure(.unavailable) = answer.result else {
            return answer
        }
        return await InProcess(renderer, permits).render(order)
    }

    /// Carries out an order in a theme that need not be the pool's.
    package func render(_ order: RenderOrder, with themed: ThemedRenderer) async -> RenderAnswer {
        await render(order, with: themed, groups: false)
    }

    /// - Parameter groups: Whether the order may share a request with others.
    private func render(
        _ order: RenderOrder, with themed: ThemedRenderer, groups: Bool
    ) async -> RenderAnswer {
        if case .raster = order.subject {
            return await InProcess(themed.renderer, permits).render(order)
        }
        var progress = OrderProgress(order, in: themed.renderer, permits)
        var groups = groups
        var (taken, untaken) = (0, 0)
        while !Task.isCancelled {
            let turn = WorkerTurn(
                progress.order, groups: groups, isAdmitted: progress.isAdmitted,
                in: themed.renderer)
            let worker: WorkerProcess
            let along: [WorkerTurn]
            switch await keeper.wait(for: turn) {
            case .worker(let leased, let others): (worker, along) = (leased, others)
            case .again: continue
            case .refused(let error):
                return await progress.end(RenderAnswer(result: .failure(error)))
                    ?? progress.stopped()
            case .answered(let answer?):
                if let answer = await progress.end(answer) { return answer }
                continue
            case .answered(nil):
                groups = false
                continue
            }
            // A task that waits for memory holds no worker.
            guard progress.admitNow() else {
                keeper.giveBack(worker, keeps: true)
                for turn in along { turn.waiter.resume(returning: .again) }
                guard await progress.admit() else { break }
                continue
            }
            var conversation = WorkerConversation(
                orders(progress.order, along), themed, worker: worker, keeper: keeper,
                areSmall: groups)
            let answers = await conversation.run()
            // Before the worker: the task that gets it would find no renderer, and give it back.
            switch answers[0]?.result {
            case nil, .failure(.crashed): break
            default: progress.release()
            }
            keeper.giveBack(worker, keeps: conversation.isClean, isOdd: conversation.isOdd)
            for (turn, answer) in zip(along, answers.dropFirst()) {
                turn.waiter.resume(returning: .answered(answer))
            }
            // The task that got the worker sends its order before this one goes on.
            await Task.yield()
            guard let answer = answers[0] else {
                groups = groups && along.isEmpty
                continue
            }
            switch answer.result {
            case .failure(.unavailable(let lack)) where keeper.settings.endsWithoutRoom:
                keeper.giveUp(lack)
            case .failure(.crashed) where along.isEmpty:
                if conversation.wasTaken { taken += 1 } else { untaken += 1 }
                if taken < Self.attempts, untaken <= count + Self.untakenAttempts {
                    progress.add(answer)
                    continue
                }
            default: break
            }
            if let answer = await progress.end(answer) { return answer }
        }
        return progress.stopped()
    }

    /// Returns the orders of a request, which are carried out one after the other in the memory of
    /// the first.
    private func orders(_ first: RenderOrder, _ along: [WorkerTurn]) -> [RenderOrder] {
        [first]
            + along.compactMap(\.order).map { order in
                var order = order
                order.allowanceBytes = first.allowanceBytes
                return order
            }
    }
}
