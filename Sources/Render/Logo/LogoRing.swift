import Raster

/// The pixels at one depth inside the visible edge of a picture.
struct LogoRing {
    /// The most frequent colour.
    private(set) var color = Color.clear
    /// The share of the pixels that have `color`.
    private(set) var share = 0.0
    /// Whether the colours change slowly: at most 2 % of the steps between neighbours are larger
    /// than `smoothStep`.
    private(set) var isSmooth = false
    /// Whether the four corners have the most frequent colour.
    private(set) var hasCorners = false
    /// Whether other colours cover more than a quarter of one side, and almost nothing of the
    /// opposite side.
    private(set) var bleeds = false
    private(set) var isEmpty = true
    private var colors: [Color] = []

    /// The greatest difference in one channel between pixels of one colour.
    private static let tolerance = 14
    /// The largest step between two neighbours of a smooth edge.
    private static let smoothStep = 12

    init(_ picture: borrowing PixelBuffer, _ outline: Outline, depth: Int) {
        let sides = Self.sides(of: picture, outline, depth: depth)
        let all = sides.flatMap { $0 }
        guard !all.isEmpty else { return }
        isEmpty = false
        colors = all
        color = Self.mode(of: all)
        let same = all.count { !Self.differ($0, color, by: Self.tolerance) }
        share = Double(same) / Double(all.count)
        var steps = 0
        for side in sides {
            for (one, next) in zip(side, side.dropFirst())
            where Self.differ(one, next, by: Self.smoothStep) { steps += 1 }
        }
        isSmooth = steps * 50 <= all.count
        hasCorners = sides.allSatisfy { side in
            guard let first = side.first, let last = side.last else { return false }
            return !Self.differ(first, color) && !Self.differ(last, color)
        }
        let covered = sides.map { side in
            Double(side.count { Self.differ($0, color) }) / Double(max(1, side.count))
        }
        for (one, other) in [(0, 1), (1, 0), (2, 3), (3, 2)]
        where covered[one] > 0.25 && covered[other] < 0.05 { bleeds = true }
    }

    /// Returns the share of the pixels that have about this colour.
    func share(of color: Color) -> Double {
        Double(colors.count { !Self.differ($0, color) }) / Double(max(1, colors.count))
    }

    /// Returns whether two colours differ by more than `tolerance` in one channel.
    static func differ(_ one: Color, _ other: Color, by tolerance: Int = 24) -> Bool {
        abs(Int(one.red) - Int(other.red)) > tolerance
            || abs(Int(one.green) - Int(other.green)) > tolerance
            || abs(Int(one.blue) - Int(other.blue)) > tolerance
    }

    /// The first and last visible pixel of each row and column; nil for an empty row or column.
    struct Outline {
        fileprivate let rows: [(first: Int, last: Int)?]
        fileprivate let columns: [(first: Int, last: Int)?]

        init(_ picture: borrowing PixelBuffer) {
            let (width, height) = (picture.width, picture.height)
            let pixels = picture.pixels
            func ends(_ length: Int, _ pixel: (Int) -> Int) -> (first: Int, last: Int)? {
                func isVisible(_ place: Int) -> Bool {
                    pixels[pixel(place) * 4 + 3] >= LogoInk.leastAlpha
                }
                guard let first = (0..<length).first(where: isVisible),
                    let last = (0..<length).last(where: isVisible)
                else { return nil }
                return (first, last)
            }
            rows = (0..<height).map { y in ends(width) { x in y * width + x } }
            columns = (0..<width).map { x in ends(height) { y in y * width + x } }
        }
    }

    /// Returns the opaque colours at a depth, along the left, right, top and bottom side.
    private static func sides(
        of picture: borrowing PixelBuffer, _ outline: Outline, depth: Int
    ) -> [[Color]] {
        let (width, height) = (picture.width, picture.height)
        guard depth * 2 + 2 < min(width, height) else { return [] }
        let pixels = picture.pixels
        var sides = [[Color]](repeating: [], count: 4)
        func take(_ x: Int, _ y: Int, _ side: Int) {
            guard x >= 0, x < width, y >= 0, y < height else { return }
            let offset = (y * width + x) * 4
            guard pixels[offset + 3] >= 250 else { return }
            sides[side].append(
                Color(red: pixels[offset], green: pixels[offset + 1], blue: pixels[offset + 2]))
        }
        for y in depth..<height - depth {
            guard let row = outline.rows[y] else { continue }
            take(row.first + depth, y, 0)
            take(row.last - depth, y, 1)
        }
        for x in depth..<width - depth {
            guard let column = outline.columns[x] else { continue }
            take(x, column.first + depth, 2)
            take(x, column.last - depth, 3)
        }
        return sides
    }

    /// Returns the most frequent colour. If no exact colour has half of the pixels of the fullest
    /// of 512 boxes of the colour cube, as in a JPEG, it is the mean of that box.
    private static func mode(of colors: [Color]) -> Color {
        func box(_ color: Color) -> Int {
            Int(color.red >> 5) << 6 | Int(color.green >> 5) << 3 | Int(color.blue >> 5)
        }
        var counts = [Int](repeating: 0, count: 512)
        for color in colors { counts[box(color)] += 1 }
        let most = counts.max() ?? 0
        let fullest = counts.firstIndex(of: most) ?? 0
        // A majority vote (Boyer and Moore) finds the colour of more than half of the pixels, if
        // there is one.
        var (winner, votes, sum) = (Color.clear, 0, SIMD3<Int>.zero)
        for color in colors where box(color) == fullest {
            if votes == 0 { winner = color }
            votes += color == winner ? 1 : -1
            sum &+= SIMD3(Int(color.red), Int(color.green), Int(color.blue))
        }
        if colors.count(where: { $0 == winner }) * 2 > most { return winner }
        func mean(_ sum: Int) -> UInt8 { UInt8((sum + most / 2) / max(1, most)) }
        return Color(red: mean(sum.x), green: mean(sum.y), blue: mean(sum.z))
    }
}
