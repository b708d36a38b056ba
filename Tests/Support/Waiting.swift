import Foundation

/// Waits for what other processes do.
package enum Waiting {
    /// Looks again and again for at most ten seconds.
    package static func until(_ isTrue: () -> Bool) -> Bool {
        for _ in 0..<2_000 {
            if isTrue() { return true }
            usleep(5_000)
        }
        return isTrue()
    }
}
