import Gauge
import Render
import Synchronization
import System

/// One request to a worker and its reply: one order, or a group of small ones.
///
/// A group has at most 16 orders and about 16 ms of work; groups reduce the time of a run over
/// logos by a tenth. An order that fails in a group is repeated alone with its full time limit, so
/// that an image cannot fail because of another image.
struct WorkerConversation {
    private let orders: [RenderOrder]
    private let themed: ThemedRenderer
    private let worker: WorkerProcess
    private let keeper: WorkerKeeper
    private let queue: OrderQueue
    private let began = MonotonicClock.now
    private let limits: WorkerLimits
    /// Whether the orders are small, so that their time decides the size of the next group.
    private let areSmall: Bool
    /// Whether the worker waits for the next request. Otherwise its state is unknown.
    private(set) var isClean = false
    /// Whether the worker broke the protocol, or lacks a library that the order needs. Workers that
    /// were forked with it must be replaced too.
    private(set) var isUnusable = false

    /// The time limits of a group. An order that takes longer is repeated alone.
    static let groupNanoseconds: UInt64 = 4_000_000_000
    static let groupProcessorNanoseconds: UInt64 = 1_000_000_000
    /// The most bytes of all outcomes of a group, which are copied at once.
    static let groupOutcomeBytes = 24 << 20

    /// The offset of a source in the region is a multiple of this number of bytes.
    private static let alignment = 64

    /// - Parameter isPaced: Whether the queue decides about a drawing that takes long.
    init(
        _ orders: [RenderOrder], _ themed: ThemedRenderer, worker: WorkerProcess,
        keeper: WorkerKeeper, queue: OrderQueue, areSmall: Bool, isPaced: Bool
    ) {
        self.orders = orders
        self.themed = themed
        self.worker = worker
        self.keeper = keeper
        self.queue = queue
        self.areSmall = areSmall
        limits =
            orders.count == 1
            ? WorkerLimits(
                from: began, orders[0].patienceNanoseconds,
                processor: orders[0].processorNanoseconds, of: worker,
                quick: isPaced ? OrderQueue.quickNanoseconds : .max)
            : WorkerLimits(
                from: began, Self.groupNanoseconds, processor: Self.groupProcessorNanoseconds,
                of: worker)
    }

    /// Returns the answers to the orders; nil for an order that must be repeated alone, by another
    /// worker.
    mutating func run() async -> [RenderAnswer?] {
        let answers: [RenderAnswer?]
        do {
            answers = try await converse()
        } catch {
            (isClean, isUnusable) = (false, true)
            note(nil)
            answers = failure(.crashed("a malformed reply of the worker"))
        }
        if isClean { worker.region.clear() }
        return answers
    }

    private mutating func converse() async throws -> [RenderAnswer?] {
        let message = message
        if let lack = enlargeRegion(to: message.end) {
            // Nothing was sent to the worker yet.
            isClean = true
            return failure(.unavailable(lack))
        }
        let outcomes = orders.count == 1 ? SharedRegion.start : message.end
        var request = WorkerRequest(
            mapped: worker.region.count, themeBytes: message.theme.count, places: message.places,
            outcomes: outcomes)
        try write(message)
        while true {
            switch await keeper.exchange(request, with: worker, limits) {
            case .ended(let end):
                // A cancelled task or a closing pool says nothing about the time that the images
                // take.
                if end != .canceled, end != .closed { note(nil) }
                return failure(end.error)
            case .report(.room(let count)):
                guard count > worker.region.count, count <= outcomesLimit(from: outcomes) else {
                    throw WireDamage()
                }
                if let lack = enlargeRegion(to: count) { return failure(.unavailable(lack)) }
                request = WorkerRequest(mapped: worker.region.count)
            case .report(.done(let tableBytes, let leaves)):
                let answers = try read(tableBytes, from: outcomes)
                isClean = !leaves && !isUnusable
                return answers
            case .report: throw WireDamage()
            }
        }
    }

    private func outcomesLimit(from start: Int) -> Int {
        orders.reduce(start) { $0 + Outcome.bytesLimit(for: $1, in: themed.renderer.theme) }
    }

    private func failure(_ error: OrderError) -> [RenderAnswer?] {
        // The worker ended during a group. Its report of the image that it worked on cannot be
        // trusted.
        guard orders.count == 1 else { return orders.map { _ in nil } }
        var answer = RenderAnswer(
            moments: [StageMoment(stage: .decode, nanoseconds: began)], result: .failure(error))
        answer.processorNanoseconds = limits.used(by: worker) ?? 0
        return [answer]
    }

    /// Reports the CPU time of small orders to the keeper; nil if the worker ended.
    private func note(_ nanoseconds: UInt64?) {
        if areSmall { keeper.groupSize.withLock { $0.note(nanoseconds) } }
    }

    // MARK: The region

    /// The orders of a request, as they are written into the region one after the other.
    private struct Message {
        let wires: [[UInt8]]
        let theme: [UInt8]
        var places: [WorkerPlace] = []
        var end: Int
    }

    private var message: Message {
        // Orders that draw nothing need no theme.
        let isDrawn = orders.contains { !$0.recipe.variants.isEmpty }
        let theme = isDrawn && !worker.hasTheme(themed.theme) ? themed.theme : []
        var message = Message(
            wires: orders.map {
                WorkerOrder($0, allowanceBytes: queue.allowance(for: $0)).bytes
            },
            theme: theme,
            end: SharedRegion.start + theme.count)
        for (order, wire) in zip(orders, message.wires) {
            let picture =
                (message.end + wire.count) / Self.alignment * Self.alignment + Self.alignment
            message.places.append(
                WorkerPlace(
                    order: message.end, orderBytes: wire.count, picture: picture,
                    pictureBytes: order.source.count))
            message.end = picture + order.source.count
        }
        return message
    }

    /// Enlarges the region; returns the reason if that fails.
    private func enlargeRegion(to count: Int) -> WorkerLack? {
        do throws(WorkerFault) {
            try worker.region.reserve(count)
            return nil
        } catch {
            return error.lack
        }
    }

    private func write(_ message: Message) throws(WireDamage) {
        let region = worker.region
        if !message.theme.isEmpty {
            try region.write(message.theme.span, at: SharedRegion.start)
            worker.noteTheme(message.theme)
        }
        for ((order, wire), place) in zip(zip(orders, message.wires), message.places) {
            try region.write(wire.span, at: place.order)
            let picture = order.source
            try region.write(picture.span, at: place.picture)
        }
    }

    private mutating func read(
        _ tableBytes: [Int], from outcomes: Int
    ) throws -> [RenderAnswer?] {
        guard tableBytes.count == orders.count else { throw WireDamage() }
        var reader = OutcomeReader(
            worker.region, from: outcomes, since: began)
        let share = (limits.used(by: worker) ?? 0) / UInt64(orders.count)
        note(share)
        var answers: [RenderAnswer?] = []
        for (order, count) in zip(orders, tableBytes) {
            var answer = try reader.answer(to: order, by: themed.renderer, tableBytes: count)
            answer?.processorNanoseconds = share
            answers.append(answer)
        }
        if answers.contains(where: { $0 == nil }) {
            // A worker that was started as a program has every library.
            guard worker.isForked else { throw WireDamage() }
            isUnusable = orders.count == 1
        }
        guard orders.count > 1 else { return answers }
        // Each order ended when the next one began.
        var end = MonotonicClock.now
        for index in answers.indices.reversed() {
            answers[index]?.end = end
            end = answers[index]?.moments.first?.nanoseconds ?? end
        }
        return answers
    }
}

/// The time limits of one request.
struct WorkerLimits {
    let deadline: UInt64
    /// The CPU time of the worker's process, since its start, at which the worker is killed.
    let processorLimit: UInt64
    /// The CPU time from which the queue decides whether the work may continue.
    var quickLimit: UInt64
    private let processorStart: UInt64

    init(
        from moment: UInt64, _ nanoseconds: UInt64, processor: UInt64, of worker: WorkerProcess,
        quick: UInt64 = .max
    ) {
        deadline = moment.saturating(plus: nanoseconds)
        processorStart = worker.processorTime ?? 0
        processorLimit = processorStart.saturating(plus: processor)
        quickLimit = processorStart.saturating(plus: quick)
    }

    /// The time of the next check of the CPU time: the earliest moment at which a worker with one
    /// thread can have reached a limit. A worker with more threads is noticed a little later.
    var nextCheck: UInt64 {
        MonotonicClock.now.saturating(plus: min(processorLimit, quickLimit) - processorStart)
    }

    func used(by worker: WorkerProcess) -> UInt64? {
        worker.processorTime.map { $0 - min($0, processorStart) }
    }
}

extension UInt64 {
    fileprivate func saturating(plus other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
