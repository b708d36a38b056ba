/// A rectangle with rounded corners, as the share of each pixel's area that lies inside.
///
/// Only partly covered pixels of the upper left quarter are stored; the other quarters are mirror
/// images. The cost of applying a mask therefore depends on its corners and inset, not on its area.
package struct CornerMask: Sendable {
    package let size: PixelSize
    package let radius: Double
    package let inset: Double

    /// The rows of the upper half that differ from the middle rows, from the top, followed by one
    /// row for all rows in between.
    let rows: [Row]
    let coverages: [UInt8]

    /// The left half of a row: `count` pixels whose coverages begin at `coverages[first]`, then
    /// pixels of coverage `interior` up to the middle.
    struct Row {
        var first: Int
        var count: Int
        var interior: UInt8
    }

    /// Makes a mask for a picture of `size`. `inset` moves the shape inwards, for the inner edge of
    /// a border, and reduces the radius by the same length.
    ///
    /// This takes tens of microseconds: make a mask once per shape and reuse it. Radius and inset
    /// may be fractions. Both are limited to half of the shorter side; anything but a positive
    /// number counts as 0.
    package init(size: PixelSize, radius: Double, style: CornerStyle, inset: Double = 0) {
        precondition(size.width > 0 && size.height > 0, "A mask has at least one pixel.")
        let half = Double(min(size.width, size.height)) / 2
        self.size = size
        self.inset = inset > 0 ? min(inset, half) : 0
        let outer = radius > 0 ? min(radius, half) : 0
        self.radius = max(0, outer - self.inset)

        let curve = CornerCurve(style: style, radius: self.radius, limit: half - self.inset)
        let corner = self.inset + curve.reach
        let quarter = Quarter(size: size, inset: self.inset, corner: corner, curve: curve)
        (rows, coverages) = quarter.rows()
    }

    /// Whether the mask covers every pixel fully.
    package var isFull: Bool { radius == 0 && inset == 0 }

    /// Returns the coverage of one pixel, 0 (outside) to 255 (inside).
    package func coverage(x: Int, y: Int) -> UInt8 {
        precondition(
            x >= 0 && x < size.width && y >= 0 && y < size.height, "The pixel lies in the mask.")
        let row = row(at: y)
        let column = min(x, size.width - 1 - x)
        return column < row.count ? coverages[row.first + column] : row.interior
    }

    func row(at y: Int) -> Row {
        rows[min(min(y, size.height - 1 - y), rows.count - 1)]
    }
}

/// Computes the upper left quarter of a mask.
private struct Quarter {
    let size: PixelSize
    let inset: Double
    let corner: Double
    let curve: CornerCurve

    func rows() -> (rows: [CornerMask.Row], coverages: [UInt8]) {
        var rows: [CornerMask.Row] = []
        var coverages: [UInt8] = []
        let height = min(Int(corner.rounded(.up)), (size.height + 1) / 2)
        let width = min(Int(corner.rounded(.up)), (size.width + 1) / 2)
        let shorter = min(size.width, size.height)
        // The row after the corner's last one describes the straight sides below.
        for y in 0...height {
            let vertical = y < height ? range(y, of: size.height) : (corner, corner + 1, 1)
            let rowEdge = edge(vertical)
            var row = CornerMask.Row(first: coverages.count, count: 0, interior: rowEdge)
            for x in 0..<width {
                let value =
                    x < y && 2 * (y + 1) <= shorter && y < min(width, height)
                    ? mirrored(rows[x], y, coverages)
                    : coverage(range(x, of: size.width), vertical)
                coverages.append(value)
                if value != rowEdge { row.count = x + 1 }
            }
            coverages.removeLast(coverages.count - row.first - row.count)
            rows.append(row)
        }
        return (rows, coverages)
    }

    /// Returns the coverage of the pixel mirrored at the diagonal, from an earlier row.
    private func mirrored(_ row: CornerMask.Row, _ column: Int, _ coverages: [UInt8]) -> UInt8 {
        column < row.count ? coverages[row.first + column] : row.interior
    }

    /// Returns the start, end and weight of a pixel along one axis of its quarter. The middle pixel
    /// of an odd side is half in each quarter, so its weight is 2.
    private func range(_ index: Int, of length: Int) -> (Double, Double, Double) {
        let start = Double(index)
        let middle = Double(length) / 2
        return start + 1 > middle ? (start, middle, 2) : (start, start + 1, 1)
    }

    /// Returns the coverage of a pixel of this extent, far from any corner.
    private func edge(_ extent: (Double, Double, Double)) -> UInt8 {
        let length = max(0, extent.1 - max(extent.0, inset))
        return UInt8((min(1, length * extent.2) * 255 + 0.5).rounded(.down))
    }

    private func coverage(
        _ across: (Double, Double, Double), _ down: (Double, Double, Double)
    ) -> UInt8 {
        // The distances that `CornerCurve` expects; they are negative where the edge is straight.
        let u = (corner - across.1)...(corner - across.0)
        let v = (corner - down.1)...(corner - down.0)
        let share = curve.area(u, v) * across.2 * down.2
        return UInt8((min(1, max(0, share)) * 255 + 0.5).rounded(.down))
    }
}

package enum CornerStyle: String, CaseIterable, Sendable {
    case circular
    /// A corner whose curvature changes continuously: the curve |u|³ + |v|³ = e³.
    ///
    /// The reach e is chosen so that the curve meets the diagonal at the same point as a circle of
    /// the same radius. On short sides the reach is limited to half of the side.
    case continuous
}

extension CornerMask {
    /// Returns whether the mask cuts a visible pixel of a picture whose corner is at `x`, `y`.
    package func cuts(_ picture: borrowing PixelBuffer, x: Int, y: Int) -> Bool {
        let pixels = picture.pixels
        let stride = picture.width
        func cuts(_ column: Int, _ row: Int) -> Bool {
            pixels[(row * stride + column) * 4 + 3] >= Legibility.leastAlpha
                && coverage(x: x + column, y: y + row) < 255
        }
        for row in 0..<picture.height {
            let edge = self.row(at: y + row)
            // Pixels between `left` and `right` are uncut, unless the whole row is cut.
            let isCut = edge.interior < 255
            let left = isCut ? stride : edge.count - x
            let right = isCut ? stride : size.width - edge.count - x
            for column in 0..<max(0, min(stride, left)) where cuts(column, row) { return true }
            for column in max(0, right)..<max(stride, right) where cuts(column, row) { return true }
        }
        return false
    }

    /// The least inset, in pixels, at which the mask cuts nothing off a rectangle with sharp
    /// corners.
    package var safeInset: Int {
        let half = min(size.width, size.height) / 2
        return (0..<half).first { coverage(x: $0, y: $0) == 255 } ?? half
    }
}

extension PixelBuffer {
    package mutating func mask(by mask: CornerMask) {
        precondition(mask.size == size, "A mask has the size of its picture.")
        guard !mask.isFull else { return }
        unsafe touch(mask) { pixel, coverage in
            let word = unsafe UInt32(littleEndian: pixel.pointee)
            unsafe pixel.pointee = UInt32(littleEndian: scaled(word, by: UInt32(coverage)))
        }
        isOpaque = false
    }

    /// Draws `color` over the pixels outside `mask`; on the mask's edge, in proportion to the
    /// uncovered part. With an inset mask this paints a border.
    package mutating func paint(_ color: Color, outside mask: CornerMask) {
        precondition(mask.size == size, "A mask has the size of its picture.")
        guard !mask.isFull, color.alpha > 0 else { return }
        // The premultiplied colour to draw, by coverage.
        let fronts = (UInt8.min...UInt8.max).map { coverage in
            var front = color
            front.alpha = product255(color.alpha, 255 - coverage)
            return UInt32(littleEndian: front.premultiplied.word)
        }
        unsafe touch(mask) { pixel, coverage in
            let front = fronts[Int(coverage)]
            let back = unsafe scaled(
                UInt32(littleEndian: pixel.pointee), by: 255 - (front >> 24))
            unsafe pixel.pointee = UInt32(littleEndian: saturatingSum(front, back))
        }
    }

    /// Calls `body` for every pixel that `mask` does not cover fully.
    @inline(__always)
    private mutating func touch(
        _ mask: CornerMask, _ body: (UnsafeMutablePointer<UInt32>, UInt8) -> Void
    ) {
        let (width, height) = (self.width, self.height)
        unsafe withUnsafeMutableWords { words in
            for y in 0..<height {
                let row = mask.row(at: y)
                let line = unsafe words + y * width
                for index in 0..<row.count {
                    let coverage = mask.coverages[row.first + index]
                    unsafe body(line + index, coverage)
                    let mirrored = width - 1 - index
                    if mirrored > index { unsafe body(line + mirrored, coverage) }
                }
                if row.interior < 255 && row.count < width - row.count {
                    for x in row.count..<(width - row.count) {
                        unsafe body(line + x, row.interior)
                    }
                }
            }
        }
    }
}

/// The curve of a corner, within a square of side `reach`: v falls from `reach` to 0 as u goes from
/// 0 to `reach`. Both are distances from the square's innermost point, towards the edges of the
/// shape.
///
/// Only exact IEEE operations are used, so that a mask is the same on every processor.
private struct CornerCurve {
    let style: CornerStyle
    /// The length along each edge, in pixels.
    let reach: Double

    init(style: CornerStyle, radius: Double, limit: Double) {
        self.style = style
        let wanted = style == .circular ? radius : radius * CornerCurve.continuousReach
        reach = min(wanted, limit)
    }

    /// The reach of a continuous corner as a multiple of its radius, (1 - √½) / (1 - ∛½). With it
    /// both styles cross the diagonal at the same point.
    static let continuousReach = (1 - 0.5.squareRoot()) / (1 - cubeRoot(0.5))

    /// Returns the curve's height at `u`. The function is its own inverse.
    func height(at u: Double) -> Double {
        guard u > 0 else { return reach }
        guard u < reach else { return 0 }
        switch style {
        case .circular:
            return ((reach - u) * (reach + u)).squareRoot()
        case .continuous:
            let share = u / reach
            return reach * CornerCurve.cubeRoot(1 - share * share * share)
        }
    }

    /// Returns the area of the part of the box u × v that lies under the curve.
    ///
    /// Exchanging the two ranges gives the same result to the last bit.
    func area(_ u: ClosedRange<Double>, _ v: ClosedRange<Double>) -> Double {
        if (v.lowerBound, v.upperBound) < (u.lowerBound, u.upperBound) { return area(v, u) }
        let top = min(v.upperBound, reach)
        let right = min(u.upperBound, reach)
        guard top > v.lowerBound, right > u.lowerBound else { return 0 }

        // Left of `full` the curve is above the box, right of `empty` below it.
        let full = min(max(height(at: top), u.lowerBound), right)
        let empty = min(max(height(at: v.lowerBound), full), right)
        var sum = (full - u.lowerBound) * (top - v.lowerBound)
        guard empty > full else { return sum }
        // Each interval is half as long as the one before, because a circle falls steeply at its
        // outer end.
        var start = full
        for _ in 0..<8 {
            let end = (start + empty) / 2
            sum += integral(from: start, to: end, above: v.lowerBound)
            start = end
        }
        return sum + integral(from: start, to: empty, above: v.lowerBound)
    }

    /// Gauss-Legendre quadrature with three points.
    private func integral(from start: Double, to end: Double, above floor: Double) -> Double {
        let middle = (start + end) / 2
        let half = (end - start) / 2
        let offset = half * 0.6.squareRoot()
        let outer = height(at: middle - offset) + height(at: middle + offset) - 2 * floor
        return half * (outer * 5 + (height(at: middle) - floor) * 8) / 9
    }

    static func cubeRoot(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        var root = 1.0
        while true {
            let next = root - (root - value / (root * root)) / 3
            // The estimates fall from above until rounding stops them.
            guard next < root else { return root }
            root = next
        }
    }
}
