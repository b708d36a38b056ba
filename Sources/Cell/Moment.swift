import Glibc

/// The monotonic clock, which all processes of a machine share.
enum Moment {
    static var now: UInt64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return nanoseconds(time)
    }

    /// What the processors have worked for the thread that asks.
    static var ofThread: UInt64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return nanoseconds(time)
    }

    /// What the processors have worked for a process of ours that was not waited for; `nil` for
    /// one that is gone. The kernel counts it, whatever the process does.
    static func ofProcess(_ process: pid_t) -> UInt64? {
        var clock = clockid_t()
        var time = timespec()
        guard unsafe clock_getcpuclockid(process, &clock) == 0,
            unsafe clock_gettime(clock, &time) == 0
        else { return nil }
        return nanoseconds(time)
    }

    private static func nanoseconds(_ time: timespec) -> UInt64 {
        UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
    }
}
