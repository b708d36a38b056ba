import Gauge
import Raster
import System

/// An order in progress in a backend: the memory that it holds, and its attempts so far.
///
/// An attempt that needs more memory ends with `OrderError.needsMemory`. The order then gives back
/// its renderer and memory, waits for what it needs, and is attempted again.
package struct OrderProgress: ~Copyable {
    package private(set) var order: RenderOrder
    private let permits: Permits
    private let firstBytes: Int
    private var grant: Permits.Grant?
    private var moments: [StageMoment] = []
    private var processorNanoseconds: UInt64 = 0
    private var waits = 0

    /// A correct attempt waits at most for the usual memory, for reading a document and for
    /// decoding.
    private static let waitsLimit = 3

    package init(_ order: RenderOrder, in renderer: Renderer, _ permits: Permits) {
        self.order = order
        self.permits = permits
        firstBytes = order.subject.isPicture ? permits.smallBytes : order.ownBytes(in: renderer)
        self.order.allowanceBytes = 0
    }

    package var isAdmitted: Bool { grant != nil }

    /// Takes the usual memory, if it is free, for a task that has a worker. Returns whether the order
    /// holds memory now.
    package mutating func admitNow() -> Bool {
        guard grant == nil else { return true }
        grant = permits.takeNow(firstBytes, hasWorker: true)
        order.allowanceBytes = max(0, firstBytes - order.besideBytes)
        return grant != nil
    }

    /// Waits for a renderer and the usual memory, unless the order holds them already. Returns
    /// false if the task is cancelled while it waits.
    package mutating func admit() async -> Bool {
        if grant == nil { grant = await permits.take(firstBytes) }
        order.allowanceBytes = max(order.allowanceBytes, firstBytes - order.besideBytes)
        return grant != nil
    }

    /// Gives back the renderer and the memory, as soon as no further attempt needs them.
    package mutating func release() { grant = nil }

    package mutating func takeGrant() -> Permits.Grant? { grant.take() }

    /// Counts an attempt that must be repeated.
    package mutating func add(_ answer: RenderAnswer) {
        moments += answer.moments
        if !moments.isEmpty {
            moments.append(StageMoment(stage: .queue, nanoseconds: MonotonicClock.now))
        }
        // All attempts share the time limit of the order.
        let used = answer.processorNanoseconds
        processorNanoseconds = processorNanoseconds &+ used
        order.processorNanoseconds -= min(order.processorNanoseconds, used)
    }

    /// Ends an attempt. Returns the answer to the order, or nil if the order has waited for the
    /// memory that it needs and must be attempted again.
    package mutating func end(_ answer: RenderAnswer) async -> RenderAnswer? {
        guard case .failure(.needsMemory(let needed)) = answer.result else {
            return whole(answer)
        }
        guard waits < Self.waitsLimit else {
            return whole(answer, .failure(.crashed("a malformed reply of the worker")))
        }
        let bytes = needed.saturating(plus: order.besideBytes)
        guard bytes <= permits.bytes || permits.admitsLarger else {
            return whole(answer, .failure(.tooLarge(bytes, allowed: permits.bytes)))
        }
        waits += 1
        add(answer)
        grant = nil
        grant = await permits.take(bytes)
        order.allowanceBytes = needed
        guard grant != nil else {
            return whole(RenderAnswer(header: answer.header, result: .failure(.render(.stopped))))
        }
        return nil
    }

    package func stopped() -> RenderAnswer {
        whole(RenderAnswer(result: .failure(.render(.stopped))))
    }

    private func whole(
        _ answer: RenderAnswer, _ result: Result<Rendering, OrderError>? = nil
    ) -> RenderAnswer {
        var answer = answer
        answer.moments = moments + answer.moments
        answer.processorNanoseconds = processorNanoseconds &+ answer.processorNanoseconds
        if let result { answer.result = result }
        return answer
    }
}

extension RenderOrder {
    /// The memory for drawing built-in content, which must not fail for lack of memory.
    fileprivate func ownBytes(in renderer: Renderer) -> Int {
        let output = RenderCost.outputBytes(recipe, renderer.theme)
        guard case .raster(let pixels) = subject else { return output }
        return output.saturating(plus: pixels.buffer.size.byteCount)
    }
}
