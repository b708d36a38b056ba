/// The visible columns of each row of a picture. Logos have wide margins, and transparent pixels
/// need not be mixed.
struct RowSpans {
    private let top: Int
    /// The visible columns of each row, counted in groups of eight from the first requested column.
    private var spans: [Range<Int32>] = []

    private static let group = 8

    /// Searches each of `rows` from both ends of `columns` inwards.
    init(of source: borrowing PixelBuffer, columns: Range<Int>, rows: Range<Int>) {
        top = rows.lowerBound
        spans.reserveCapacity(rows.count)
        let groups = (columns.count + Self.group - 1) / Self.group
        let last = columns.count % Self.group
        unsafe source.withUnsafeWords { words in
            for y in rows {
                let row = unsafe words + y * source.width + columns.lowerBound
                var (start, end) = (0, columns.count / Self.group)
                let ends = (0..<last).contains { unsafe row[end * Self.group + $0] != 0 }
                // Large steps first: a margin is either absent or wide.
                while start + 4 <= end, unsafe Self.isEmpty(row + start * Self.group, 4) {
                    start += 4
                }
                while start < end, unsafe Self.isEmpty(row + start * Self.group, 1) { start += 1 }
                if ends {
                    end = groups
                } else {
                    while start + 4 <= end, unsafe Self.isEmpty(row + (end - 4) * Self.group, 4) {
                        end -= 4
                    }
                    while end > start, unsafe Self.isEmpty(row + (end - 1) * Self.group, 1) {
                        end -= 1
                    }
                }
                spans.append(Int32(start)..<Int32(end))
            }
        }
    }

    @inline(__always)
    private static func isEmpty(_ pixels: UnsafePointer<UInt32>, _ groups: Int) -> Bool {
        var all = SIMD4<UInt64>.zero
        for group in 0..<groups {
            all |= unsafe UnsafeRawPointer(pixels + group * Self.group).loadUnaligned(
                as: SIMD4<UInt64>.self)
        }
        return all[0] | all[1] | all[2] | all[3] == 0
    }

    /// Returns the columns that cover everything visible in `rows`; whole groups of eight, except
    /// at the end of a row.
    func union(_ rows: Range<Int>, count: Int) -> Range<Int> {
        var (start, end) = (Int32.max, Int32.min)
        for row in rows where row - top < spans.count {
            let span = spans[row - top]
            if span.isEmpty { continue }
            start = min(start, span.lowerBound)
            end = max(end, span.upperBound)
        }
        guard start < end else { return 0..<0 }
        return Int(start) * Self.group..<min(Int(end) * Self.group, count)
    }
}
