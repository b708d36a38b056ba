import Glibc

/// The time of day, in UTC.
package enum WallClock {
    /// Milliseconds since the beginning of 1970.
    package static var nowMilliseconds: Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec / 1_000_000)
    }

    /// Seconds since the beginning of 1970.
    package static var nowSeconds: Int64 { Int64(Glibc.time(nil)) }

    /// Text such as `2026-03-01T12:00:00Z`; a fraction of three digits follows the seconds
    /// unless it is zero.
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

    /// The Gregorian date of a day counted from 1970-01-01. Years begin in March here, so that
    /// the leap day is the last of its year and eras of 400 years repeat exactly.
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

    /// Quotient and remainder with the remainder never negative.
    private static func divided(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
