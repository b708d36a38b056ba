import Raster

/// The shape of a picture that fills a simple outline, and the colours along its edge. The colours
/// show whether the picture has its own background, which is called its ground.
struct LogoEdge {
    /// A shape that the visible pixels fill without gaps.
    enum Shape: Hashable, Sendable {
        case rectangle
        /// A rectangle with round corners of this radius, in pixels.
        case rounded(Double)
        case disc
    }

    enum Ground: Hashable, Sendable {
        case color(Color)
        /// A gradient.
        case smooth
        /// Many colours, as in a photograph.
        case busy
    }

    let shape: Shape
    let ground: Ground
    /// The most frequent colour along the edge.
    let color: Color
    /// The width of a frame around the ground, in pixels.
    var rim = 0
    /// Whether the content touches the edge on one side.
    var bleeds = false
    /// Whether the colour of the ground runs along the whole edge.
    var isUnbroken = false
    /// Whether the ground is a gradient between colours that are close to each other.
    var isUneven = false

    init?(_ picture: borrowing PixelBuffer) {
        self.init(picture, AlphaMask(picture, leastAlpha: LogoStudy.leastAlpha))
    }

    /// Creates the edge; nil if the picture does not fill one of the shapes.
    ///
    /// - Parameter mask: the pixels that count as part of the shape.
    init?(_ picture: borrowing PixelBuffer, _ mask: AlphaMask) {
        guard let shape = Self.shape(of: mask) else { return nil }
        self.shape = shape
        let outline = LogoRing.Outline(picture)
        let rings = (0...Self.deepestRim + 2).map { LogoRing(picture, outline, depth: $0) }
        let outer = rings[0].isEmpty ? rings[1] : rings[0]
        color = outer.color
        // A frame is a closed line around the ground, in another colour than the ground.
        for depth in 1...Self.deepestRim where rings[depth].share >= Self.fullShare {
            let (inner, next) = (rings[depth], rings[depth + 2])
            guard LogoRing.differ(outer.color, inner.color),
                outer.share >= Self.fullShare || depth <= 2, next.share >= Self.mostShare,
                !LogoRing.differ(inner.color, next.color)
            else { continue }
            (ground, rim, isUnbroken) = (.color(inner.color), depth, true)
            return
        }
        let ring = rings[1].isEmpty ? outer : rings[1]
        if ring.share >= Self.fullShare || outer.share >= Self.fullShare {
            let best = ring.share >= outer.share ? ring : outer
            (ground, isUnbroken) = (.color(best.color), true)
        } else if outer.share >= Self.leastShare, outer.hasCorners {
            ground = .color(outer.color)
            bleeds = outer.bleeds
            isUneven = outer.isSmooth && outer.share(of: color) >= Self.fullShare
        } else if rings[1...4].contains(where: \.isSmooth) {
            ground = .smooth
        } else {
            ground = .busy
        }
    }

    /// Returns whether the ground can be extended beyond the shape. A disc and a long card with
    /// round corners keep their shape.
    func isTile(_ aspect: Double) -> Bool {
        switch shape {
        case .rectangle: true
        case .rounded: aspect <= 1.3
        case .disc: false
        }
    }

    /// Returns whether a busy picture of this shape fills an emblem, as a photograph does. The
    /// corners of the emblem must hide the corners of the picture.
    func isPicture(_ aspect: Double, _ shorterSide: Int) -> Bool {
        switch shape {
        case .rectangle: aspect <= Self.longestFilling
        case .rounded(let radius):
            isTile(aspect) && radius <= Self.hiddenRadius * Double(shorterSide)
        case .disc: false
        }
    }

    /// The largest aspect ratio of a busy rectangle that fills an emblem.
    private static let longestFilling = 1.8
    /// The radius of corners that an emblem's own corners hide, as a share of the side.
    private static let hiddenRadius = 0.24
    /// The greatest width of a frame, in pixels.
    private static let deepestRim = 6
    /// The share of one colour from which a ring counts as unbroken.
    private static let fullShare = 0.92
    /// The share of one colour that the ground inside a frame must have.
    private static let mostShare = 0.85
    /// The share of the edge that the ground must keep if content touches the edge.
    private static let leastShare = 0.6
    /// The most rows or columns of soft pixels along the edges of a shape.
    private static let softEdge = 3
    /// The share of the pixels that may differ from the shape.
    private static let mismatch = 0.025

    private static func shape(of mask: AlphaMask) -> Shape? {
        // The edges may be soft.
        guard let box = mask.bounds,
            max(mask.width - box.width, mask.height - box.height) <= softEdge
        else { return nil }
        let (width, height, area) = (box.width, box.height, box.size.area)
        let (right, bottom) = (box.x + width - 1, box.y + height - 1)
        let corners = [(box.x, box.y), (right, box.y), (box.x, bottom), (right, bottom)]
        let missing = area - mask.area
        if Double(missing) <= 0.004 * Double(area),
            corners.allSatisfy({ mask.isVisible($0.0, $0.1) })
        {
            return .rectangle
        }
        let radius = (Double(missing) / (4 - Double.pi)).squareRoot()
        let half = Double(min(width, height)) / 2
        guard radius <= half * 1.1 else { return nil }
        let rounded = min(radius, half)
        var wrong = 0
        for y in 0..<height {
            let down = max(0, rounded - min(Double(y) + 0.5, Double(height - y) - 0.5))
            let reach = (rounded * rounded - down * down).squareRoot()
            let first = max(0, Int((rounded - reach - 0.5).rounded(.up)))
            let columns = box.x + first..<box.x + max(first, width - first)
            wrong += mask.difference(fromColumns: columns, row: box.y + y)
        }
        guard Double(wrong) <= mismatch * Double(area) else { return nil }
        let isRound = rounded >= half * 0.9 && abs(width - height) * 16 <= max(width, height)
        return isRound ? .disc : .rounded(rounded)
    }
}

/// The opaque pixels at one depth inside the visible edge of a picture.
struct LogoRing {
    /// The colours along the left, right, top and bottom side.
    private let sides: [[Color]]
    private let count: Int
    /// The most frequent colour.
    let color: Color
    /// The share of the pixels that have `color`.
    let share: Double

    /// The greatest difference in one channel between pixels of one colour.
    private static let tolerance = 14
    /// The largest step between two neighbours of a smooth edge.
    private static let smoothStep = 12

    init(_ picture: borrowing PixelBuffer, _ outline: Outline, depth: Int) {
        sides = Self.sides(of: picture, outline, depth: depth)
        count = sides.reduce(0) { $0 + $1.count }
        guard count > 0 else {
            (color, share) = (.clear, 0)
            return
        }
        let mode = Self.mode(of: sides)
        color = mode
        let same = sides.reduce(0) { sum, side in
            sum + side.count { !Self.differ($0, mode, by: Self.tolerance) }
        }
        share = Double(same) / Double(count)
    }

    var isEmpty: Bool { count == 0 }

    /// Whether the colours change slowly: at most 2 % of the steps between neighbours are larger
    /// than `smoothStep`.
    var isSmooth: Bool {
        let steps = sides.reduce(0) { sum, side in
            sum + zip(side, side.dropFirst()).count { Self.differ($0, $1, by: Self.smoothStep) }
        }
        return !isEmpty && steps * 50 <= count
    }

    /// Whether the four corners have the most frequent colour.
    var hasCorners: Bool {
        !isEmpty
            && sides.allSatisfy { side in
                guard let first = side.first, let last = side.last else { return false }
                return !Self.differ(first, color) && !Self.differ(last, color)
            }
    }

    /// Whether other colours cover more than a quarter of one side, and almost nothing of the
    /// opposite side.
    var bleeds: Bool {
        guard !isEmpty else { return false }
        let covered = sides.map { side in
            Double(side.count { Self.differ($0, color) }) / Double(max(1, side.count))
        }
        return [(0, 1), (1, 0), (2, 3), (3, 2)].contains { one, other in
            covered[one] > 0.25 && covered[other] < 0.05
        }
    }

    /// Returns the share of the pixels that have about this colour.
    func share(of color: Color) -> Double {
        let same = sides.reduce(0) { sum, side in
            sum + side.count { !Self.differ($0, color) }
        }
        return Double(same) / Double(max(1, count))
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
    private static func mode(of sides: [[Color]]) -> Color {
        func box(_ color: Color) -> Int {
            Int(color.red >> 5) << 6 | Int(color.green >> 5) << 3 | Int(color.blue >> 5)
        }
        var counts = [Int](repeating: 0, count: 512)
        for side in sides { for color in side { counts[box(color)] += 1 } }
        let most = counts.max() ?? 0
        let fullest = counts.firstIndex(of: most) ?? 0
        // A majority vote (Boyer and Moore) finds the colour of more than half of the pixels, if
        // there is one.
        var (winner, votes, sum) = (Color.clear, 0, SIMD3<Int>.zero)
        for side in sides {
            for color in side where box(color) == fullest {
                if votes == 0 { winner = color }
                votes += color == winner ? 1 : -1
                sum &+= SIMD3(Int(color.red), Int(color.green), Int(color.blue))
            }
        }
        let same = sides.reduce(0) { sum, side in sum + side.count { $0 == winner } }
        if same * 2 > most { return winner }
        func mean(_ sum: Int) -> UInt8 { UInt8((sum + most / 2) / max(1, most)) }
        return Color(red: mean(sum.x), green: mean(sum.y), blue: mean(sum.z))
    }
}
