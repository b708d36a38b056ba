import Glibc

/// The two clocks that loading needs.
enum MonotonicTime {
    /// Nanoseconds that never run backwards.
    static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Seconds since 1970, for dates in headers.
    static var wallSeconds: Int64 { Int64(Glibc.time(nil)) }
}
