import Artwork
import Codecs
import Raster
import Render
import System

/// One order in one cell, seen from the task that gave it.
struct CellSession {
    private let order: RenderOrder
    private let cell: Cell
    private let keeper: CellKeeper
    private let themed: ThemedRenderer

    let began = MonotonicClock.now
    private var patience: CellPatience
    private var header: ImageHeader?
    /// What the picture takes before its header can be read.
    private var headerBytes = 0
    /// The cell waits for the next order; otherwise nobody knows what it does.
    private(set) var isClean = false
    /// The cell broke the rules.
    private(set) var isOdd = false
    /// The cell ended because it came from dividing this process, and lacks a library: the next one
    /// may have it. A program has all of them.
    private(set) var lacksLibrary = false
    private var hasGrown = false

    /// Whether the cell has begun with the order, as it says itself: one that was gone before has
    /// not met the picture.
    var wasTaken: Bool {
        do throws(WireDamage) {
            return try cell.region.read(1, at: 0) != [0]
        } catch {
            return true
        }
    }

    init(_ order: RenderOrder, cell: Cell, keeper: CellKeeper, _ themed: ThemedRenderer) {
        self.order = order
        self.cell = cell
        self.keeper = keeper
        self.themed = themed
        patience = CellPatience(
            from: began, order.patienceNanoseconds, processor: order.processorNanoseconds,
            of: cell)
    }

    /// What the processors worked for the order.
    private var processorNanoseconds: UInt64 { patience.used(by: cell) ?? 0 }

    mutating func run(
        _ admit: (RenderCost) async -> Bool
    ) async -> RenderAnswer {
        do throws(WireDamage) {
            var answer = try await converse(admit)
            answer.processorNanoseconds = processorNanoseconds
            if isClean { cell.region.clear() }
            return answer
        } catch {
            isClean = false
            isOdd = true
            var answer = RenderAnswer(
                result: .failure(.crashed("a malformed reply of the worker")))
            answer.processorNanoseconds = processorNanoseconds
            return answer
        }
    }

    private mutating func converse(
        _ admit: (RenderCost) async -> Bool
    ) async throws(WireDamage) -> RenderAnswer {
        let letter: CellLetter
        do throws(CellFault) {
            letter = try CellLetter(orders: [order], themed, to: cell, isCompany: false)
        } catch {
            // The cell has heard of nothing yet.
            isClean = true
            return failure(.unavailable(error.lack))
        }
        var request = try letter.place()
        while true {
            let report: CellReply
            switch await keeper.exchange(request, with: cell, patience) {
            case .ended(let end):
                lacksLibrary = end == .lacksLibrary && cell.isDivided
                return failure(end.error)
            case .report(let received): report = received
            }
            switch report {
            case .header(let header):
                guard self.header == nil, order.subject.isPicture else {
                    throw WireDamage()
                }
                // Nothing is reckoned from sizes that the cell should have refused itself.
                try themed.renderer.hold(header, to: order)
                self.header = header
                let cost = RenderCost(
                    of: order.subject, header, order.recipe, themed.renderer,
                    memoryBytes: keeper.settings.memoryBytes, headerBytes: headerBytes)
                guard await ask(admit, cost) else {
                    isClean = cell.send(.refuse) == .taken
                    return failure(.refused)
                }
                request = .go
            case .document(let bytes):
                guard header == nil, headerBytes == 0, order.subject.isPicture else {
                    throw WireDamage()
                }
                headerBytes = bytes
                let cost = RenderCost(headerBytes: bytes, order.recipe, themed.renderer)
                guard await ask(admit, cost) else {
                    isClean = cell.send(.refuse) == .taken
                    return failure(.refused)
                }
                request = .go
            case .room(let count):
                guard !hasGrown,
                    count <= Outcome.bytesLimit(for: order, in: themed.renderer.theme)
                else { throw WireDamage() }
                hasGrown = true
                do throws(CellFault) {
                    try cell.region.reserve(count)
                } catch {
                    return failure(.unavailable(error.lack))
                }
                request = .room(mapped: cell.region.count)
            case .done(let tableBytes, let leaves):
                guard tableBytes.count == 1 else { throw WireDamage() }
                var reader = OutcomeReader(cell.region, from: SharedRegion.start, since: began)
                let answer = try reader.answer(
                    to: order, by: themed.renderer, header, tableBytes: tableBytes[0])
                isClean = !leaves
                return answer
            case .ready, .foreign: throw WireDamage()
            }
        }
    }

    private func failure(_ error: OrderError) -> RenderAnswer {
        RenderAnswer(
            header: header, moments: [StepMoment(step: .sniff, nanoseconds: began)],
            result: .failure(error))
    }

    /// Asks for memory; the time that takes is not the picture's.
    private mutating func ask(
        _ admit: (RenderCost) async -> Bool, _ cost: RenderCost
    ) async -> Bool {
        let asked = MonotonicClock.now
        let granted = await admit(cost)
        patience.extend(by: MonotonicClock.now &- asked)
        return granted
    }
}
