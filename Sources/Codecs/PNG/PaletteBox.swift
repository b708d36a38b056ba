/// Cells that will become one colour of a palette, unless they are cut apart.
struct PaletteBox: Sendable {
    let range: Range<Int>
    let isOpaque: Bool
    let mean: PaletteColor
    /// The squared error along the worst axis, what cutting there is worth; 0 for a single colour.
    let error: Int
    private let axis: Int

    init(_ cells: [PaletteCell], range: Range<Int>, isOpaque: Bool) {
        var sum = PaletteSum()
        for cell in cells[range] { sum.add(cell) }
        let errors = (0..<4).map { sum.error(along: $0) }
        let worst = (0..<4).max { errors[$0] < errors[$1] } ?? 0
        self.range = range
        self.isOpaque = isOpaque
        mean = sum.weight > 0 ? sum.mean : PaletteColor(pixel: 0)
        axis = worst
        let first = cells[range].first?.color
        error = cells[range].allSatisfy { $0.color == first } ? 0 : errors[worst]
    }

    /// Cuts at the mean of the worst axis and puts the cells of each side together.
    func split(_ cells: inout [PaletteCell]) -> (low: PaletteBox, high: PaletteBox) {
        let cut = mean[axis]
        // Through a buffer, because a slice of the array would be a copy.
        let middle = unsafe cells.withUnsafeMutableBufferPointer { [axis, range] cells in
            let middle = unsafe cells[range].partition { $0.color[axis] > cut }
            // With nothing above the rounded mean, the greatest value is cut off from below.
            return middle < range.upperBound
                ? middle : unsafe cells[range].partition { $0.color[axis] >= cut }
        }
        return (
            PaletteBox(cells, range: range.lowerBound..<middle, isOpaque: isOpaque),
            PaletteBox(cells, range: middle..<range.upperBound, isOpaque: isOpaque)
        )
    }
}
