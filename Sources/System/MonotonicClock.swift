import Glibc

/// The monotonic clock, which all processes of a machine share, and the processors' own clocks.
///
/// Readings are nanoseconds since some moment before the process began.
package enum MonotonicClock {
    /// The reading at this moment.
    package static var now: UInt64 {
        // The clock exists on every Linux, so that there is always a reading.
        reading(CLOCK_MONOTONIC) ?? 0
    }

    /// The nanoseconds since an earlier reading; zero for a later one.
    package static func elapsed(since start: UInt64) -> UInt64 {
        let end = now
        return end > start ? end - start : 0
    }

    /// What the processors have worked for the thread that asks.
    package static var ofThread: UInt64 { reading(CLOCK_THREAD_CPUTIME_ID) ?? 0 }

    /// What the processors have worked for a process of ours that was not waited for; `nil` for
    /// one that is gone. The kernel counts it, whatever the process does.
    package static func ofProcess(_ process: pid_t) -> UInt64? {
        var clock = clockid_t()
        guard unsafe clock_getcpuclockid(process, &clock) == 0 else { return nil }
        return reading(clock)
    }

    private static func reading(_ clock: clockid_t) -> UInt64? {
        var time = timespec()
        guard unsafe clock_gettime(clock, &time) == 0 else { return nil }
        return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
    }
}
