import Foundation
import Synchronization
import System

/// Polling for events; the only place where tests sleep.
package enum Waiting {
    package static func until(_ isTrue: () -> Bool) -> Bool {
        for _ in 0..<30_000 {
            if isTrue() { return true }
            usleep(2_000)
        }
        return isTrue()
    }

    /// Polls without blocking a thread that other tasks may need.
    package static func yielding(until isTrue: () async -> Bool) async throws -> Bool {
        for _ in 0..<30_000 {
            if await isTrue() { return true }
            try await Task.sleep(for: .milliseconds(2))
        }
        return await isTrue()
    }

    /// Measures the duration of a call by the iterations of another thread, in seconds. No time
    /// passes while the machine is too busy to run this process, or stops it.
    package static func seconds(of body: () throws -> Void) rethrows -> Double {
        let turns = Atomic(0)
        let isOver = Semaphore()
        System.Thread.start("test-clock") {
            while !isOver.wait(milliseconds: 10) { turns.add(1, ordering: .relaxed) }
        }
        defer { isOver.signal() }
        try body()
        return Double(turns.load(ordering: .relaxed)) / 100
    }

    /// Repeats a test with longer and longer times, up to half a minute, until one is long enough
    /// on a busy machine.
    ///
    /// This is for deadlines of the product that a test must not miss because of the machine. If a
    /// defect uses up the time, no duration is enough.
    package static func growing(
        from first: Duration, isEnough: (Duration) async throws -> Bool
    ) async throws -> Bool {
        var time = first
        while time < .seconds(30) {
            if try await isEnough(time) { return true }
            time *= 3
        }
        return false
    }
}
