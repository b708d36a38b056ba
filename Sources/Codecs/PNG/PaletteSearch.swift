/// Finds the nearest of a set of colours.
struct PaletteSearch: Sendable {
    /// In order of the sum of their channels.
    let colors: [PaletteColor]
    private let sums: [Int32]

    init(_ colors: [PaletteColor]) {
        self.colors = colors.sorted { ($0.sum, $0.pixel) < ($1.sum, $1.pixel) }
        sums = self.colors.map(\.sum)
    }

    /// The index in `colors` of the nearest one; there is at least one.
    ///
    /// Sums that differ by s are at least s / 2 apart, so the search goes outwards from the place
    /// of the colour's own sum and ends where that is farther than the best.
    func nearest(to color: PaletteColor) -> Int {
        let sum = color.sum
        var high = sums.partitioningIndex { $0 >= sum }
        var low = high - 1
        var best = 0
        var distance = Int32.max
        while low >= 0 || high < sums.count {
            var isDone = true
            if low >= 0 {
                let gap = sum &- sums[low]
                if gap &* gap / 4 <= distance {
                    let found = color.squareDistance(to: colors[low])
                    if found < distance { (best, distance) = (low, found) }
                    low -= 1
                    isDone = false
                } else {
                    low = -1
                }
            }
            if high < sums.count {
                let gap = sums[high] &- sum
                if gap &* gap / 4 <= distance {
                    let found = color.squareDistance(to: colors[high])
                    if found < distance { (best, distance) = (high, found) }
                    high += 1
                    isDone = false
                } else {
                    high = sums.count
                }
            }
            if isDone { break }
        }
        return best
    }
}

extension [Int32] {
    /// The first index from which on `isAfter` holds, in an array ordered by it.
    fileprivate func partitioningIndex(_ isAfter: (Int32) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
