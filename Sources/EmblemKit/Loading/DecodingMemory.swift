import Engine
import Synchronization
import System

/// The memory limit that all decoding of the library shares.
enum DecodingMemory {
    /// The limit in bytes. An image that needs more gets the whole limit and is decoded alone.
    static let bytes = 256 << 20

    fileprivate static let budget = Budget(total: bytes)

    /// The permits for images decoded at once.
    static let seats = Budget(total: Workers.count)

    /// The memory that is enough for most images. It is granted at the start without a request.
    fileprivate static let smallPictureBytes = min(12 << 20, bytes / (4 * seats.total))
}

/// The memory granted for one image, released when the last reference goes away.
final class DecodingShare: Sendable {
    private let grant = Mutex<Grant?>(nil)
    private let waits = Mutex<(nanoseconds: UInt64, since: UInt64?)>((0, nil))

    /// Takes the memory that is available without waiting.
    func takeNow() -> Int {
        grant.withLock { held in
            held = DecodingMemory.budget.grantNow(of: DecodingMemory.smallPictureBytes)
            return held == nil ? 0 : DecodingMemory.smallPictureBytes
        }
    }

    /// Releases the current grant and waits for `bytes`. Returns false if the task was cancelled.
    func take(_ bytes: Int) async -> Bool {
        // Never wait for memory while holding some.
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

    /// The time spent waiting for memory.
    var waitedNanoseconds: UInt64 { waits.withLock { Self.sum($0) } }

    private static func sum(_ waits: (nanoseconds: UInt64, since: UInt64?)) -> UInt64 {
        waits.nanoseconds &+ (waits.since.map { MonotonicClock.now &- $0 } ?? 0)
    }

    private func keep(_ grant: consuming Grant) {
        var grant: Grant? = grant
        self.grant.withLock { held in swap(&held, &grant) }
    }
}
