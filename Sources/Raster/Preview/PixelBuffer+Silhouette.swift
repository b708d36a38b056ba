extension PixelBuffer {
    /// The area of the picture's outline in pixels: every pixel that has something visible on both
    /// sides of it in its row and in its column, or is visible itself. What is drawn in thin lines
    /// counts with what the lines enclose, as the eye takes it.
    package var silhouetteArea: Int {
        let (width, height) = (self.width, self.height)
        let pixels = self.pixels
        var tops = [Int](repeating: .max, count: width)
        var bottoms = [Int](repeating: -1, count: width)
        var rows = [(first: Int, last: Int)](repeating: (.max, -1), count: height)
        for y in 0..<height {
            for x in 0..<width
            where pixels[(y * width + x) * 4 + 3] >= Legibility.leastAlpha {
                rows[y].first = min(rows[y].first, x)
                rows[y].last = x
                tops[x] = min(tops[x], y)
                bottoms[x] = y
            }
        }
        var area = 0
        for (y, row) in rows.enumerated() where row.last >= 0 {
            for x in row.first...row.last where tops[x] <= y && y <= bottoms[x] { area += 1 }
        }
        return area
    }
}
