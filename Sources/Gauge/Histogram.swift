/// Counts of values in buckets: 64 buckets per power of two.
///
/// Values below 64 are exact. Above, a percentile is the middle of a bucket, whose width is 1/64 of
/// its lower edge, so it is off by at most 0.8 %. Memory is at most 3,776 counters (30 KB) for any
/// number of values.
package struct Histogram: Hashable, Sendable {
    private static let fineBits = 6
    private static let bucketsPerOctave = 1 << fineBits

    private var counts: [UInt64] = []
    package private(set) var count: UInt64 = 0
    /// The largest value, exact; zero if empty.
    package private(set) var max: UInt64 = 0
    private var smallest: UInt64 = .max
    private var sum: UInt64 = 0

    package init() {}

    /// The exact mean, unless the sum of all values exceeds 2^64.
    package var mean: Double { count == 0 ? 0 : Double(sum) / Double(count) }

    package mutating func record(_ value: UInt64) {
        let bucket = Self.bucket(of: value)
        if bucket >= counts.count {
            counts.append(contentsOf: repeatElement(0, count: bucket + 1 - counts.count))
        }
        counts[bucket] &+= 1
        count &+= 1
        let (total, overflow) = sum.addingReportingOverflow(value)
        sum = overflow ? .max : total
        max = Swift.max(max, value)
        smallest = Swift.min(smallest, value)
    }

    /// Returns the value that `percent` of all values do not exceed (nearest rank); zero if empty.
    package func percentile(_ percent: Double) -> UInt64 {
        guard count > 0 else { return 0 }
        let share = Swift.max(0, Swift.min(percent, 100)) / 100
        let rank = Swift.max(1, Swift.min(count, UInt64((share * Double(count)).rounded(.up))))
        if rank == count { return max }
        var seen: UInt64 = 0
        for (bucket, count) in counts.enumerated() {
            seen &+= count
            if seen >= rank {
                return Swift.max(smallest, Swift.min(max, Self.middle(of: bucket)))
            }
        }
        return max
    }

    private static func bucket(of value: UInt64) -> Int {
        guard value >= UInt64(bucketsPerOctave) else { return Int(value) }
        let octave = 63 - value.leadingZeroBitCount - fineBits
        return (octave << fineBits) + Int(value >> UInt64(octave))
    }

    private static func middle(of bucket: Int) -> UInt64 {
        guard bucket >= 2 * bucketsPerOctave else { return UInt64(bucket) }
        let octave = UInt64((bucket >> fineBits) - 1)
        let fine = UInt64((bucket & (bucketsPerOctave - 1)) | bucketsPerOctave)
        return (fine << octave) + ((1 << octave) >> 1)
    }
}
