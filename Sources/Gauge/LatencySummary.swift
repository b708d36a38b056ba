import Notation

/// The row of a latency table: how long one stage took, over all items. Times in nanoseconds.
package struct LatencySummary: Hashable, Sendable {
    /// The name as the table was given it.
    package var stage: String
    /// How many times were recorded.
    package var count: UInt64
    /// The exact average.
    package var mean: Double
    /// Half of the times are at most this.
    package var p50: UInt64
    /// Nine in ten times are at most this.
    package var p90: UInt64
    /// All but one in a hundred are at most this.
    package var p99: UInt64
    /// All but one in a thousand are at most this.
    package var p999: UInt64
    /// The longest time, exactly.
    package var max: UInt64

    /// The figures of one histogram of nanoseconds.
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

    /// One object with times in milliseconds, to the microsecond.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("stage", stage)
        writer.member("count", Int(clamping: count))
        writer.member("mean_ms", Self.milliseconds(mean))
        writer.member("p50_ms", Self.milliseconds(Double(p50)))
        writer.member("p90_ms", Self.milliseconds(Double(p90)))
        writer.member("p99_ms", Self.milliseconds(Double(p99)))
        writer.member("p999_ms", Self.milliseconds(Double(p999)))
        writer.member("max_ms", Self.milliseconds(Double(max)))
        writer.endObject()
    }

    /// Milliseconds rounded to three decimals.
    package static func milliseconds(_ nanoseconds: Double) -> Double {
        (nanoseconds / 1000).rounded() / 1000
    }
}

/// The few items that took longest, whatever the order in which they ended.
package struct SlowestList: Sendable {
    /// An item and how long it took.
    package struct Entry: Hashable, Sendable {
        /// The index in the input, which breaks ties.
        package var index: Int
        /// What the item is called in the record.
        package var name: String
        /// From its first step to its last.
        package var nanoseconds: UInt64
    }

    private let limit: Int
    /// Slowest first; equal times in the order of their index.
    package private(set) var entries: [Entry] = []

    /// An empty list that will hold at most `limit` items.
    package init(limit: Int = 10) {
        self.limit = max(0, limit)
    }

    /// `name` is only asked for when the item makes it into the list.
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
