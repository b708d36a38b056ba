import Foundation
import Synchronization
import System

/// Waits for what others do: the one place where tests sleep between two looks.
package enum Waiting {
    /// Looks again and again for at most a minute.
    package static func until(_ isTrue: () -> Bool) -> Bool {
        for _ in 0..<30_000 {
            if isTrue() { return true }
            usleep(2_000)
        }
        return isTrue()
    }

    /// The same without holding a thread that others may need.
    package static func yielding(until isTrue: () async -> Bool) async throws -> Bool {
        for _ in 0..<30_000 {
            if await isTrue() { return true }
            try await Task.sleep(for: .milliseconds(2))
        }
        return await isTrue()
    }

    /// Measures a call by the turns that another thread has in its time, in seconds. While the machine
    /// is too busy for this process, or stops it, no time passes.
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

    /// Tries with ever longer times, up to half a minute, until one is long enough for what a busy
    /// machine has to do in it.
    ///
    /// For deadlines of the product that a test must not miss because of the machine. With a defect
    /// that spends the time otherwise, no length is enough.
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
