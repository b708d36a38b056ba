import Gauge
import System

/// A backend that carries out orders in this process, on the calling task.
package struct InProcess: RenderBackend {
    package let renderer: Renderer
    package let queue: OrderQueue

    package init(_ renderer: Renderer, _ queue: OrderQueue) {
        self.renderer = renderer
        self.queue = queue
    }

    package func close() {}
    package var failure: OrderError? { nil }

    package func render(_ order: RenderOrder) async -> RenderAnswer {
        do throws(OrderError) {
            let place = try await queue.place(for: order, in: renderer)
            let answer = attempt(order)
            _ = consume place
            return answer
        } catch {
            return RenderAnswer(result: .failure(error))
        }
    }

    /// Carries out an order without waiting.
    ///
    /// - Parameter isStopped: Returns whether the work ends before the next step.
    package func attempt(
        _ order: RenderOrder, isStopped: () -> Bool = { Task.isCancelled }
    ) -> RenderAnswer {
        var watch = OrderWatch(order)
        var work = OrderWork(
            order.subject, order.recipe, allowanceBytes: queue.allowance(for: order), renderer,
            memoryBytes: queue.bytes)
        var answer = RenderAnswer(result: .failure(.render(.stopped)))
        do throws(RenderError) {
            answer.result = .success(
                try work.carryOut(order.source.span) { step throws(RenderError) in
                    try watch.begin(step, isStopped: isStopped())
                })
        } catch {
            answer.result = .failure(watch.isLate ? .timeout : .render(error))
        }
        watch.count()
        // A worker would have been killed for using this much CPU time.
        if watch.isOverLimit, !isStopped() { answer.result = .failure(.drawnTooLong) }
        answer.header = work.header
        answer.processorNanoseconds = watch.worked
        answer.moments = watch.moments
        return answer
    }
}

/// The limits of an order's time. A step cannot be interrupted, but none begins after a limit is
/// reached.
private struct OrderWatch {
    private(set) var moments: [StageMoment] = []
    /// The CPU time of the order so far, in nanoseconds.
    private(set) var worked: UInt64 = 0
    private(set) var isLate = false
    private let limit: UInt64
    private let deadline: UInt64
    /// The CPU clock of the thread when the time was last counted.
    private var mark = MonotonicClock.ofThread

    init(_ order: RenderOrder) {
        limit = order.processorNanoseconds
        let (sum, overflow) = MonotonicClock.now.addingReportingOverflow(
            order.patienceNanoseconds)
        deadline = overflow ? .max : sum
    }

    /// Whether the order has used more CPU time than it may.
    var isOverLimit: Bool { worked > limit }

    mutating func begin(_ stage: RunStage, isStopped: Bool) throws(RenderError) {
        count()
        let now = MonotonicClock.now
        guard !isOverLimit, !isStopped else { throw .stopped }
        isLate = now > deadline
        guard !isLate else { throw .stopped }
        moments.append(StageMoment(stage: stage, nanoseconds: now))
    }

    mutating func count() {
        let now = MonotonicClock.ofThread
        worked = worked &+ (now - min(now, mark))
        mark = now
    }
}
