import Raster

/// The outline and the mass of a picture's content: the pixels that are not its ground.
struct LogoInk {
    /// The first and last column of content in each row; empty rows have none.
    private(set) var rows: [ClosedRange<Int>?]
    private(set) var top = Int.max
    private(set) var bottom = -1
    private(set) var left = Int.max
    private(set) var right = -1
    private var mass = 0
    private var massX = 0
    private var massY = 0

    /// The least alpha of content; pixels with less are shadows.
    static let leastAlpha: UInt8 = 64
    /// The greatest difference from the ground in one channel; content differs more.
    static let tolerance = 24

    /// - Parameters:
    ///   - ground: the colour of the ground; nil counts every visible pixel as content.
    ///   - rim: the width of an outer frame that is skipped, in pixels.
    init(_ picture: borrowing PixelBuffer, ground: Color?, rim: Int = 0) {
        let (width, height) = (picture.width, picture.height)
        let pixels = picture.pixels
        rows = [ClosedRange<Int>?](repeating: nil, count: height)
        guard rim * 2 < min(width, height) else { return }
        for y in rim..<height - rim {
            var (first, last) = (Int.max, -1)
            for x in rim..<width - rim {
                let offset = (y * width + x) * 4
                let weight = Self.weight(pixels, offset, ground)
                guard weight > 0 else { continue }
                first = min(first, x)
                last = x
                mass += weight
                massX += weight * (2 * x + 1)
                massY += weight * (2 * y + 1)
            }
            guard last >= 0 else { continue }
            rows[y] = first...last
            (top, bottom) = (min(top, y), y)
            (left, right) = (min(left, first), max(right, last))
        }
    }

    private static func weight(
        _ pixels: borrowing Span<UInt8>, _ offset: Int, _ ground: Color?
    ) -> Int {
        let alpha = pixels[offset + 3]
        guard let ground else { return alpha >= leastAlpha ? Int(alpha) : 0 }
        let rest = Int(255 - alpha)
        let differs =
            abs(Int(pixels[offset]) + Int(ground.red) * rest / 255 - Int(ground.red)) > tolerance
            || abs(Int(pixels[offset + 1]) + Int(ground.green) * rest / 255 - Int(ground.green))
                > tolerance
            || abs(Int(pixels[offset + 2]) + Int(ground.blue) * rest / 255 - Int(ground.blue))
                > tolerance
        return differs ? 255 : 0
    }

    var isEmpty: Bool { bottom < 0 }
    var width: Int { right - left + 1 }
    var height: Int { bottom - top + 1 }
    var longerSide: Int { max(width, height) }

    /// The middle of the content's box, in pixels.
    var middle: (x: Double, y: Double) {
        (Double(left + right + 1) / 2, Double(top + bottom + 1) / 2)
    }

    /// The centre of gravity of the content, in pixels.
    var centroid: (x: Double, y: Double) {
        guard mass > 0 else { return middle }
        return (Double(massX) / Double(2 * mass), Double(massY) / Double(2 * mass))
    }

    /// Returns the largest scale, in emblem heights per pixel, at which all content keeps a distance
    /// from the round outline.
    ///
    /// - Parameters:
    ///   - center: the point of the picture that is placed in the middle of the emblem.
    ///   - inset: the distance in heights.
    ///   - radius: the radius of the emblem's corners in heights.
    func largestScale(
        around center: (x: Double, y: Double), inset: Double, radius: Double
    ) -> Double {
        let half = 0.5 - inset
        let corner = max(0, min(radius, 0.5) - inset)
        let straight = half - corner
        var scale = Double.infinity
        for (y, row) in rows.enumerated() {
            guard let row else { continue }
            let across = max(
                center.x - Double(row.lowerBound), Double(row.upperBound + 1) - center.x)
            let down = max(center.y - Double(y), Double(y + 1) - center.y)
            guard across > 0, down > 0 else { continue }
            scale = min(scale, half / across, half / down)
            guard corner > 0 else { continue }
            // `exit` is the scale at which the point meets the circle of the corner: the larger root
            // of a quadratic equation with the discriminant `under`.
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
