import Engine
import Synchronization
import System

/// What all decoding of the library shares.
enum DecodingMemory {
    /// A picture that takes more than all of it gets all of it, and is decoded alone.
    static let bytes = 256 << 20

    fileprivate static let budget = Budget(total: bytes)

    /// As many pictures are decoded at once.
    static let seats = Budget(total: Workers.count)

    /// What most pictures decode in: taken at once, so that they need not ask for it.
    fileprivate static let smallPictureBytes = min(12 << 20, bytes / (4 * seats.total))
}

/// The memory that one picture has been granted; given back when it is let go.
final class DecodingShare: Sendable {
    private let grant = Mutex<Grant?>(nil)
    private let waits = Mutex<(nanoseconds: UInt64, since: UInt64?)>((0, nil))

    /// What can be had without waiting.
    func takeNow() -> Int {
        grant.withLock { held in
            held = DecodingMemory.budget.grantNow(of: DecodingMemory.smallPictureBytes)
            return held == nil ? 0 : DecodingMemory.smallPictureBytes
        }
    }

    /// Waits for `bytes` instead of what was had before; false when the task was cancelled.
    func take(_ bytes: Int) async -> Bool {
        // Nobody waits for memory while holding some.
        giveBack()
        waits.withLock { $0.since = MonotonicClock.now }
        defer { waits.withLock { $0 = (Self.sum($0), nil) } }
        do throws(CancellationError) {
            keep(try await DecodingMemory.budget.grant(of: bytes))
            return true
        } catch {
            return false
        }
    }

    func giveBack() { grant.withLock { $0 = nil } }

    /// How long it took until there was memory.
    var waitedNanoseconds: UInt64 { waits.withLock { Self.sum($0) } }

    private static func sum(_ waits: (nanoseconds: UInt64, since: UInt64?)) -> UInt64 {
        waits.nanoseconds &+ (waits.since.map { MonotonicClock.now &- $0 } ?? 0)
    }

    private func keep(_ grant: consuming Grant) {
        var grant: Grant? = grant
        self.grant.withLock { held in swap(&held, &grant) }
    }
}
