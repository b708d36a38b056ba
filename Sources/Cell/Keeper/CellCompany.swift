import Render
import System

/// Several small orders sent to one worker in one message, seen from the task that took the others
/// along.
///
/// A group has at most 16 orders and about 16 ms of work. Grouping saves a tenth of a run over
/// logos. Only orders that need no question go in a group, and they wait only for a moment. An
/// order that fails in a group is repeated alone with all of its time, so that no image is blamed
/// for another one. A job that waits to be grouped holds neither memory nor a permit: otherwise it
/// could deadlock with a job that holds a worker and waits for memory.
struct CellCompany {
    private let orders: [RenderOrder]
    private let themed: ThemedRenderer
    private let cell: Cell
    private let keeper: CellKeeper
    private let began = MonotonicClock.now
    private let patience: CellPatience
    /// The cell waits for the next orders.
    private(set) var isClean = false
    /// The cell broke the rules.
    private(set) var isOdd = false

    /// The time for all of them, of the processors and of the clock. What takes longer is better off
    /// alone, and so is what waits for it.
    static let processorNanoseconds: UInt64 = 1_000_000_000
    static let nanoseconds: UInt64 = 4_000_000_000

    /// The most that may come of all of them, which lies in the region and is copied at once.
    static let outcomeBytes = 24 << 20

    /// - Parameter allowanceBytes: the memory in which one after the other is drawn.
    init(
        _ orders: [RenderOrder], allowanceBytes: Int, _ themed: ThemedRenderer, cell: Cell,
        keeper: CellKeeper
    ) {
        self.orders = orders.map { order in
            var order = order
            order.allowanceBytes = allowanceBytes
            return order
        }
        self.themed = themed
        self.cell = cell
        self.keeper = keeper
        patience = CellPatience(
            from: began, Self.nanoseconds, processor: Self.processorNanoseconds, of: cell)
    }

    /// What came of each; nil for those that are to be given alone. Whatever ended the cell, nobody is
    /// blamed for it: a cell may say over whose picture it was, and lie.
    mutating func run() async -> [RenderAnswer?] {
        do throws(WireDamage) {
            let answers = try await converse()
            if isClean { cell.region.clear() }
            return answers
        } catch {
            isClean = false
            isOdd = true
            keeper.note(nil)
            return orders.map { _ in nil }
        }
    }

    private mutating func converse() async throws(WireDamage) -> [RenderAnswer?] {
        let letter: CellLetter
        do throws(CellFault) {
            letter = try CellLetter(orders: orders, themed, to: cell, isCompany: true)
        } catch {
            // There may be room for one of them alone.
            isClean = true
            return orders.map { _ in nil }
        }
        let request = try letter.place()
        guard case .draw(_, _, _, let outcomes, _) = request else { throw WireDamage() }
        switch await keeper.exchange(request, with: cell, patience) {
        case .ended(let end):
            // A task that is cancelled, or a pool that closes, says nothing of the pictures.
            if end != .canceled, end != .closed { keeper.note(nil) }
            return orders.map { _ in nil }
        case .report(.done(let tableBytes, let leaves)):
            guard tableBytes.count == orders.count else { throw WireDamage() }
            let answers = try read(tableBytes, from: outcomes)
            isClean = !leaves
            return answers
        case .report: throw WireDamage()
        }
    }

    private func read(
        _ tableBytes: [Int], from outcomes: Int
    ) throws(WireDamage) -> [RenderAnswer?] {
        var reader = OutcomeReader(cell.region, from: outcomes, since: began)
        let share = (patience.used(by: cell) ?? 0) / UInt64(orders.count)
        keeper.note(share)
        var answers: [RenderAnswer?] = []
        for (order, count) in zip(orders, tableBytes) {
            guard count > 0 else {
                answers.append(nil)
                continue
            }
            var answer = try reader.answer(
                to: order, by: themed.renderer, nil, tableBytes: count)
            answer.processorNanoseconds = share
            answers.append(answer)
        }
        // Each ended where the next one began.
        var end = MonotonicClock.now
        for index in answers.indices.reversed() {
            answers[index]?.end = end
            end = answers[index]?.moments.first?.nanoseconds ?? end
        }
        return answers
    }
}
