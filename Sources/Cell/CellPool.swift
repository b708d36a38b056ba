import Codecs
import Glibc
import Raster
import Render
import Synchronization
import System

/// Worker processes that render for this one.
///
/// A picture that takes its process down costs that picture alone: the process is replaced, and
/// the picture is tried once more at most. Any number of tasks may ask at once; as many are served
/// as there are cells. Letting go of the pool ends its processes.
package final class CellPool: RenderBackend {
    private let keeper: CellKeeper
    private let thread: Thread?
    /// Reckons on this side, and draws our own icons when no process can be had.
    package var renderer: Renderer { usual.renderer }
    /// What draws where an order comes with nothing else.
    private let usual: ThemedRenderer
    private let isClosed = Atomic(false)

    /// The most processes that one order may take down.
    private static let attempts = 2
    /// Processes that were killed by others before they met the picture do not count against it. So
    /// they say themselves, and one that was taken over may lie: hence no more than these, beside
    /// each that may have been there to be killed while it had nothing to do.
    private static let untakenAttempts = 2

    package init(settings: CellSettings, renderer: Renderer) {
        usual = ThemedRenderer(renderer)
        let keeper = CellKeeper(settings: settings, theme: usual.theme)
        self.keeper = keeper
        thread = Thread("emblem-cells") { keeper.run() }
        if thread == nil { keeper.giveUp(CellLack("no thread can be started", code: EAGAIN)) }
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

    /// The numbers of the processes that live now.
    package var processes: [pid_t] { keeper.processes }

    /// The processes that were started until now, those included that took the place of others.
    package var startedCount: Int { keeper.startedCount }

    /// What is in force in the cells; waits for the first one. `nil` when there will be none.
    package func confinement() async -> Confinement? {
        if keeper.confinement == nil, case .success(let cell) = await keeper.lease() {
            keeper.giveBack(cell, keeps: true)
        }
        return keeper.confinement
    }

    /// What is in force in the cells that came up until now; `nil` when none did.
    package var knownConfinement: Confinement? { keeper.confinement }

    package func render(
        _ order: RenderOrder, admit: (RenderCost) async -> Bool
    ) async -> RenderAnswer {
        let answer = await render(order, with: usual, admit: admit)
        // Our own icons are no stranger's: what stands in for pictures can still be had.
        guard case .icon = order.subject, case .failure(.unavailable) = answer.result else {
            return answer
        }
        return await InProcess(renderer, memoryBytes: 0).render(order, admit: admit)
    }

    /// Carries out an order in a process of its own.
    ///
    /// - Parameters:
    ///   - themed: draws it, in a theme that need not be the pool's.
    ///   - admit: is asked for memory unless the allowance covers it; may be asked again when the
    ///     process crashed and the picture is tried once more.
    package func render(
        _ order: RenderOrder, with themed: ThemedRenderer,
        admit: (RenderCost) async -> Bool
    ) async -> RenderAnswer {
        if case .raster = order.subject {
            return await InProcess(themed.renderer, memoryBytes: 0).render(order, admit: admit)
        }
        var (taken, untaken) = (0, 0)
        var order = order
        var used: UInt64 = 0
        while true {
            guard !Task.isCancelled else {
                return RenderAnswer(result: .failure(.render(.stopped)))
            }
            let cell: Cell
            switch await keeper.lease() {
            case .success(let leased): cell = leased
            case .failure(let error): return RenderAnswer(result: .failure(error))
            }
            var visit = CellSession(order, cell: cell, keeper: keeper, themed)
            var answer = await visit.run(admit)
            keeper.giveBack(cell, keeps: visit.isClean, isOdd: visit.isOdd)
            // Two attempts have no more time than one.
            used = used &+ answer.processorNanoseconds
            order.processorNanoseconds -= min(
                order.processorNanoseconds, answer.processorNanoseconds)
            answer.processorNanoseconds = used
            // Whoever got the cell sends it to work before this task goes on.
            await Task.yield()
            guard case .failure(.crashed) = answer.result else { return answer }
            if visit.lacksLibrary { continue }
            if visit.wasTaken { taken += 1 } else { untaken += 1 }
            guard taken < Self.attempts, untaken <= count + Self.untakenAttempts
            else { return answer }
        }
    }
}
