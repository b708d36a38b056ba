import Codecs
import Raster
import System
import Theming

/// Draws emblems in two steps that are timed separately: `fit` scales the content, `finish` adds
/// background, border and corners.
///
/// Thread-safe; one instance serves a whole run.
package struct EmblemArtwork: Sendable {
    package let masks: MaskCache
    struct BadgeKey: Hashable {
        let badge: Badge
        let style: BadgeStyle
    }

    /// The drawn badges; most items of a batch have the same badge.
    let badges = BoundedCache<BadgeKey, SketchPicture>(countLimit: 128)

    package init(masks: MaskCache = MaskCache()) {
        self.masks = masks
    }

    /// Scales a picture to its size in `style`; vectors are drawn at exactly that size.
    ///
    /// `sourceSize` is the size before decoding, needed if the decoder returned fewer pixels; nil
    /// takes the picture's own size.
    package func fit(
        _ picture: borrowing Picture, sourceSize: (width: Double, height: Double)? = nil,
        _ style: EmblemStyle
    ) throws(ArtworkError) -> FittedPicture {
        var scaled = ScaledPictures(keepsResults: false)
        return try fit(picture, sourceSize: sourceSize, style, scaled: &scaled)
    }

    /// Scales a picture like `fit` without `scaled`, and reuses results for other styles of the
    /// same picture.
    package func fit(
        _ picture: borrowing Picture, sourceSize: (width: Double, height: Double)? = nil,
        _ style: EmblemStyle, scaled: inout ScaledPictures
    ) throws(ArtworkError) -> FittedPicture {
        switch picture {
        case .raster(let pixels):
            return fit(pixels, sourceSize: sourceSize, style, scaled: &scaled)
        case .vector(let drawing):
            return try fit(drawing, style)
        }
    }

    private func fit(
        _ pixels: borrowing PixelBuffer, sourceSize: (width: Double, height: Double)?,
        _ style: EmblemStyle, scaled: inout ScaledPictures
    ) -> FittedPicture {
        let upright = pixels.pendingOrientation.upright(pixels.size)
        let source = sourceSize ?? (Double(upright.width), Double(upright.height))
        let style = style.focused(on: pixels, of: source)
        let placement = style.placement(of: source)
        let fitted = scaled.picture(placement.scaled, visible: placement.visible) {
            let plain = Resampler()
                .scale(pixels, to: placement.scaled, visible: placement.visible)
            guard style.enlargesSharply, Enlargement.isFlat(pixels) else { return plain }
            let factor = Double(placement.scaled.width) / source.width
            return Enlargement.sharpened(plain, by: Int(min(factor, 100) * 1000))
        }
        return FittedPicture(
            pixels: fitted, canvas: style.canvas(for: source), x: placement.x + style.inset,
            y: placement.y + style.inset, kind: .raster)
    }

    private func fit(
        _ drawing: borrowing VectorPicture, _ style: EmblemStyle
    ) throws(ArtworkError) -> FittedPicture {
        let source = drawing.shownSize
        let placement = style.placement(of: source, isDrawing: true)
        return FittedPicture(
            pixels: try Self.render(
                drawing, at: placement.scaled, visible: placement.visible),
            canvas: style.canvas(for: source), x: placement.x + style.inset,
            y: placement.y + style.inset,
            kind: drawing.isTemplate ? .template : .drawing)
    }

    /// Draws a built-in icon in a centred box of half the emblem's height, independent of the
    /// padding.
    package func icon(
        _ icon: BuiltInIcon, _ style: EmblemStyle
    ) throws(ArtworkError) -> FittedPicture {
        let (side, canvas) = (style.iconSide, style.plainCanvas)
        let drawing = try rethrowing(icon.picture(), as: ArtworkError.drawing)
        return FittedPicture(
            pixels: try Self.render(drawing, at: PixelSize(width: side, height: side)),
            canvas: canvas, x: (canvas.width - side) / 2, y: (canvas.height - side) / 2,
            kind: .template)
    }

    /// Draws at most two characters in the middle of an emblem. The text size is proportional
    /// to the height of the emblem. With a badge, the characters move away from it, and are smaller
    /// if they would not be whole otherwise.
    package func initials(
        _ initials: Initials, _ style: EmblemStyle,
        beside badge: (mark: BadgeMark, style: BadgeStyle)? = nil
    ) throws(ArtworkError) -> FittedPicture {
        let canvas = style.plainCanvas
        let text = InitialsText(initials)
        let room = badge.map { badge in
            let unit = badge.style.scale
            return InitialsRoom(
                beside: badge.mark, badge.style,
                on: (Double(canvas.width) / unit, Double(canvas.height) / unit),
                radius: style.radiusPoints * style.scale / unit, unit: unit)
        }
        let pixels = try text.draw(on: canvas, style.colors.foreground, in: room)
        return FittedPicture(
            pixels: pixels, canvas: canvas, x: 0, y: 0, kind: text.hasEmoji ? .coloredText : .text)
    }

    /// Returns whether the fonts lack a character of `initials`. It would be drawn as a box, so an
    /// icon is used instead.
    package func lacksGlyphs(for initials: Initials) throws(ArtworkError) -> Bool {
        try InitialsText(initials).lacksGlyphs()
    }

    private static func render(
        _ drawing: borrowing VectorPicture, at size: PixelSize, visible: PixelRect? = nil
    ) throws(ArtworkError) -> PixelBuffer {
        try rethrowing(
            drawing.render(at: size, visible: visible), as: ArtworkError.drawing)
    }
}

extension EmblemArtwork {
    /// Puts fitted content on its background, with border and rounded corners.
    package func finish(_ fitted: consuming FittedPicture, _ style: EmblemStyle) -> PixelBuffer {
        let (size, x, y, kind) = (fitted.canvas, fitted.x, fitted.y, fitted.kind)
        var content = fitted.pixels
        if style.tint.applies(to: kind) { content.tint(style.colors.foreground) }
        var canvas = Self.composed(content, on: size, x: x, y: y, style)
        let radius = style.radiusPoints * style.scale
        let line = style.edgeLine
        if line.width > 0 {
            canvas.paint(
                line.color,
                outside: masks.mask(size, radius: radius, style: style.corner, inset: line.width))
        }
        canvas.mask(by: masks.mask(size, radius: radius, style: style.corner))
        return canvas
    }

    private static func composed(
        _ content: consuming PixelBuffer, on size: PixelSize, x: Int, y: Int, _ style: EmblemStyle
    ) -> PixelBuffer {
        // Opaque content of the full size hides the background.
        if content.isOpaque && content.size == size { return content }
        var canvas = PixelBuffer(unwritten: size)
        canvas.fill(style.colors.background)
        canvas.draw(content, x: x, y: y)
        return canvas
    }
}

/// The corner masks of a run, computed once and shared by all threads.
///
/// A run uses a few sizes, except with `--width auto`, where each picture can have its own.
package final class MaskCache: Sendable {
    package static let countLimit = 512

    private struct Key: Hashable {
        var size: PixelSize
        var radius: Double
        var style: CornerStyle
        var inset: Double
    }

    private let masks = BoundedCache<Key, CornerMask>(countLimit: countLimit)

    package init() {}

    package func mask(
        _ size: PixelSize, radius: Double, style: CornerStyle, inset: Double = 0
    ) -> CornerMask {
        masks.value(for: Key(size: size, radius: radius, style: style, inset: inset)) {
            CornerMask(size: size, radius: radius, style: style, inset: inset)
        }
    }
}
