import Raster

/// The outline of a picture's content: the pixels that are not its ground.
struct LogoInk {
    /// The first and last column of content in each row; empty rows have none.
    private let rows: [ClosedRange<Int>?]
    let box: PixelRect
    let centroid: (x: Double, y: Double)

    /// The greatest difference from the background in one channel at which a pixel still belongs to
    /// the background.
    static let tolerance = 24

    /// Returns nil if there is no content.
    init?(_ content: AlphaMask) {
        guard let box = content.bounds, let centroid = content.centroid else { return nil }
        self.box = box
        self.centroid = centroid
        rows = (0..<content.height).map { content.columns(ofRow: $0) }
    }

    var longerSide: Int { max(box.width, box.height) }

    /// Whether every row of content reaches from the left to the right side, within one pixel.
    var isRectangle: Bool {
        let right = box.x + box.width - 1
        return rows[box.y..<box.y + box.height].allSatisfy { row in
            row.map { $0.lowerBound <= box.x + 1 && $0.upperBound >= right - 1 } ?? false
        }
    }

    var middle: (x: Double, y: Double) {
        (Double(2 * box.x + box.width) / 2, Double(2 * box.y + box.height) / 2)
    }

    /// Returns the largest scale, in emblem heights per pixel, at which all content keeps the
    /// distance `inset` from the round outline.
    ///
    /// - Parameters:
    ///   - center: the point of the picture that is placed in the middle of the emblem.
    ///   - inset: the distance in heights.
    ///   - radius: the radius of the emblem's corners in heights.
    ///   - free: the sides to which no distance is kept.
    func largestScale(
        around center: (x: Double, y: Double), inset: Double, radius: Double,
        free: LogoSides = []
    ) -> Double {
        let half = 0.5 - inset
        let corner = max(0, min(radius, 0.5) - inset)
        let straight = half - corner
        func reach(_ side: LogoSides, _ length: Double) -> Double {
            free.contains(side) ? 0 : length
        }
        var scale = Double.infinity
        for (y, row) in rows.enumerated() {
            guard let row else { continue }
            let across = max(
                reach(.left, center.x - Double(row.lowerBound)),
                reach(.right, Double(row.upperBound + 1) - center.x))
            let down = max(
                reach(.top, center.y - Double(y)), reach(.bottom, Double(y + 1) - center.y))
            if across > 0 { scale = min(scale, half / across) }
            if down > 0 { scale = min(scale, half / down) }
            guard across > 0, down > 0, corner > 0 else { continue }
            // `exit` is the scale at which the farthest point of the row meets the circle of the
            // corner: the larger root of a quadratic equation with the discriminant `under`.
            let square = across * across + down * down
            let middle = straight * (across + down)
            let under =
                middle * middle - square * (2 * straight * straight - corner * corner)
            guard under >= 0 else { continue }
            let exit = (middle + under.squareRoot()) / square
            if exit * across > straight, exit * down > straight { scale = min(scale, exit) }
        }
        return scale
    }
}

/// Sides of a picture.
package struct LogoSides: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let left = LogoSides(rawValue: 1)
    package static let right = LogoSides(rawValue: 2)
    package static let top = LogoSides(rawValue: 4)
    package static let bottom = LogoSides(rawValue: 8)
    package static let all: LogoSides = [.left, .right, .top, .bottom]

    private static let named: [(name: String, side: LogoSides)] = [
        ("left", .left), ("right", .right), ("top", .top), ("bottom", .bottom),
    ]

    package var names: [String] { Self.named.filter { contains($0.side) }.map(\.name) }

    package init?(names: [String]) {
        let sides = LogoSides(Self.named.filter { names.contains($0.name) }.map(\.side))
        guard sides.names == names else { return nil }
        self.init(rawValue: sides.rawValue)
    }
}

extension LogoSides {
    /// The least share of a side that content which runs off the picture covers: one tenth.
    private static let leastContact = 10
    /// The depth, as a part of the picture, at which such content is compared with the side. A shape
    /// that only touches the side, such as a disc, is more than twice as wide there.
    private static let depth = 20

    /// Returns the sides where the picture cuts its content, so that it seems to continue outside.
    ///
    /// A picture that is cropped to its content touches its sides, too. Therefore the opposite side
    /// must be free; only a stripe, which crosses the picture, touches two opposite sides. On a
    /// transparent ground, which shows no frame, all other sides must be free.
    ///
    /// - Parameters:
    ///   - content: the content of the picture without its margins.
    ///   - flush: the sides without a margin.
    ///   - near: the sides without a wide margin.
    ///   - isFramed: Whether the content is on an opaque ground.
    static func cutting(
        _ content: AlphaMask, flush: LogoSides, near: LogoSides, isFramed: Bool
    ) -> LogoSides {
        guard !flush.isEmpty else { return [] }
        let sides: [(LogoSides, LogoSides, length: Int, count: (Int) -> Int)] = [
            (.left, .right, content.height, { content.count(inColumn: $0) }),
            (.right, .left, content.height, { content.count(inColumn: content.width - 1 - $0) }),
            (.top, .bottom, content.width, { content.count(inRow: $0) }),
            (.bottom, .top, content.width, { content.count(inRow: content.height - 1 - $0) }),
        ]
        let reach = max(content.width, content.height) / Self.depth
        var (touched, cut): (LogoSides, LogoSides) = ([], [])
        for (side, _, length, count) in sides where near.contains(side) && count(0) > 0 {
            touched.insert(side)
            if flush.contains(side), count(0) * Self.leastContact >= length,
                count(0) * 2 >= count(min(reach, length - 1))
            {
                cut.insert(side)
            }
        }
        guard isFramed else {
            return near == cut && cut.rawValue.nonzeroBitCount == 1 ? cut : []
        }
        var result: LogoSides = []
        for (side, opposite, _, _) in sides where cut.contains(side) {
            if !touched.contains(opposite) || touched == [side, opposite] && cut == touched {
                result.insert(side)
            }
        }
        return result
    }
}

extension AlphaMask {
    fileprivate func count(inRow y: Int) -> Int {
        (0..<wordsPerRow).reduce(0) { $0 + word($1, row: y).nonzeroBitCount }
    }

    fileprivate func count(inColumn x: Int) -> Int {
        (0..<height).count { isVisible(x, $0) }
    }
}
