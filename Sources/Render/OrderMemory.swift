import Codecs
import Digest
import Synchronization
import System
import Theming

/// A record of orders that recently failed at a high cost, or took long. The next equal order then
/// fails at once or is scheduled as slow.
///
/// Orders are equal if their images have the same bytes and the options in `Key` are equal. A
/// source is hashed only if the record has an entry for a source of the same length.
package final class OrderMemory: Sendable {
    package enum Verdict: Hashable, Sendable {
        case unknown
        /// An equal order took long.
        case slow
        /// An equal order with the same or wider limits failed.
        case failed(OrderError)
    }

    /// The parts of an order that determine whether it fails, apart from its limits.
    private struct Key: Hashable {
        let digest: Digest256
        let subject: Int
        let pixelsLimit: Int
        let codecs: CodecChoice
        let isSlowFormat: Bool
    }

    private struct Entry {
        let error: OrderError?
        /// The number of output pixels.
        let pixels: Int
        let processorNanoseconds: UInt64
        let patienceNanoseconds: UInt64
        let sourceBytes: Int
        let moment: UInt64

        /// Returns the failure if an order with these limits and output pixels must fail as well.
        func failure(of order: RenderOrder, _ pixels: Int) -> OrderError? {
            switch error {
            case .drawnTooLong:
                guard pixels >= self.pixels, order.processorNanoseconds <= processorNanoseconds
                else { return nil }
            case .timeout:
                guard pixels >= self.pixels, order.patienceNanoseconds <= patienceNanoseconds
                else { return nil }
            case .outOfMemory: guard pixels >= self.pixels else { return nil }
            default: break
            }
            return error
        }
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// The number of entries by the length of their source.
        var lengths: [Int: Int] = [:]

        mutating func remove(_ key: Key) {
            guard let entry = entries.removeValue(forKey: key) else { return }
            let rest = (lengths[entry.sourceBytes] ?? 1) - 1
            lengths[entry.sourceBytes] = rest > 0 ? rest : nil
        }
    }

    package static let countLimit = 1_024
    package static let lifetimeNanoseconds: UInt64 = 600_000_000_000
    /// The wait before a remembered failure is returned, so that a caller that repeats the order in
    /// a loop delays no other caller.
    private let pauseNanoseconds: UInt64
    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    package init(
        pauseNanoseconds: UInt64 = 100_000_000,
        now: @escaping @Sendable () -> UInt64 = { MonotonicClock.now }
    ) {
        self.pauseNanoseconds = pauseNanoseconds
        self.now = now
    }

    package var count: Int { state.withLock { $0.entries.count } }

    /// Returns the verdict on an order.
    ///
    /// - Parameter digest: The digest of the order's source. If it is nil and is needed, it is
    ///   computed and stored.
    package func verdict(
        on order: RenderOrder, in theme: Theme, _ digest: inout Digest256?
    ) -> Verdict {
        let length = order.source.count
        guard order.subject.isPicture, state.withLock({ $0.lengths[length] != nil }) else {
            return .unknown
        }
        let key = Self.key(of: order, &digest)
        let pixels = order.outputPixels(in: theme)
        let now = now()
        return state.withLock { state in
            guard let entry = state.entries[key] else { return .unknown }
            guard now &- entry.moment < Self.lifetimeNanoseconds else {
                state.remove(key)
                return .unknown
            }
            if let error = entry.failure(of: order, pixels) { return .failed(error) }
            return pixels >= entry.pixels ? .slow : .unknown
        }
    }

    /// Remembers the end of an order if it took much CPU time or memory.
    ///
    /// - Parameters:
    ///   - error: The failure; nil if the order succeeded, or was slow and had to leave its
    ///     renderer to a quick order.
    ///   - used: The CPU time.
    package func note(
        _ error: OrderError?, after used: UInt64, on order: RenderOrder, in theme: Theme,
        _ digest: inout Digest256?
    ) {
        guard order.subject.isPicture, error?.isOfPicture ?? true,
            used >= (error == nil ? Permits.slowNanoseconds : Permits.quickNanoseconds)
                || error == .outOfMemory
        else { return }
        let key = Self.key(of: order, &digest)
        let entry = Entry(
            error: error, pixels: order.outputPixels(in: theme),
            processorNanoseconds: order.processorNanoseconds,
            patienceNanoseconds: order.patienceNanoseconds, sourceBytes: order.source.count,
            moment: now())
        state.withLock { state in
            // A success with smaller outputs does not refute the failure with larger outputs.
            if error == nil, state.entries[key]?.error != nil { return }
            state.remove(key)
            if state.entries.count >= Self.countLimit,
                let oldest = state.entries.min(by: { $0.value.moment < $1.value.moment })
            {
                state.remove(oldest.key)
            }
            state.entries[key] = entry
            state.lengths[entry.sourceBytes, default: 0] += 1
        }
    }

    /// Waits before a remembered failure is returned.
    package func pause() async {
        guard pauseNanoseconds > 0 else { return }
        // A cancelled task returns at once.
        try? await Task.sleep(nanoseconds: pauseNanoseconds)
    }

    private static func key(of order: RenderOrder, _ digest: inout Digest256?) -> Key {
        let hash = digest ?? SHA256.hash(order.source.span)
        digest = hash
        let subject: Int =
            switch order.subject {
            case .picture, .icon, .initials, .raster: 0
            case .graphic: 1
            case .check: 2
            case .pixels: 3
            }
        return Key(
            digest: hash, subject: subject, pixelsLimit: order.recipe.limits.pixels,
            codecs: order.recipe.codecs, isSlowFormat: order.recipe.isSlow)
    }
}

extension OrderError {
    /// Whether the image is the cause. A crash is not remembered, since the order is tried again.
    fileprivate var isOfPicture: Bool {
        switch self {
        case .render(.decode), .outOfMemory, .timeout, .drawnTooLong: true
        case .render(.encode), .render(.stopped), .needsMemory, .tooLarge, .crashed, .busy,
            .preempted, .unavailable:
            false
        }
    }
}
