import Codecs
import Gauge
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
    package let queue: OrderQueue
    /// The renderer of this process, which also draws built-in icons if no worker can be started.
    package var renderer: Renderer { usual.renderer }
    /// The renderer for orders that have no theme.
    private let usual: ThemedRenderer
    private let isClosed = Atomic(false)

    /// - Parameter queue: The slots and the memory of the orders; nil for as many slots as there are
    ///   workers, with the memory of the settings.
    package init(settings: WorkerSettings, renderer: Renderer, queue: OrderQueue? = nil) {
        let queue = queue ?? OrderQueue(slots: settings.count, bytes: settings.memoryBytes)
        precondition(queue.slots == settings.count, "Each slot is a worker.")
        usual = ThemedRenderer(renderer)
        let keeper = WorkerKeeper(settings: settings, queue: queue, theme: usual.theme)
        self.queue = queue
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
    package var failure: OrderError? { keeper.lack.map { .unavailable($0) } }

    /// The number of waiting orders that are enough to form the largest groups.
    package var groupedCount: Int { queue.slots * WorkerGroupSize.limit }

    package var idleCount: Int { keeper.idleCount }
    package var processes: [pid_t] { keeper.processes }
    package var startedCount: Int { keeper.startedCount }

    /// The confinement that the workers have reported so far; nil if none has.
    package var knownConfinement: Confinement? { keeper.confinement }

    /// Returns the confinement of the workers, after the first worker has reported it; nil if no
    /// worker can be started.
    package func confinement() async -> Confinement? {
        if let known = knownConfinement { return known }
        let order = RenderOrder(.check, recipe: Recipe(variants: []))
        do throws(OrderError) {
            let place = try await queue.place(for: order, in: renderer)
            if let slot = place.slot {
                keeper.giveBack(try await keeper.worker(in: slot), keeps: true)
            }
            _ = consume place
        } catch {
            return nil
        }
        return knownConfinement
    }

    package func render(_ order: RenderOrder) async -> RenderAnswer {
        let answer = await render(order, with: usual, mayGroup: true)
        // Built-in icons are trusted, so this process draws placeholders if no worker can be
        // started.
        guard case .icon = order.subject, case .failure(.unavailable) = answer.result else {
            return answer
        }
        return await InProcess(renderer, queue).render(order)
    }

    /// Carries out an order in a theme that may differ from the pool's.
    package func render(_ order: RenderOrder, with themed: ThemedRenderer) async -> RenderAnswer {
        await render(order, with: themed, mayGroup: false)
    }

    /// - Parameter mayGroup: Whether the order may share a request with others.
    private func render(
        _ order: RenderOrder, with themed: ThemedRenderer, mayGroup: Bool
    ) async -> RenderAnswer {
        if case .raster = order.subject {
            return await InProcess(themed.renderer, queue).render(order)
        }
        do throws(OrderError) {
            let estimate = OrderEstimate(of: order, in: themed.renderer, memoryBytes: queue.bytes)
            let memory = try await queue.memory(for: order, estimate)
            let groupBytes =
                mayGroup && estimate.bytes <= queue.smallBytes
                ? order.groupBytes(estimate.format, in: themed.renderer.theme) : nil
            let answer = try await takeTurns(order, estimate, groupBytes, with: themed)
            _ = consume memory
            return answer
        } catch {
            return RenderAnswer(result: .failure(error))
        }
    }

    /// Waits for slots until the order ends in one of them, or in the request of another order.
    private func takeTurns(
        _ order: RenderOrder, _ estimate: OrderEstimate, _ groupBytes: Int?,
        with themed: ThemedRenderer
    ) async throws(OrderError) -> RenderAnswer {
        var attempts = Attempts(order)
        var isSlow = queue.isFair && estimate.isLarge
        var groupBytes = groupBytes
        while true {
            let waiting = WaitingOrder(attempts.order, isSlow: isSlow, groupBytes: groupBytes)
            switch try await queue.turn(of: waiting) {
            case .answered(let answer?): return attempts.whole(answer)
            case .answered(nil): groupBytes = nil
            case .slot(let slot):
                let isPaced = queue.isFair && !isSlow && estimate.format?.isVector == true
                let answer = await draw(
                    &attempts, waiting, in: slot, with: themed, isPaced: isPaced)
                queue.release(slot, isCold: !keeper.isReady(in: slot))
                // Lets the task that got the worker send its order first.
                await Task.yield()
                guard case .failure(.preempted) = answer.result else {
                    return attempts.whole(answer)
                }
                isSlow = true
                attempts.addPreempted(answer)
            }
        }
    }

    /// Carries out an order in the worker of a slot, together with orders that can share the
    /// request. After a crash the order is tried once more, alone and in a new worker.
    private func draw(
        _ attempts: inout Attempts, _ waiting: WaitingOrder, in slot: Int,
        with themed: ThemedRenderer, isPaced: Bool
    ) async -> RenderAnswer {
        var isFirst = true
        var crashes = 0
        while true {
            let worker: WorkerProcess
            do throws(OrderError) {
                worker = try await keeper.worker(in: slot)
            } catch {
                return RenderAnswer(result: .failure(error))
            }
            let others =
                isFirst
                ? queue.companions(
                    of: waiting, most: keeper.groupSize.withLock { $0.size },
                    bytesLimit: WorkerConversation.groupOutcomeBytes) : []
            var conversation = WorkerConversation(
                [attempts.order] + others.map(\.order), themed, worker: worker, keeper: keeper,
                queue: queue, areSmall: isFirst && waiting.groupBytes != nil, isPaced: isPaced)
            isFirst = false
            let answers = await conversation.run()
            keeper.giveBack(
                worker, keeps: conversation.isClean, isUnusable: conversation.isUnusable)
            for (order, answer) in zip(others, answers.dropFirst()) { order.answer(answer) }
            guard let answer = answers[0] else { continue }
            switch answer.result {
            case .failure(.unavailable(let lack)) where keeper.settings.endsWithoutRoom:
                keeper.giveUp(lack)
            case .failure(.crashed) where crashes == 0 && !Task.isCancelled:
                crashes += 1
                attempts.add(answer)
                continue
            default: break
            }
            return answer
        }
    }
}

/// An order, with the stages and the CPU time of the attempts that are repeated.
private struct Attempts {
    private(set) var order: RenderOrder
    private var moments: [StageMoment] = []
    private var processorNanoseconds: UInt64 = 0

    init(_ order: RenderOrder) { self.order = order }

    /// Adds an attempt that is repeated. All attempts share the time limit of the order.
    mutating func add(_ answer: RenderAnswer) {
        moments += answer.moments
        moments.append(StageMoment(stage: .queue, nanoseconds: MonotonicClock.now))
        let used = answer.processorNanoseconds
        processorNanoseconds = processorNanoseconds &+ used
        order.processorNanoseconds -= min(order.processorNanoseconds, used)
    }

    /// Adds an attempt that had to leave its slot to another order. Its CPU time does not count, so
    /// that the result does not depend on the load.
    mutating func addPreempted(_ answer: RenderAnswer) {
        var answer = answer
        answer.processorNanoseconds = 0
        add(answer)
    }

    /// Returns an answer with the stages and the CPU time of all attempts.
    func whole(_ answer: RenderAnswer) -> RenderAnswer {
        var answer = answer
        answer.moments = moments + answer.moments
        answer.processorNanoseconds = processorNanoseconds &+ answer.processorNanoseconds
        return answer
    }
}

/// A renderer and its theme in encoded form, made once for all its orders.
package struct ThemedRenderer: Sendable {
    package let renderer: Renderer
    let theme: [UInt8]

    package init(_ renderer: Renderer) {
        self.renderer = renderer
        theme = Wire.bytes(of: renderer.theme) { try $0.code(&$1) }
    }
}
