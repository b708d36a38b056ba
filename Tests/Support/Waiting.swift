import Foundation

/// Waits for what others do: the one place where tests sleep between two looks.
package enum Waiting {
    /// Looks again and again for at most ten seconds.
    package static func until(_ isTrue: () -> Bool) -> Bool {
        for _ in 0..<5_000 {
            if isTrue() { return true }
            usleep(2_000)
        }
        return isTrue()
    }

    /// The same without holding a thread that others may need.
    package static func yielding(until isTrue: () async -> Bool) async throws -> Bool {
        for _ in 0..<5_000 {
            if await isTrue() { return true }
            try await Task.sleep(for: .milliseconds(2))
        }
        return await isTrue()
    }
}
