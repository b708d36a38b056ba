import Raster
import System
import Theming

extension EmblemArtwork {
    package func badge(
        _ badge: Badge, _ style: BadgeStyle
    ) throws(ArtworkError) -> PixelBuffer {
        try badge.sketch(style).pixels(scale: style.scale)
    }

    /// Draws a badge over a corner of the finished canvas and cuts a ring around it out of the
    /// canvas, so that the badge is distinct from every picture.
    package func lay(
        _ mark: BadgeMark, _ style: BadgeStyle, over canvas: inout PixelBuffer
    ) throws(ArtworkError) {
        let badge = mark.badge.fitting(on: Double(canvas.height) / style.scale)
        let key = BadgeKey(badge: badge, style: style)
        let pill = try badges.value(for: key) { () throws(ArtworkError) in
            SketchPicture(try self.badge(badge, style))
        }
        let size = pill.pixels.size
        let x = mark.corner.isRight ? canvas.width - size.width : 0
        let y = mark.corner.isBottom ? canvas.height - size.height : 0
        let ring = Int((style.ring * style.scale + 0.5).rounded(.down))
        if ring > 0 {
            let hole = PixelSize(width: size.width + 2 * ring, height: size.height + 2 * ring)
            let mask = masks.mask(
                hole, radius: Double(hole.height) / 2, style: .circular)
            canvas.erase(mask, x: x - ring, y: y - ring)
        }
        canvas.draw(pill.pixels, x: x, y: y)
    }
}

extension Badge {
    /// Returns the height of the badge and of the ring at its inner side, in points; both are
    /// rounded up to whole pixels.
    fileprivate func band(_ style: BadgeStyle) -> Double {
        let height = isDot ? style.dotSide : style.height
        let pixels = (height * style.scale).rounded(.up) + (style.ring * style.scale).rounded(.up)
        return pixels / style.scale
    }
}

/// The part of a component that a badge leaves free for initials. All lengths have one unit.
struct InitialsRoom {
    /// Whether the initials are below the badge.
    let isBelow: Bool
    private let rows: ClosedRange<Double>
    private let width: Double
    private let radius: Double
    private let height: Double
    /// The space between the initials and the edge of the component.
    private let edge: Double

    /// Creates the room on a component of this size in points; `unit` is the number of units per
    /// point.
    init(
        beside mark: BadgeMark, _ style: BadgeStyle, on size: (width: Double, height: Double),
        radius: Double, unit: Double = 1
    ) {
        isBelow = !mark.corner.isBottom
        width = size.width * unit
        height = size.height * unit
        edge = height / 24
        self.radius = min(radius * unit, width / 2, height / 2)
        let band = min(mark.badge.fitting(on: size.height).band(style) * unit, height - edge)
        rows = isBelow ? band...height - edge : edge...max(edge, height - band)
    }

    /// The factors by which initials may shrink, from the largest.
    private static let factors = stride(from: 1.0, to: 0.4, by: -0.02)

    /// Returns the factor by which initials must shrink so that the badge covers no part of them
    /// and the rounded corners cut none, and the upper edge of their ink. They move as little as
    /// possible.
    func place(_ ink: ShapedText.Ink, top: Double) -> (factor: Double, top: Double) {
        var place = (factor: 1.0, top: top)
        for factor in Self.factors {
            let inkHeight = ink.height * factor
            let middle = top + ink.height / 2
            let highest = max(rows.lowerBound, rows.upperBound - inkHeight)
            place = (factor, min(max(middle - inkHeight / 2, rows.lowerBound), highest))
            let bottom = place.top + inkHeight
            let isInside = [place.top, height - bottom].allSatisfy { depth in
                ink.width * factor / 2 <= halfWidth(at: depth - edge)
            }
            if bottom <= rows.upperBound, isInside { break }
        }
        return place
    }

    /// Returns half the width of the component, without its edge, at this distance from its upper
    /// or lower edge.
    private func halfWidth(at depth: Double) -> Double {
        let (half, radius) = (width / 2 - edge, max(0, radius - edge))
        guard depth < radius else { return half }
        let rise = radius - max(0, depth)
        return half - radius + (radius * radius - rise * rise).squareRoot()
    }
}

extension Sketch {
    /// Draws a badge over a corner of a component with corners of this `radius`. A drawing cannot
    /// be cut, so the ring has the colour of the surface.
    package mutating func lay(
        _ mark: BadgeMark, in theme: Theme, _ scheme: ColorScheme, radius: Double
    ) throws(ArtworkError) {
        let style = BadgeStyle(
            mark.badge.appearance, on: (width, height), theme: theme, scheme: scheme)
        let badge = mark.badge.fitting(on: height)
        let room = InitialsRoom(beside: mark, style, on: (width, height), radius: radius)
        for (index, part) in marks.enumerated() {
            guard case .text(let block, let x, let y, let color) = part,
                let line = block.lines.first
            else { continue }
            let ink = try ShapedText.use(line.text, style: block.style) { $0.ink }
            let place = room.place(ink, top: y + line.baseline + ink.y)
            let style = TextStyle(
                size: block.style.size * place.factor, weight: block.style.weight)
            let small = try TextBlock(line.text, style: style, alignment: block.alignment)
            let baseline = place.top - ink.y * place.factor
            replace(
                index,
                with: .text(
                    small, x: x + (block.width - small.width) / 2,
                    y: baseline - (small.lines.first?.baseline ?? 0), color))
        }
        let pill = try badge.sketch(style)
        let x = mark.corner.isRight ? width - pill.width : 0
        let y = mark.corner.isBottom ? height - pill.height : 0
        if style.ring > 0, let surface = theme.color("theme.color.background.surface", scheme) {
            let edge = Box(
                x: x, y: y, width: pill.width, height: pill.height, radius: pill.height / 2)
            add(.fill(edge.inset(by: -style.ring), surface))
        }
        add(pill, x: x, y: y)
    }
}
