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
