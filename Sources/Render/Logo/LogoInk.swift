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
    /// Twice the first moments: the sums of alpha times twice the coordinates of pixel centres.
    private var massX = 0
    private var massY = 0

    /// The least alpha of content; pixels with less are shadows.
    static let leastAlpha: UInt8 = 64
    /// The greatest difference from the background in one channel at which a pixel still belongs to
    /// the background.
    static let tolerance = 24

    /// - Parameter ground: the colour of the ground; nil counts every visible pixel as content.
    init(_ picture: borrowing PixelBuffer, ground: Color?) {
        let (width, height) = (picture.width, picture.height)
        rows = [ClosedRange<Int>?](repeating: nil, count: height)
        unsafe picture.withUnsafePixels { pixels in
            guard let ground else {
                return unsafe scanAlpha(pixels, width, height)
            }
            for y in 0..<height {
                var (first, last) = (Int.max, -1)
                var (count, sumX) = (0, 0)
                for x in 0..<width {
                    let pixel = unsafe pixels + (y * width + x) * 4
                    let rest = unsafe Int(255 - pixel[3])
                    func differs(_ level: UInt8, _ ground: UInt8) -> Bool {
                        abs(Int(level) + Int(ground) * rest / 255 - Int(ground)) > Self.tolerance
                    }
                    guard
                        unsafe differs(pixel[0], ground.red) || differs(pixel[1], ground.green)
                            || differs(pixel[2], ground.blue)
                    else { continue }
                    first = min(first, x)
                    last = x
                    count &+= 255
                    sumX &+= 255 &* (2 &* x &+ 1)
                }
                if last >= 0 { enter(y, first...last, count, sumX) }
            }
        }
    }

    /// Enters the pixels with at least `leastAlpha`; the weight of a pixel is its alpha.
    private mutating func scanAlpha(
        _ pixels: UnsafePointer<UInt8>, _ width: Int, _ height: Int
    ) {
        let least = SIMD16<UInt32>(repeating: UInt32(Self.leastAlpha))
        for y in 0..<height {
            let row = unsafe pixels + y * width * 4
            func weight(_ x: Int) -> Int {
                let alpha = unsafe row[x * 4 + 3]
                return alpha >= Self.leastAlpha ? Int(alpha) : 0
            }
            guard let first = (0..<width).first(where: { weight($0) > 0 }),
                let last = (0..<width).last(where: { weight($0) > 0 })
            else { continue }
            var (mass, massX) = (SIMD16<UInt32>.zero, SIMD16<UInt32>.zero)
            var x = first
            while x + 16 <= last + 1 {
                let words = unsafe UnsafeRawPointer(row + x * 4)
                    .loadUnaligned(as: SIMD16<UInt32>.self)
                let alpha = words &>> 24
                let weights = alpha.replacing(with: 0, where: alpha .< least)
                mass &+= weights
                massX &+= weights &* (Self.steps &+ UInt32(truncatingIfNeeded: 2 * x + 1))
                x += 16
            }
            var (rowMass, rowMassX) = (Int(mass.wrappedSum()), Int(massX.wrappedSum()))
            while x <= last {
                rowMass += weight(x)
                rowMassX += weight(x) * (2 * x + 1)
                x += 1
            }
            enter(y, first...last, rowMass, rowMassX)
        }
    }

    private static let steps = SIMD16<UInt32>(
        0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)

    /// Adds a row of content, with the sums of its weights and of its first moments.
    private mutating func enter(
        _ y: Int, _ row: ClosedRange<Int>, _ rowMass: Int, _ rowMassX: Int
    ) {
        mass += rowMass
        massX += rowMassX
        massY += rowMass * (2 * y + 1)
        rows[y] = row
        (top, bottom) = (min(top, y), y)
        (left, right) = (min(left, row.lowerBound), max(right, row.upperBound))
    }

    var isEmpty: Bool { bottom < 0 }
    var width: Int { right - left + 1 }
    var height: Int { bottom - top + 1 }
    var longerSide: Int { max(width, height) }

    /// The bounding box of the content if every row of it reaches from the left to the right side,
    /// within one pixel; nil otherwise.
    var rectangle: PixelRect? {
        guard !isEmpty else { return nil }
        let isFull = rows[top...bottom].allSatisfy { row in
            row.map { $0.lowerBound <= left + 1 && $0.upperBound >= right - 1 } ?? false
        }
        return isFull ? PixelRect(x: left, y: top, width: width, height: height) : nil
    }

    var middle: (x: Double, y: Double) {
        (Double(left + right + 1) / 2, Double(top + bottom + 1) / 2)
    }

    var centroid: (x: Double, y: Double) {
        guard mass > 0 else { return middle }
        return (Double(massX) / Double(2 * mass), Double(massY) / Double(2 * mass))
    }

    /// Returns the largest scale, in emblem heights per pixel, at which all content keeps the
    /// distance `inset` from the round outline.
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
