import Raster

/// A rectangle in points, with optional rounded corners.
package struct Box: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double
    /// The corner radius. Drawing limits it to half of the shorter side, so that a square with a
    /// larger radius is a circle.
    package var radius: Double
    package var corner: CornerStyle

    package init(
        x: Double, y: Double, width: Double, height: Double, radius: Double = 0,
        corner: CornerStyle = .circular
    ) {
        self.x = x
        self.y = y
        self.width = max(0, width)
        self.height = max(0, height)
        self.radius = max(0, radius)
        self.corner = corner
    }

    package init(center x: Double, _ y: Double, radius: Double) {
        self.init(
            x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius, radius: radius)
    }

    /// Returns the box reduced by `distance` on every side, with concentric corners.
    package func inset(by distance: Double) -> Box {
        Box(
            x: x + distance, y: y + distance, width: width - 2 * distance,
            height: height - 2 * distance, radius: radius - distance, corner: corner)
    }

    package func moved(x: Double, y: Double) -> Box {
        var box = self
        box.x += x
        box.y += y
        return box
    }

    /// Returns the largest centred box with this aspect ratio.
    package func fitting(_ width: Double, _ height: Double) -> Box {
        guard width > 0, height > 0, width.isFinite, height.isFinite else { return self }
        let scale = min(self.width / width, self.height / height)
        let (wide, high) = (width * scale, height * scale)
        return Box(
            x: x + (self.width - wide) / 2, y: y + (self.height - high) / 2, width: wide,
            height: high)
    }

    /// The radius of circular corners as it is drawn.
    var roundness: Double { min(radius, min(width, height) / 2) }

    var isCircle: Bool { corner == .circular && width == height && radius * 2 >= width }

    struct Point: Hashable {
        var x: Double
        var y: Double
    }

    enum Step: Hashable {
        case move(Point)
        case line(Point)
        case curve(Point, Point, Point)
        case close
    }

    /// The outline, clockwise from the left end of the upper edge.
    var outline: [Step] {
        let reach =
            corner == .circular
            ? roundness : min(radius * Self.continuousReach, min(width, height) / 2)
        guard reach > 0 else {
            return [
                .move(Point(x: x, y: y)), .line(Point(x: x + width, y: y)),
                .line(Point(x: x + width, y: y + height)), .line(Point(x: x, y: y + height)),
                .close,
            ]
        }
        let quarter = corner == .circular ? Self.circle : Self.continuous
        let (right, bottom) = (x + width, y + height)
        // Each corner: its start, the direction of its edge and of the next edge.
        let corners = [
            (Point(x: right - reach, y: y), Point(x: 1, y: 0), Point(x: 0, y: 1)),
            (Point(x: right, y: bottom - reach), Point(x: 0, y: 1), Point(x: -1, y: 0)),
            (Point(x: x + reach, y: bottom), Point(x: -1, y: 0), Point(x: 0, y: -1)),
            (Point(x: x, y: y + reach), Point(x: 0, y: -1), Point(x: 1, y: 0)),
        ]
        var steps: [Step] = [.move(Point(x: x + reach, y: y))]
        for (start, along, next) in corners {
            func point(_ share: Point) -> Point {
                Point(
                    x: start.x + reach * (along.x * share.x + next.x * share.y),
                    y: start.y + reach * (along.y * share.x + next.y * share.y))
            }
            steps.append(.line(start))
            for (first, second, end) in quarter {
                steps.append(.curve(point(first), point(second), point(end)))
            }
        }
        return steps + [.close]
    }

    /// ∛½, the coordinate at which the continuous curve meets the diagonal.
    private static let diagonal = 0.793_700_525_984_1

    /// The reach of a continuous corner in radii: it meets the diagonal where the circle does, as
    /// in `CornerCurve`.
    private static let continuousReach = (1 - 0.5.squareRoot()) / (1 - diagonal)

    /// A quarter of the unit circle as one cubic Bézier curve, with an error below 0.0003.
    private static let circle: [(Point, Point, Point)] = {
        let handle = 0.551_915_024_494
        return [(Point(x: handle, y: 0), Point(x: 1, y: 1 - handle), Point(x: 1, y: 1))]
    }()

    /// The curve |u|³ + |v|³ = 1 in the same coordinates as `circle`: two cubics that meet on the
    /// diagonal.
    private static let continuous: [(Point, Point, Point)] = {
        // On the diagonal u = v = ∛½ the curve runs at 45 degrees. The fitted handles have an error
        // below 0.001.
        let middle = diagonal
        let (flat, steep) = (0.2593, 0.2095)
        return [
            (
                Point(x: flat, y: 0), Point(x: middle - steep, y: 1 - middle - steep),
                Point(x: middle, y: 1 - middle)
            ),
            (
                Point(x: middle + steep, y: 1 - middle + steep), Point(x: 1, y: 1 - flat),
                Point(x: 1, y: 1)
            ),
        ]
    }()
}
