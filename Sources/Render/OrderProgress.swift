import Artwork
import Codecs
import Digest
import Gauge
import Raster
import System
import Theming

/// An order in progress in a backend: the memory that it holds, and its attempts so far.
///
/// An attempt that needs more memory ends with `OrderError.needsMemory`. The order then gives back
/// its renderer and memory, waits for what it needs, and is attempted again.
package struct OrderProgress: ~Copyable {
    package private(set) var order: RenderOrder
    private let permits: Permits
    private let theme: Theme
    /// The memory for the first attempt, in bytes.
    private let firstBytes: Int
    /// The CPU time limit of all attempts together.
    private let processorLimit: UInt64
    private var grant: Permits.Grant?
    private var moments: [StageMoment] = []
    private var processorNanoseconds: UInt64 = 0
    /// The number of times that the order waited for more memory.
    private var waits = 0
    /// The digest of the source; nil until it is needed.
    private var digest: Digest256?
    /// The reason why the order was not admitted.
    private var refusal = OrderError.render(.stopped)

    /// The limit of `waits`: an order waits for more than its first memory, for reading a document,
    /// and for decoding.
    private static let waitsLimit = 3

    package init(_ order: RenderOrder, in renderer: Renderer, _ permits: Permits) {
        self.order = order
        self.permits = permits
        theme = renderer.theme
        processorLimit = order.processorNanoseconds
        firstBytes =
            order.subject.isPicture
            ? min(permits.smallBytes, order.terms.memoryLimit) : order.ownBytes(in: renderer)
        self.order.allowanceBytes = 0
        if permits.isFair { self.order.terms.kind = order.expectedKind }
    }

    package var isAdmitted: Bool { grant != nil }

    /// The pacer of the grant; nil if the order is known to be slow.
    package private(set) var pacer: Permits.Pacer?

    /// Takes `firstBytes` of memory, if they are free, for a task that already has a worker.
    /// Returns whether the order holds memory now.
    package mutating func admitNow() -> Bool {
        guard grant == nil else { return true }
        grant = permits.takeNow(firstBytes, hasWorker: true)
        order.allowanceBytes = max(0, firstBytes - order.besideBytes)
        return grant != nil
    }

    /// Waits for a renderer and `firstBytes` of memory, unless the order holds them already.
    /// Returns false if the order is refused.
    package mutating func admit() async -> Bool {
        while grant == nil {
            switch verdict {
            case .unknown: break
            case .slow: order.terms.kind = .slow
            case .failed(let error):
                await order.memory?.pause()
                refusal = Task.isCancelled ? .render(.stopped) : error
                return false
            }
            guard await take(firstBytes) else { return false }
            // While this order waited, an equal order may have ended or turned out to be slow.
            switch verdict {
            case .unknown: break
            case .slow: if order.terms.kind != .slow { grant = nil }
            case .failed: grant = nil
            }
        }
        order.allowanceBytes = max(order.allowanceBytes, firstBytes - order.besideBytes)
        return true
    }

    private var verdict: OrderMemory.Verdict {
        mutating get { order.memory?.verdict(on: order, in: theme, &digest) ?? .unknown }
    }

    /// Waits for a renderer and memory. Returns false if the order is refused.
    private mutating func take(_ bytes: Int) async -> Bool {
        let began = MonotonicClock.now
        do throws(Permits.Refusal) {
            let taken = try await permits.take(bytes, order.terms)
            pacer = taken.pacer
            grant = consume taken
        } catch {
            refusal = OrderError(error)
            return false
        }
        // All waits of an order share one limit.
        if order.terms.waitNanoseconds < .max {
            let waited = MonotonicClock.elapsed(since: began)
            order.terms.waitNanoseconds -= min(order.terms.waitNanoseconds, waited)
        }
        return true
    }

    /// Releases the renderer and the memory. To be called as soon as no further attempt needs them.
    package mutating func release() { grant = nil }

    package mutating func takeGrant() -> Permits.Grant? { grant.take() }

    /// Adds the stages and the CPU time of an attempt that must be repeated.
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

    /// Ends an attempt. Returns the answer to the order, or nil if it must be attempted again. In
    /// that case the order now holds the renderer and the memory that it lacked.
    package mutating func end(_ answer: RenderAnswer) async -> RenderAnswer? {
        if case .failure(.preempted) = answer.result { return await repeatAsSlow(answer) }
        guard case .failure(.needsMemory(let needed)) = answer.result else {
            return remember(whole(answer))
        }
        guard waits < Self.waitsLimit else {
            return whole(answer, .failure(.crashed("a malformed reply of the worker")))
        }
        let bytes = needed.saturating(plus: order.besideBytes)
        let allowed = min(
            permits.admitsLarger ? .max : permits.bytes, order.terms.memoryLimit)
        guard bytes <= allowed else {
            return whole(answer, .failure(.tooLarge(bytes, allowed: allowed)))
        }
        waits += 1
        add(answer)
        grant = nil
        guard await take(bytes) else {
            return whole(RenderAnswer(header: answer.header, result: .failure(refusal)))
        }
        order.allowanceBytes = needed
        return nil
    }

    /// Waits as a slow order, after the order had to leave its renderer to a quick order. The CPU
    /// time of that attempt does not count, so that the result does not depend on the load.
    private mutating func repeatAsSlow(_ answer: RenderAnswer) async -> RenderAnswer? {
        order.memory?.note(nil, after: Permits.slowNanoseconds, on: order, in: theme, &digest)
        order.terms.kind = .slow
        var answer = answer
        answer.processorNanoseconds = 0
        add(answer)
        grant = nil
        return await admit() ? nil : refused()
    }

    /// Returns the answer to an order that was not admitted, or whose task was cancelled.
    package func refused() -> RenderAnswer {
        whole(RenderAnswer(result: .failure(refusal)))
    }

    /// Notes the result of the order in its `OrderMemory`, and returns the answer.
    private mutating func remember(_ answer: RenderAnswer) -> RenderAnswer {
        guard let memory = order.memory else { return answer }
        var order = order
        order.processorNanoseconds = processorLimit
        var error: OrderError?
        if case .failure(let failure) = answer.result { error = failure }
        memory.note(error, after: answer.processorNanoseconds, on: order, in: theme, &digest)
        return answer
    }

    /// Returns an answer with the stages and the CPU time of all attempts.
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

extension OrderError {
    fileprivate init(_ refusal: Permits.Refusal) {
        self =
            switch refusal {
            case .canceled: .render(.stopped)
            case .fullQueue:
                .busy("More pictures wait for a renderer than Decoding.queueLimit allows.")
            case .late:
                .busy("The picture waited for a renderer longer than Decoding.waitingTime.")
            }
    }
}

extension RenderOrder {
    /// The kind of the order. The time that a vector drawing takes cannot be predicted.
    fileprivate var expectedKind: PermitsState.Kind {
        guard !recipe.isSlow else { return .slow }
        guard subject.isPicture, case .picture(let format) = ImageSniffer.sniff(source.span)
        else { return .quick }
        if format.isVector { return .unsure }
        let pixels = EncodedPicture.statedSize(source.span)?.area ?? 0
        return pixels > Self.quickPixels ? .slow : .quick
    }

    /// The most pixels that decode in about `Permits.quickNanoseconds`.
    private static let quickPixels = 8_000_000

    /// The number of pixels of all outputs.
    package func outputPixels(in theme: Theme) -> Int {
        if case .graphic(let box) = subject { return box.area }
        return recipe.variants.reduce(0) { sum, variant in
            let height = recipe.style(for: variant, in: theme).height
            return sum.saturating(plus: height.saturating(times: height))
        }
    }

    /// The memory for drawing built-in content, which must not fail for lack of memory.
    fileprivate func ownBytes(in renderer: Renderer) -> Int {
        let output = RenderCost.outputBytes(recipe, renderer.theme)
        guard case .raster(let pixels) = subject else { return output }
        return output.saturating(plus: pixels.buffer.size.byteCount)
    }
}
