import CLibCurl
import System

/// How long to wait before the next attempt.
package struct RetryWait {
    /// The longest wait that nobody asks for.
    static let longest: Int64 = 10_000_000_000

    private var generator: SeededRandom

    init(seed: UInt64) {
        generator = SeededRandom(seed: seed)
    }

    /// 250 ms, doubled with each attempt up to 10 s, and half more or less at random.
    mutating func nanoseconds(afterAttempt attempt: Int) -> Int64 {
        let base: Int64 = 250_000_000
        let doubled =
            attempt > 6 ? Self.longest : min(base << Int64(max(0, attempt - 1)), Self.longest)
        let jittered = doubled / 2 + Int64(generator.next() % UInt64(doubled))
        return min(jittered, Self.longest)
    }

    /// The wait that a `Retry-After` asks for: seconds, or a date against `now` (seconds since
    /// 1970; a date in the past is no wait). Nil for anything else.
    package static func nanoseconds(retryAfter text: String, now: Int64) -> Int64? {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        let seconds: Int64
        if isNumber {
            seconds = Int64(text) ?? .max
        } else if let date = HTTPDate.seconds(text) {
            seconds = max(0, date - now)
        } else {
            return nil
        }
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflows ? .max : product
    }
}

/// Dates of HTTP, in all three of its forms.
enum HTTPDate {
    /// Seconds since 1970, or nil where the text is no date.
    static func seconds(_ text: String) -> Int64? {
        let seconds = unsafe text.withCString { unsafe curl_getdate($0, nil) }
        return seconds < 0 ? nil : Int64(seconds)
    }
}
