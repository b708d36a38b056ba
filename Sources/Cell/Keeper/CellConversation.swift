import Render
import System

/// One request to a cell and its reply: one order, or a group of small ones.
///
/// A group has at most 16 orders and about 16 ms of work; it saves a tenth of a run over logos. An
/// order that fails in a group is repeated alone with all of its time, so that no image is blamed
/// for another one.
struct CellConversation {
    private let orders: [RenderOrder]
    private let themed: ThemedRenderer
    private let cell: Cell
    private let keeper: CellKeeper
    private let began = MonotonicClock.now
    private let patience: CellPatience
    /// Whether the orders are small, so that their time decides the size of the next group.
    private let areSmall: Bool
    /// The cell waits for the next request; otherwise its state is unknown.
    private(set) var isClean = false
    /// The cell broke the rules, or lacks a library that the order needs. Cells that were forked
    /// with it are to be replaced too.
    private(set) var isOdd = false

    /// The time limits of a group. An order that takes longer is better off alone.
    static let groupNanoseconds: UInt64 = 4_000_000_000
    static let groupProcessorNanoseconds: UInt64 = 1_000_000_000
    /// The most bytes of all outcomes of a group, which are copied at once.
    static let groupOutcomeBytes = 24 << 20

    /// The offset of a source in the region is a multiple of this.
    private static let alignment = 64

    init(
        _ orders: [RenderOrder], _ themed: ThemedRenderer, cell: Cell, keeper: CellKeeper,
        areSmall: Bool
    ) {
        self.orders = orders
        self.themed = themed
        self.cell = cell
        self.keeper = keeper
        self.areSmall = areSmall
        patience =
            orders.count == 1
            ? CellPatience(
                from: began, orders[0].patienceNanoseconds,
                processor: orders[0].processorNanoseconds, of: cell)
            : CellPatience(
                from: began, Self.groupNanoseconds, processor: Self.groupProcessorNanoseconds,
                of: cell)
    }

    /// Whether the cell has begun with the order, as it says itself. A cell that ended before has
    /// not met the image.
    var wasTaken: Bool {
        do throws(WireDamage) {
            return try cell.region.read(1, at: 0) != [0]
        } catch {
            return true
        }
    }

    /// Returns the answers to the orders; nil for an order that is to be repeated alone, by another
    /// cell.
    mutating func run() async -> [RenderAnswer?] {
        let answers: [RenderAnswer?]
        do throws(WireDamage) {
            answers = try await converse()
        } catch {
            (isClean, isOdd) = (false, true)
            note(nil)
            answers = failure(.crashed("a malformed reply of the worker"))
        }
        if isClean { cell.region.clear() }
        return answers
    }

    private mutating func converse() async throws(WireDamage) -> [RenderAnswer?] {
        let letter = letter
        do throws(CellFault) {
            try cell.region.reserve(letter.end)
        } catch {
            // The cell has heard of nothing yet.
            isClean = true
            return failure(.unavailable(error.lack))
        }
        let outcomes = orders.count == 1 ? SharedRegion.start : letter.end
        var request = CellRequest.draw(
            mapped: cell.region.count, themeBytes: letter.theme.count, places: letter.places,
            outcomes: outcomes)
        try write(letter)
        while true {
            switch await keeper.exchange(request, with: cell, patience) {
            case .ended(let end):
                // A task that is cancelled, or a pool that closes, says nothing of the images.
                if end != .canceled, end != .closed { note(nil) }
                return failure(end.error)
            case .report(.room(let count)):
                guard count > cell.region.count, count <= outcomesLimit(from: outcomes) else {
                    throw WireDamage()
                }
                do throws(CellFault) {
                    try cell.region.reserve(count)
                } catch {
                    return failure(.unavailable(error.lack))
                }
                request = .room(mapped: cell.region.count)
            case .report(.done(let tableBytes, let leaves)):
                let answers = try read(tableBytes, from: outcomes)
                isClean = !leaves && !isOdd
                return answers
            case .report: throw WireDamage()
            }
        }
    }

    /// The end of the outcomes in the region, at most.
    private func outcomesLimit(from start: Int) -> Int {
        orders.reduce(start) { $0 + Outcome.bytesLimit(for: $1, in: themed.renderer.theme) }
    }

    private func failure(_ error: OrderError) -> [RenderAnswer?] {
        // The cell may say over which image of a group it ended, and lie.
        guard orders.count == 1 else { return orders.map { _ in nil } }
        var answer = RenderAnswer(
            moments: [StepMoment(step: .sniff, nanoseconds: began)], result: .failure(error))
        answer.processorNanoseconds = patience.used(by: cell) ?? 0
        return [answer]
    }

    private func note(_ nanoseconds: UInt64?) {
        if areSmall { keeper.note(nanoseconds) }
    }

    // MARK: The region

    /// The orders on their way into the region, one behind the other.
    private struct Letter {
        let wires: [[UInt8]]
        /// Empty if the cell has the theme, or needs none.
        let theme: [UInt8]
        var places: [CellPlace] = []
        var end: Int
    }

    private var letter: Letter {
        // Where nothing is drawn no theme is needed.
        let isDrawn = orders.contains { !$0.recipe.variants.isEmpty }
        let theme = isDrawn && !cell.draws(in: themed.theme) ? themed.theme : []
        var letter = Letter(
            wires: orders.map { CellOrder($0).bytes }, theme: theme,
            end: SharedRegion.start + theme.count)
        for (order, wire) in zip(orders, letter.wires) {
            let picture =
                (letter.end + wire.count) / Self.alignment * Self.alignment + Self.alignment
            letter.places.append(
                CellPlace(
                    order: letter.end, orderBytes: wire.count, picture: picture,
                    pictureBytes: order.source.count))
            letter.end = picture + order.source.count
        }
        return letter
    }

    private func write(_ letter: Letter) throws(WireDamage) {
        let region = cell.region
        try region.write(([0] as [UInt8]).span, at: 0)
        if !letter.theme.isEmpty {
            try region.write(letter.theme.span, at: SharedRegion.start)
            cell.changes(to: letter.theme)
        }
        for ((order, wire), place) in zip(zip(orders, letter.wires), letter.places) {
            try region.write(wire.span, at: place.order)
            let picture = order.source
            try region.write(picture.span, at: place.picture)
        }
    }

    private mutating func read(
        _ tableBytes: [Int], from outcomes: Int
    ) throws(WireDamage) -> [RenderAnswer?] {
        guard tableBytes.count == orders.count else { throw WireDamage() }
        var reader = OutcomeReader(
            cell.region, from: outcomes, since: began, memoryBytes: keeper.settings.memoryBytes)
        let share = (patience.used(by: cell) ?? 0) / UInt64(orders.count)
        note(share)
        var answers: [RenderAnswer?] = []
        for (order, count) in zip(orders, tableBytes) {
            var answer = try reader.answer(to: order, by: themed.renderer, tableBytes: count)
            answer?.processorNanoseconds = share
            answers.append(answer)
        }
        if answers.contains(where: { $0 == nil }) {
            // A started program has every library.
            guard cell.isDivided else { throw WireDamage() }
            isOdd = orders.count == 1
        }
        guard orders.count > 1 else { return answers }
        // Each ended where the next one began.
        var end = MonotonicClock.now
        for index in answers.indices.reversed() {
            answers[index]?.end = end
            end = answers[index]?.moments.first?.nanoseconds ?? end
        }
        return answers
    }
}

/// The time limits of a request.
struct CellPatience {
    /// The moment at which the cell is killed.
    let deadline: UInt64
    /// The CPU time of the cell's process, since its start, at which the cell is killed.
    let processorLimit: UInt64
    /// The CPU time of the process when the request was sent.
    private let processorStart: UInt64

    init(from moment: UInt64, _ nanoseconds: UInt64, processor: UInt64, of cell: Cell) {
        deadline = moment.saturating(plus: nanoseconds)
        processorStart = cell.processorTime ?? 0
        processorLimit = processorStart.saturating(plus: processor)
    }

    /// The first moment at which the CPU time can be over: a cell has one thread. A cell with more
    /// threads is found out a little later.
    var look: UInt64 { MonotonicClock.now.saturating(plus: processorLimit - processorStart) }

    /// The CPU time since the request was sent.
    func used(by cell: Cell) -> UInt64? {
        cell.processorTime.map { $0 - min($0, processorStart) }
    }
}

extension UInt64 {
    fileprivate func saturating(plus other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
