import Glibc

/// The monotonic clock, which all processes of a machine share.
enum Moment {
    static var now: UInt64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
    }
}
