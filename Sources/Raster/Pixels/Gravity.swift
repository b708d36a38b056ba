/// The part of a picture that stays visible when it fills a canvas of another shape.
package enum Gravity: String, CaseIterable, Sendable {
    /// The centre, or the upper third if a portrait becomes an avatar.
    case auto
    case center
    case top
    case bottom
    case left
    case right
    /// The part with the most edges and colour. Drawings and flat pictures show their centre.
    case attention
}

/// The point of a picture that is brought as near to the middle of the canvas as its edges permit:
/// shares of the width from the left and of the height from the top, of the upright picture.
package struct FocusPoint: Hashable, Sendable {
    package let x: Double
    package let y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    package static let center = FocusPoint(x: 0.5, y: 0.5)
}

extension FocusPoint {
    /// The number of strips that are rated along the side that is cropped.
    private static let strips = 64

    /// Returns the focus on the part of a picture with the most edges and colour, if `shown` of its
    /// width and height stays visible.
    ///
    /// Strips are rated by the differences of neighbouring pixels and by their saturation. The
    /// stretch of strips with the largest sum wins; among equal stretches, the one nearest to the
    /// middle.
    package static func attention(
        _ pixels: borrowing PixelBuffer, shown: (width: Double, height: Double)
    ) -> FocusPoint {
        guard shown.width < 1 || shown.height < 1 else { return .center }
        var small = pixels.reduced(to: strips)
        small.applyPendingOrientation()
        let (width, height) = (small.width, small.height)
        let pixels = small.pixels
        var (columns, rows) = (
            [Int](repeating: 0, count: width), [Int](repeating: 0, count: height)
        )
        for y in 0..<height {
            for x in 0..<width {
                let place = (y * width + x) * 4
                var rating = saturation(pixels, place) / 2
                if x > 0 { rating += difference(pixels, place, place - 4) }
                if y > 0 { rating += difference(pixels, place, place - width * 4) }
                columns[x] += rating
                rows[y] += rating
            }
        }
        return FocusPoint(
            x: middle(of: columns, shown: shown.width), y: middle(of: rows, shown: shown.height))
    }

    /// Returns the saturation of a premultiplied pixel, weighted by its alpha.
    private static func saturation(_ pixels: Span<UInt8>, _ place: Int) -> Int {
        let (red, green, blue) = (pixels[place], pixels[place + 1], pixels[place + 2])
        return Int(max(red, green, blue) - min(red, green, blue))
    }

    /// Returns the difference of two pixels in luma and alpha.
    private static func difference(_ pixels: Span<UInt8>, _ one: Int, _ other: Int) -> Int {
        abs(luma(pixels, one) - luma(pixels, other))
            + abs(Int(pixels[one + 3]) - Int(pixels[other + 3])) / 2
    }

    private static func luma(_ pixels: Span<UInt8>, _ place: Int) -> Int {
        (Int(pixels[place]) * 54 + Int(pixels[place + 1]) * 183 + Int(pixels[place + 2]) * 19) >> 8
    }

    /// Returns the middle, as a share of the length, of the stretch with the largest sum of
    /// ratings. `shown` is the length of the stretch, as a share too.
    private static func middle(of ratings: [Int], shown: Double) -> Double {
        let length = max(1, min(ratings.count, Int(Double(ratings.count) * shown + 0.5)))
        let spare = ratings.count - length
        guard spare > 0 else { return 0.5 }
        var sum = ratings[..<length].reduce(0, +)
        var best = (sum: sum, start: 0)
        for start in 1...spare {
            sum += ratings[start + length - 1] - ratings[start - 1]
            let isNearer = abs(2 * start - spare) < abs(2 * best.start - spare)
            if sum > best.sum || (sum == best.sum && isNearer) { best = (sum, start) }
        }
        guard abs(2 * best.start - spare) > 1 else { return 0.5 }
        return (Double(best.start) + Double(length) / 2) / Double(ratings.count)
    }
}
