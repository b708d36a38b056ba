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
        let pill = try badges.picture(of: badge, style)
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

extension FittedPicture {
    /// Moves initials away from the badge that will be drawn over their emblem, if it would cover a
    /// part of them. Other content stays where it is.
    package mutating func keepClear(of mark: BadgeMark, _ style: BadgeStyle) {
        guard kind == .text || kind == .coloredText, let ink = pixels.visibleBounds else { return }
        let badge = mark.badge.fitting(on: Double(canvas.height) / style.scale)
        let rows = Double(y + ink.y)...Double(y + ink.y + ink.height)
        let shift = mark.corner.shift(
            of: rows, from: badge.band(style) * style.scale, in: Double(canvas.height))
        y += Int(shift.rounded())
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

extension BadgeCorner {
    /// Returns the vertical distance by which content in `rows` must move to leave a badge's rows
    /// of the height `band`, as far as the canvas allows.
    fileprivate func shift(
        of rows: ClosedRange<Double>, from band: Double, in height: Double
    ) -> Double {
        // One part of 24 stays free at the far edge, which is round on an avatar.
        let edge = height / 24
        if isBottom {
            return min(0, max(height - band - rows.upperBound, edge - rows.lowerBound))
        }
        return max(0, min(band - rows.lowerBound, height - edge - rows.upperBound))
    }
}

extension Sketch {
    /// Draws a badge over a corner. A drawing cannot be cut, so the ring has the colour of the
    /// surface.
    package mutating func lay(
        _ mark: BadgeMark, in theme: Theme, _ scheme: ColorScheme
    ) throws(ArtworkError) {
        let style = BadgeStyle(
            mark.badge.appearance, on: (width, height), theme: theme, scheme: scheme)
        let badge = mark.badge.fitting(on: height)
        let band = badge.band(style)
        for (index, part) in marks.enumerated() {
            guard case .text(let block, _, let y, _) = part, let line = block.lines.first else {
                continue
            }
            let ink = try ShapedText.use(line.text, style: block.style) { $0.ink }
            let top = y + line.baseline + ink.y
            move(index, down: mark.corner.shift(of: top...top + ink.height, from: band, in: height))
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

/// A cache of drawn badges; most items of a batch have the same badge.
package final class BadgeCache: Sendable {
    private struct Key: Hashable {
        let badge: Badge
        let style: BadgeStyle
    }

    private let pictures = BoundedCache<Key, SketchPicture>(countLimit: 128)

    package init() {}

    func picture(of badge: Badge, _ style: BadgeStyle) throws(ArtworkError) -> SketchPicture {
        try pictures.value(for: Key(badge: badge, style: style)) { () throws(ArtworkError) in
            SketchPicture(try badge.sketch(style).pixels(scale: style.scale))
        }
    }
}
