import Glibc

/// Time that only moves forward, in nanoseconds since some moment before the process began.
package enum MonotonicClock {
    /// The reading at this moment.
    package static var now: UInt64 {
        var time = timespec()
        // The clock exists on every Linux and the pointer is valid, so the call cannot fail.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
    }

    /// The nanoseconds since an earlier reading; zero for a later one.
    package static func elapsed(since start: UInt64) -> UInt64 {
        let end = now
        return end > start ? end - start : 0
    }
}
