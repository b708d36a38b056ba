import Codecs
import Digest
import System

/// Orders carried out here, by the calling task.
package struct InProcess: RenderBackend {
    package let renderer: Renderer
    private let memoryBytes: Int
    private let crashed: Set<Digest256>?

    /// - Parameters:
    ///   - memoryBytes: what decoding may have when nothing else is decoded.
    ///   - crashed: the digests of SVG files that crashed a process before, which are not drawn
    ///     again. While others are drawn, a `CrashNote` with their digest is set. Without this set
    ///     none is.
    package init(_ renderer: Renderer, memoryBytes: Int, crashed: Set<Digest256>? = nil) {
        self.renderer = renderer
        self.memoryBytes = memoryBytes
        self.crashed = crashed
    }

    package func close() {}
    package var failure: OrderError? { nil }

    package func render(
        _ order: RenderOrder, admit: (RenderCost) async -> Bool
    ) async -> RenderAnswer {
        let digest = noted(order)
        if let digest, crashed?.contains(digest) == true {
            return RenderAnswer(
                result: .failure(
                    .crashed(
                        "an earlier run crashed while drawing it; use --force to try again")))
        }
        var watch = OrderWatch(order)
        var work = OrderWork(
            order.subject, order.recipe, allowanceBytes: order.allowanceBytes, renderer,
            memoryBytes: memoryBytes)
        var answer = RenderAnswer(result: .failure(.refused))
        do throws(RenderError) {
            while true {
                let progress = try Self.noting(digest) { () throws(RenderError) in
                    try work.advance(order.source.span) { step throws(RenderError) in
                        try watch.begin(step)
                    }
                }
                guard case .needs(let need) = progress else {
                    if case .done(let rendering) = progress { answer.result = .success(rendering) }
                    break
                }
                guard !need.isCovered else { continue }
                watch.pause()
                guard await admit(need.cost) else { break }
                watch.goOn()
            }
        } catch {
            answer.result = .failure(watch.isLate ? .timeout : .render(error))
        }
        watch.pause()
        // As in a worker, where the work would not have come to its end.
        if watch.isOverdrawn, !Task.isCancelled { answer.result = .failure(.drawnTooLong) }
        answer.header = work.header
        answer.processorNanoseconds = watch.worked
        answer.moments = watch.moments
        return answer
    }

    /// Returns the digest of an SVG, since librsvg aborts the process on an internal error; nil for
    /// other formats.
    private func noted(_ order: RenderOrder) -> Digest256? {
        guard crashed != nil, order.subject.isPicture,
            ImageSniffer.sniff(order.source.span) == .picture(.svg)
        else { return nil }
        return SHA256.hash(order.source.span)
    }

    private static func noting<Result>(
        _ digest: Digest256?, _ body: () throws(RenderError) -> Result
    ) throws(RenderError) -> Result {
        guard let digest else { return try body() }
        return try CrashNote.during("\(digest)\n", body)
    }
}

/// The deadline of an order. A step cannot be broken off, but none begins after the deadline.
private struct OrderWatch {
    private(set) var moments: [StepMoment] = []
    /// What the processor worked.
    private(set) var worked: UInt64 = 0
    private(set) var isLate = false
    private let limit: UInt64
    private var deadline: UInt64
    private var paused: UInt64 = 0
    private var mark = MonotonicClock.ofThread

    init(_ order: RenderOrder) {
        limit = order.processorNanoseconds
        let (sum, overflow) = MonotonicClock.now.addingReportingOverflow(
            order.patienceNanoseconds)
        deadline = overflow ? .max : sum
    }

    var isOverdrawn: Bool { worked > limit }

    mutating func begin(_ step: Step) throws(RenderError) {
        count()
        let now = MonotonicClock.now
        guard !isOverdrawn, !Task.isCancelled else { throw .stopped }
        isLate = now > deadline
        guard !isLate else { throw .stopped }
        moments.append(StepMoment(step: step, nanoseconds: now))
    }

    mutating func pause() {
        count()
        paused = MonotonicClock.now
    }

    /// Waiting for memory is not the picture's doing, and perhaps another thread goes on.
    mutating func goOn() {
        mark = MonotonicClock.ofThread
        let (later, overflow) = deadline.addingReportingOverflow(MonotonicClock.now - paused)
        deadline = overflow ? .max : later
    }

    private mutating func count() {
        let now = MonotonicClock.ofThread
        worked = worked &+ (now - min(now, mark))
        mark = now
    }
}
