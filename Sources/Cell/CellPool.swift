import Codecs
import Glibc
import Raster
import Render
import Synchronization
import System

/// Worker processes that render for this one.
///
/// A picture that takes its process down costs that picture alone: the process is replaced, and
/// the picture is tried once more at most, and once before where it went in company, whose others
/// are drawn again. Any number of tasks may ask at once; as many are served
/// as there are cells. Letting go of the pool ends its processes.
package final class CellPool: RenderBackend {
    private let keeper: CellKeeper
    private let thread: Thread?
    /// Reckons on this side, and draws our own icons when no process can be had.
    package var renderer: Renderer { usual.renderer }
    /// What draws where an order comes with nothing else.
    private let usual: ThemedRenderer
    private let isClosed = Atomic(false)

    /// The most processes that one order may take down alone.
    private static let attempts = 2
    /// Processes that were killed by others before they met the picture do not count against it. So
    /// they say themselves, and one that was taken over may lie: hence no more than these, beside
    /// each that may have been there to be killed while it had nothing to do.
    private static let untakenAttempts = 2

    package init(settings: CellSettings, renderer: Renderer) {
        usual = ThemedRenderer(renderer)
        let keeper = CellKeeper(settings: settings, theme: usual.theme)
        self.keeper = keeper
        thread = keeper.lack == nil ? Thread("emblem-cells") { keeper.run() } : nil
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

    /// The most small pictures that are of use in line at once.
    package var companyCount: Int { count * CellCompanySize.limit }

    /// The orders that wait for a process.
    package var waitingCount: Int { keeper.waitingCount }

    /// The orders that went along with another's until now.
    package var alongCount: Int { keeper.alongCount }

    /// The numbers of the processes that live now.
    package var processes: [pid_t] { keeper.processes }

    /// The processes that were started until now, those included that took the place of others.
    package var startedCount: Int { keeper.startedCount }

    /// What is in force in the cells; waits for the first one. `nil` when there will be none.
    package func confinement() async -> Confinement? {
        if keeper.confinement == nil, case .cell(let cell, _) = await keeper.wait(for: CellTurn()) {
            keeper.giveBack(cell, keeps: true)
        }
        return keeper.confinement
    }

    /// What is in force in the cells that came up until now; `nil` when none did.
    package var knownConfinement: Confinement? { keeper.confinement }

    /// Carries out an order together with others that wait, where it is one of a small picture. It
    /// holds nothing that others wait for until its turn has come.
    ///
    /// - Parameter allow: the memory that can be had without waiting, in bytes, until this returns;
    ///   asked of the first of a company, for all of it.
    /// - Returns: nil where it did not come off in company: the order is to be given alone.
    package func renderInCompany(
        _ order: RenderOrder, allow: () -> Int
    ) async -> RenderAnswer? {
        guard keeper.companySize > 1, order.isSmall(in: renderer) else { return nil }
        let outcomeBytes = CellLetter.room(for: order, in: renderer.theme)
        switch await keeper.wait(for: CellTurn(order, outcomeBytes: outcomeBytes)) {
        case .refused(let error): return RenderAnswer(result: .failure(error))
        case .wentAlong(let answer): return answer
        case .cell(let cell, let along) where along.isEmpty:
            keeper.giveBack(cell, keeps: true)
            return nil
        case .cell(let cell, let along):
            let answers = await lead([order] + along.compactMap(\.parcel), to: cell, allow())
            for (turn, answer) in zip(along, answers.dropFirst()) {
                turn.waiter.resume(returning: .wentAlong(answer))
            }
            // Whoever got the cell sends it to work before this task goes on.
            await Task.yield()
            return answers[0]
        }
    }

    /// Takes small orders to a cell, and gives the cell back; nil for those that are to be given
    /// alone.
    private func lead(
        _ orders: [RenderOrder], to cell: Cell, _ allowanceBytes: Int
    ) async -> [RenderAnswer?] {
        guard allowanceBytes > 0 else {
            keeper.giveBack(cell, keeps: true)
            return orders.map { _ in nil }
        }
        var visit = CellCompany(
            orders, allowanceBytes: allowanceBytes, usual, cell: cell, keeper: keeper)
        let answers = await visit.run()
        keeper.giveBack(cell, keeps: visit.isClean, isOdd: visit.isOdd)
        return answers
    }

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
        var (used, waited): (UInt64, UInt64) = (0, 0)
        while true {
            guard !Task.isCancelled else {
                return RenderAnswer(result: .failure(.render(.stopped)))
            }
            let cell: Cell
            let asked = MonotonicClock.now
            switch await keeper.wait(for: CellTurn()) {
            case .cell(let leased, _): cell = leased
            case .refused(let error): return RenderAnswer(result: .failure(error))
            case .wentAlong: preconditionFailure("Nobody takes along what is no parcel.")
            }
            var visit = CellSession(order, cell: cell, keeper: keeper, themed)
            waited += visit.began - asked
            var answer = await visit.run(admit)
            if order.isSmall(in: themed.renderer) { keeper.note(answer.smallWork) }
            keeper.giveBack(cell, keeps: visit.isClean, isOdd: visit.isOdd)
            // Two attempts have no more time than one.
            used = used &+ answer.processorNanoseconds
            order.processorNanoseconds -= min(
                order.processorNanoseconds, answer.processorNanoseconds)
            answer.processorNanoseconds = used
            answer.waitedNanoseconds = waited
            // Whoever got the cell sends it to work before this task goes on.
            await Task.yield()
            if case .failure(.unavailable(let lack)) = answer.result {
                if keeper.settings.endsWithoutRoom { keeper.giveUp(lack) }
                return answer
            }
            guard case .failure(.crashed) = answer.result else { return answer }
            if visit.lacksLibrary { continue }
            if visit.wasTaken { taken += 1 } else { untaken += 1 }
            guard taken < Self.attempts, untaken <= count + Self.untakenAttempts
            else { return answer }
        }
    }
}

extension RenderAnswer {
    /// What the processors worked for it; nil where that came to no end.
    fileprivate var smallWork: UInt64? {
        switch result {
        case .success, .failure(.render), .failure(.refused): processorNanoseconds
        case .failure: nil
        }
    }
}
