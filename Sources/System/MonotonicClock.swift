import Glibc

/// The monotonic clock, which is common to all processes of a machine, and CPU clocks.
///
/// Readings are nanoseconds since an unspecified moment before the process started.
package enum MonotonicClock {
    package static var now: UInt64 {
        // The clock exists on every Linux system.
        reading(CLOCK_MONOTONIC) ?? 0
    }

    /// Returns the nanoseconds since an earlier reading; zero for a later one.
    package static func elapsed(since start: UInt64) -> UInt64 {
        let end = now
        return end > start ? end - start : 0
    }

    package static var ofThread: UInt64 { reading(CLOCK_THREAD_CPUTIME_ID) ?? 0 }

    /// Returns the CPU time of a child that was not waited for, or nil if it no longer exists. The
    /// process cannot influence the value.
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

/// The wall clock time, in UTC.
package enum WallClock {
    package static var nowMilliseconds: Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec / 1_000_000)
    }

    /// The seconds since 1970. `time(nil)` lags by a few milliseconds, so a file that was just
    /// written could appear to be of the next second.
    package static var nowSeconds: Int64 { nowMilliseconds / 1000 }

    /// Formats a time as `2026-03-01T12:00:00Z`, with three decimal places of the seconds unless
    /// they are zero.
    package static func iso8601(milliseconds: Int64) -> String {
        let (seconds, fraction) = divided(milliseconds, by: 1000)
        let (days, second) = divided(seconds, by: 86_400)
        let (year, month, day) = date(days)
        var text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
        text +=
            "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
        if fraction != 0 { text += ".\(padded(fraction, 3))" }
        return text + "Z"
    }

    /// Converts days since 1970-01-01 to a Gregorian date. Internally years begin in March, so that
    /// the leap day is the last of its year and eras of 400 years are identical.
    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = divided(days &+ 719_468, by: 146_097)
        let leaps = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leaps) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let day = dayOfYear - (153 * shifted + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// Returns quotient and remainder; the remainder is never negative.
    private static func divided(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
