/// Finds the known word that a misspelt word probably means.
package enum Spelling {
    /// Returns the known word with the fewest typing errors, if they are few; among equals, the
    /// first word. A known word that begins with `word` counts as similar.
    package static func nearest(to word: String, among known: [String]) -> String? {
        let typed = Array(word.lowercased().utf8.prefix(64))
        guard !typed.isEmpty else { return nil }
        var best: (word: String, distance: Int)?
        for candidate in known {
            let letters = Array(candidate.lowercased().utf8)
            let distance = editDistance(typed, letters)
            let isBegun = typed.count >= 3 && letters.starts(with: typed)
            guard isBegun || distance <= max(1, min(typed.count, letters.count) / 3) else {
                continue
            }
            let rank = isBegun ? min(distance, 1) : distance
            if best.map({ rank < $0.distance }) ?? true { best = (candidate, rank) }
        }
        return best?.word
    }

    /// Returns the number of letters to add, remove, replace or swap with their neighbour.
    package static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var earlier: [Int] = []
        var previous = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                let replaced = previous[column] + (letter == other ? 0 : 1)
                var distance = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    distance = min(distance, earlier[column - 1] + 1)
                }
                current.append(distance)
            }
            earlier = previous
            previous = current
        }
        return previous[right.count]
    }
}
