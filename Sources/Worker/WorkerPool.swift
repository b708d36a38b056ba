import Glibc
import Render
import Synchronization
import System

/// Worker processes that render for this one.
///
/// An image that crashes its worker costs only that image: the worker is replaced, and the image is
/// tried once more. Small orders that wait together go to a worker as a group; if the group fails,
/// each of them is repeated alone. Any number of tasks may use the pool. The end of the pool ends
/// its processes.
package final class WorkerPool: RenderBackend {
    private let keeper: WorkerKeeper
    private let thread: Thread?
    package let permits: Permits
    /// The renderer of this process, which also draws built-in icons if no worker can be started.
    package var renderer: Renderer { usual.renderer }
    /// The renderer for orders that have no theme.
    private let usual: ThemedRenderer
    private let isClosed = Atomic(false)

    /// The most workers that one order may crash while it is the only order of its request.
    private static let attempts = 2
    /// The most workers that may end before they reach the image, in addition to those that may
    /// have been killed while idle. The limit is needed since a worker's report on whether it
    /// reached the image cannot be trusted.
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

    /// Ends all processes and waits for them; orders in progress are stopped.
    package func close() {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // Workers that were never needed end while the keeper's thread ends the others.
        keeper.close()
        Prefork.close()
        thread?.join()
    }

    /// Lets the keeper's thread help with work of tasks that wait for workers; nil ends the help.
    /// No piece of work may wait for another piece, or for this pool to close.
    package func help(with work: (any WorkDonor)?) { keeper.help(with: work) }

    /// The reason why no further process can be started; nil if processes can be started. It stays
    /// the same after `close()`.
    package var failure: OrderError? {
        keeper.lack.map { .unavailable($0) }
    }

    package var count: Int { keeper.settings.count }

    /// The number of waiting orders that are enough to form the largest groups.
    package var groupedCount: Int { count * WorkerGroupSize.limit }

    package var waitingCount: Int { keeper.waitingCount }

    package var idleCount: Int { keeper.idleCount }

    /// The number of orders that were sent in the group of another task.
    package var groupedOrderCount: Int { keeper.groupedOrderCount }

    package var processes: [pid_t] { keeper.processes }

    package var startedCount: Int { keeper.startedCount }

    /// Returns the confinement of the workers, after the first worker has reported it; nil if no
    /// worker can be started.
    package func confinement() async -> Confinement? {
        if keeper.confinement == nil,
            case .worker(let worker, _) = await keeper.wait(for: WaitingTask())
        {
            keeper.giveBack(worker, keeps: true)
        }
        return keeper.confinement
    }

    /// The confinement that the workers have reported so far; nil if none has.
    package var knownConfinement: Confinement? { keeper.confinement }

    package func render(_ order: RenderOrder) async -> RenderAnswer {
        let answer = await render(order, with: usual, groups: order.isSmall(in: renderer))
        // Built-in icons are trusted, so this process draws placeholders if no worker can be
        // started.
        guard case .icon = order.subject, case .failure(.unavailable) = answer.result else {
            return answer
        }
        return await InProcess(renderer, permits).render(order)
    }

    /// Carries out an order in a theme that may differ from the pool's.
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
            // Fair permits decide the order of service. The task waits for its permit first,
            // because the queue for workers is served in the order of arrival.
            if permits.isFair { guard await progress.admit() else { break } }
            let task = WaitingTask(
                progress.order, groups: groups, isAdmitted: progress.isAdmitted,
                in: themed.renderer)
            let worker: WorkerProcess
            let others: [WaitingTask]
            switch await keeper.wait(for: task) {
            case .worker(let leased, let rest): (worker, others) = (leased, rest)
            case .again: continue
            case .refused(let error):
                return await progress.end(RenderAnswer(result: .failure(error)))
                    ?? progress.refused()
            case .answered(let answer?):
                if let answer = await progress.end(answer) { return answer }
                continue
            case .answered(nil):
                groups = false
                continue
            }
            // A task that must wait for memory returns its worker first.
            guard progress.admitNow() else {
                keeper.giveBack(worker, keeps: true)
                for task in others { task.waiter.resume(returning: .again) }
                guard await progress.admit() else { break }
                continue
            }
            var conversation = WorkerConversation(
                orders(progress.order, others), themed, worker: worker, keeper: keeper,
                areSmall: groups, pacer: progress.pacer)
            let answers = await conversation.run()
            // Releases the memory before the worker, so that the next task of the worker can use
            // it.
            switch answers[0]?.result {
            case nil, .failure(.crashed): break
            default: progress.release()
            }
            keeper.giveBack(
                worker, keeps: conversation.isClean, isUnusable: conversation.isUnusable)
            for (task, answer) in zip(others, answers.dropFirst()) {
                task.waiter.resume(returning: .answered(answer))
            }
            // Lets the task that got the worker send its order first.
            await Task.yield()
            guard let answer = answers[0] else {
                groups = groups && others.isEmpty
                continue
            }
            switch answer.result {
            case .failure(.unavailable(let lack)) where keeper.settings.endsWithoutRoom:
                keeper.giveUp(lack)
            case .failure(.crashed) where others.isEmpty:
                if conversation.wasTaken { taken += 1 } else { untaken += 1 }
                if taken < Self.attempts, untaken <= count + Self.untakenAttempts {
                    progress.add(answer)
                    continue
                }
            default: break
            }
            if let answer = await progress.end(answer) { return answer }
        }
        return progress.refused()
    }

    /// Returns the orders of a request, which the worker carries out one after the other in the
    /// memory of the first.
    private func orders(_ first: RenderOrder, _ others: [WaitingTask]) -> [RenderOrder] {
        [first]
            + others.compactMap(\.order).map { order in
                var order = order
                order.allowanceBytes = first.allowanceBytes
                return order
            }
    }
}

/// Work in short pieces that the keeper's thread can help with.
package protocol WorkDonor: Sendable {
    /// Announces that the calling thread resumes tasks and then calls `runHelper`, so that no other
    /// thread is woken for the work of those tasks.
    func announceHelper()
    /// Runs the queued work on the calling thread until none is left.
    func runHelper()
}

/// A renderer and its theme in encoded form, made once for all its orders.
package struct ThemedRenderer: Sendable {
    package let renderer: Renderer
    let theme: [UInt8]

    package init(_ renderer: Renderer) {
        self.renderer = renderer
        var wire = WireWriter()
        wire.put(renderer.theme)
        theme = wire.bytes
    }
}
