import Notation

/// The amount of work done in each interval of a run, with a limited number of intervals.
///
/// When the run exceeds the limit, pairs of intervals are merged and the interval length doubles.
package struct RunTimeline: Hashable, Sendable {
    private let limit: Int
    /// The length of each interval in nanoseconds.
    package private(set) var width: UInt64
    /// The amount done in each interval, up to the last one that is not zero.
    package private(set) var counts: [UInt64] = []

    /// Keeps at most `limit` intervals (an even number), initially of `width` nanoseconds.
    package init(limit: Int = 120, width: UInt64 = 1_000_000_000) {
        precondition(limit >= 2 && limit % 2 == 0, "Stretches are joined in pairs.")
        precondition(width > 0, "A stretch has a length.")
        self.limit = limit
        self.width = width
    }

    /// Adds `amount` at a time in nanoseconds since the start of the run.
    package mutating func record(at elapsed: UInt64, amount: UInt64 = 1) {
        while elapsed / width >= UInt64(limit) { join() }
        let index = Int(elapsed / width)
        if index >= counts.count {
            counts.append(contentsOf: repeatElement(0, count: index + 1 - counts.count))
        }
        counts[index] &+= amount
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("bucket_seconds", Double(width) / 1e9)
        writer.array("done") { done in
            for count in counts { done.write(Int(clamping: count)) }
        }
        writer.endObject()
    }

    private mutating func join() {
        counts = stride(from: 0, to: counts.count, by: 2).map { index in
            counts[index] &+ (index + 1 < counts.count ? counts[index + 1] : 0)
        }
        let (doubled, overflow) = width.multipliedReportingOverflow(by: 2)
        width = overflow ? .max : doubled
    }
}
