import Notation

/// A row of a latency table: the durations of one stage over all items, in nanoseconds.
package struct LatencySummary: Hashable, Sendable {
    package var stage: String
    package var count: UInt64
    package var mean: Double
    package var p50: UInt64
    package var p90: UInt64
    package var p99: UInt64
    package var p999: UInt64
    package var max: UInt64

    package init(stage: String, _ histogram: Histogram) {
        self.stage = stage
        count = histogram.count
        mean = histogram.mean
        p50 = histogram.percentile(50)
        p90 = histogram.percentile(90)
        p99 = histogram.percentile(99)
        p999 = histogram.percentile(99.9)
        max = histogram.max
    }

    /// Writes an object with times in milliseconds, precise to the microsecond. With fewer than
    /// 1,000 items the 99.9th percentile would only repeat the maximum.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("count", Int(clamping: count))
        writer.member("mean_ms", Self.milliseconds(mean))
        writer.member("p50_ms", Self.milliseconds(Double(p50)))
        writer.member("p90_ms", Self.milliseconds(Double(p90)))
        writer.member("p99_ms", Self.milliseconds(Double(p99)))
        if count >= 1000 {
            writer.member("p999_ms", Self.milliseconds(Double(p999)))
        }
        writer.member("max_ms", Self.milliseconds(Double(max)))
        writer.endObject()
    }

    package static func milliseconds(_ nanoseconds: Double) -> Double {
        (nanoseconds / 1000).rounded() / 1000
    }
}

/// The items that took longest, independent of the order in which they end.
package struct SlowestList: Sendable {
    package struct Entry: Hashable, Sendable {
        /// The index in the input, used to break ties.
        package var index: Int
        package var name: String
        package var nanoseconds: UInt64
    }

    private let limit: Int
    /// The slowest item first; equal times by index.
    package private(set) var entries: [Entry] = []

    package init(limit: Int = 10) {
        self.limit = max(0, limit)
    }

    /// Records an item; `name` is evaluated only if the item enters the list.
    package mutating func record(index: Int, nanoseconds: UInt64, name: @autoclosure () -> String) {
        let isBefore = { (entry: Entry) in
            entry.nanoseconds > nanoseconds
                || (entry.nanoseconds == nanoseconds && entry.index < index)
        }
        let rank = entries.firstIndex { !isBefore($0) } ?? entries.count
        guard rank < limit else { return }
        entries.insert(Entry(index: index, name: name(), nanoseconds: nanoseconds), at: rank)
        if entries.count > limit { entries.removeLast() }
    }
}
