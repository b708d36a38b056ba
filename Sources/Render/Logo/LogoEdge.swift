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

    let shape: Shape
    /// The ground if the picture has one; `picture` if the edge has many colours, as in a
    /// photograph.
    let ground: LogoStudy.Ground
    /// The most frequent colour along the edge.
    let color: Color
    /// The width of a frame around the ground, in pixels.
    var rim = 0
    /// Whether the colour of the ground runs along the whole edge.
    var isUnbroken = false
    /// Whether the ground is a gradient between colours that are close to each other.
    var isUneven = false

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

    /// Creates the edge; nil if the picture does not fill one of the shapes.
    ///
    /// - Parameter mask: the pixels that count as part of the shape.
    init?(_ picture: borrowing PixelBuffer, _ mask: AlphaMask) {
        guard let shape = Self.shape(of: mask) else { return nil }
        self.shape = shape
        let rows = (0..<mask.height).map { mask.columns(ofRow: $0) }
        let columns = (0..<mask.width).map { mask.rows(ofColumn: $0) }
        func ring(_ depth: Int) -> LogoRing { LogoRing(picture, rows, columns, depth: depth) }
        let inside = ring(1)
        var outer = ring(0)
        if outer.isEmpty { outer = inside }
        color = outer.color
        // A frame is a closed line around the ground, in another colour than the ground.
        for depth in 1...(outer.share >= Self.fullShare ? Self.deepestRim : 2) {
            let inner = depth == 1 ? inside : ring(depth)
            guard inner.share >= Self.fullShare, LogoRing.differ(outer.color, inner.color) else {
                continue
            }
            let next = ring(depth + 2)
            guard next.share >= Self.mostShare, !LogoRing.differ(inner.color, next.color) else {
                continue
            }
            (ground, rim, isUnbroken) = (.color(inner.color), depth, true)
            return
        }
        let best = !inside.isEmpty && inside.share >= outer.share ? inside : outer
        if best.share >= Self.fullShare {
            (ground, isUnbroken) = (.color(best.color), true)
        } else if outer.share >= Self.leastShare, outer.hasCorners {
            ground = .color(outer.color)
            isUneven = outer.isSmooth && outer.share(of: color) >= Self.fullShare
        } else {
            ground = inside.isSmooth || (2...4).contains { ring($0).isSmooth } ? .smooth : .picture
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
    private var colors: [Color] = []
    /// The ends in `colors` of the left, right, top and bottom side.
    private var ends: [Int] = []
    /// The most frequent colour.
    private(set) var color = Color.clear
    /// The share of the pixels that have `color`.
    private(set) var share = 0.0

    /// The greatest difference in one channel between pixels of one colour.
    private static let tolerance = 14
    /// The largest step between two neighbours of a smooth edge.
    private static let smoothStep = 12

    /// - Parameters:
    ///   - rows: the first and the last visible column of each row.
    ///   - columns: the first and the last visible row of each column.
    init(
        _ picture: borrowing PixelBuffer, _ rows: [ClosedRange<Int>?],
        _ columns: [ClosedRange<Int>?], depth: Int
    ) {
        let (width, height) = (picture.width, picture.height)
        guard depth * 2 + 2 < min(width, height) else { return }
        let pixels = picture.pixels
        colors.reserveCapacity(2 * (width + height))
        for side in 0..<4 {
            for place in depth..<(side < 2 ? height : width) - depth {
                guard let range = side < 2 ? rows[place] : columns[place] else { continue }
                let inward = side & 1 == 0 ? range.lowerBound + depth : range.upperBound - depth
                guard inward >= 0, inward < (side < 2 ? width : height) else { continue }
                let offset = (side < 2 ? place * width + inward : inward * width + place) * 4
                guard pixels[offset + 3] >= 250 else { continue }
                colors.append(
                    Color(red: pixels[offset], green: pixels[offset + 1], blue: pixels[offset + 2]))
            }
            ends.append(colors.count)
        }
        guard !colors.isEmpty else { return }
        color = mode
        share = share(of: color, tolerance: Self.tolerance)
    }

    private var sides: [ArraySlice<Color>] {
        zip([0] + ends, ends).map { colors[$0..<$1] }
    }

    var isEmpty: Bool { colors.isEmpty }

    /// Whether the colours change slowly: at most 2 % of the steps between neighbours are larger
    /// than `smoothStep`.
    var isSmooth: Bool {
        let steps = sides.reduce(0) { sum, side in
            sum + zip(side, side.dropFirst()).count { Self.differ($0, $1, by: Self.smoothStep) }
        }
        return !isEmpty && steps * 50 <= colors.count
    }

    /// Whether the four corners have the most frequent colour.
    var hasCorners: Bool {
        !isEmpty
            && sides.allSatisfy { side in
                guard let first = side.first, let last = side.last else { return false }
                return !Self.differ(first, color) && !Self.differ(last, color)
            }
    }

    /// Returns the share of the pixels that have about this colour.
    func share(of color: Color, tolerance: Int = LogoInk.tolerance) -> Double {
        Double(colors.count { !Self.differ($0, color, by: tolerance) })
            / Double(max(1, colors.count))
    }

    /// Returns whether two colours differ by more than `tolerance` in one channel.
    static func differ(
        _ one: Color, _ other: Color, by tolerance: Int = LogoInk.tolerance
    ) -> Bool {
        abs(Int(one.red) - Int(other.red)) > tolerance
            || abs(Int(one.green) - Int(other.green)) > tolerance
            || abs(Int(one.blue) - Int(other.blue)) > tolerance
    }

    /// The most frequent colour. If no exact colour has half of the pixels of the fullest of 512
    /// boxes of the colour cube, as in a JPEG, it is the mean of that box.
    private var mode: Color {
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
        let mean = (sum &+ most / 2) / max(1, most)
        return Color(red: UInt8(mean.x), green: UInt8(mean.y), blue: UInt8(mean.z))
    }
}
