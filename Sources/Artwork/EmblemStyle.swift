import Codecs
import Raster
import Theming

/// How wide an emblem is.
package enum EmblemWidth: String, CaseIterable, Hashable, Sendable {
    /// As wide as high.
    case square
    /// As wide as the picture at the content's height, but no narrower than high and no wider than
    /// four times that.
    case auto
}

/// When a picture is drawn in the foreground colour, its own colours given up.
package enum TintRule: String, CaseIterable, Hashable, Sendable {
    /// Built-in icons and SVG templates are tinted, raster pictures never.
    case auto
    case always
    case never
}

/// Everything that decides how content becomes one emblem.
package struct EmblemStyle: Hashable, Sendable {
    package var heightPoints: Double
    package var radiusPoints: Double
    /// Pixels a point.
    package var scale: Double
    package var width: EmblemWidth
    package var corner: CornerStyle
    package var borderPoints: Double
    /// The distance of the content from every edge, or from the border.
    package var paddingPoints: Double
    /// Pixels of padding on top of that, found for one picture.
    package var safePixels = 0
    /// The part of what fits that a picture takes: 1 is all of it. What fills does not know it.
    package var contentScale = 1.0
    /// The place of one picture in the content box; used only if `mode` is `.fit`.
    package var place: PicturePlace?
    /// Small pictures of few colours keep narrow edges when enlarged, and tiny pictures are enlarged
    /// to at most twice their size.
    package var enlargesSharply = false
    package var mode: ContentMode
    /// Pictures smaller than their box are enlarged; vectors count with the size they declare.
    package var upscale: Bool
    /// Resampling works in linear light.
    package var linear: Bool
    package var tint: TintRule
    package var colors: EmblemColors
    /// The side of the box in which built-in icons stand, in heights.
    package var iconShare = 0.5
    /// What drawings that ask for it are told of their surroundings.
    package var drawingScheme = DrawingScheme.light

    package init(
        heightPoints: Double, radiusPoints: Double, scale: Double = 1,
        width: EmblemWidth = .square, corner: CornerStyle = .circular, borderPoints: Double = 0,
        paddingPoints: Double = 0, mode: ContentMode = .fit, upscale: Bool = true,
        linear: Bool = false, tint: TintRule = .auto, colors: EmblemColors
    ) {
        self.heightPoints = heightPoints
        self.radiusPoints = radiusPoints
        self.scale = scale
        self.width = width
        self.corner = corner
        self.borderPoints = borderPoints
        self.paddingPoints = paddingPoints
        self.mode = mode
        self.upscale = upscale
        self.linear = linear
        self.tint = tint
        self.colors = colors
    }

    /// The style of a layout and an appearance in a theme, everything else by default.
    package init(
        theme: Theme, layout: EmblemLayout, appearance: EmblemAppearance = .brand,
        scheme: ColorScheme = .light, scale: Double = 1
    ) {
        self.init(
            heightPoints: theme.height(of: layout), radiusPoints: theme.radius(of: layout),
            scale: scale, colors: theme.emblemColors(appearance, scheme))
        drawingScheme = DrawingScheme(scheme)
    }

    /// The style of an avatar: a circle that the picture fills.
    package init(
        avatar layout: AvatarLayout, theme: Theme, appearance: EmblemAppearance = .brand,
        scheme: ColorScheme = .light, scale: Double = 1
    ) {
        // A mask ends its radius at half the side: a circle even where pixels were rounded.
        let side = theme.side(of: layout)
        self.init(
            heightPoints: side, radiusPoints: side, scale: scale, mode: .fill,
            colors: theme.avatarColors(appearance, scheme))
        // A circle leaves an icon less room than a square, but nothing else stands in it.
        iconShare = 0.6
        drawingScheme = DrawingScheme(scheme)
    }

    /// The style of any component's layout.
    package init(
        _ layout: ComponentLayout, theme: Theme, appearance: EmblemAppearance = .brand,
        scheme: ColorScheme = .light, scale: Double = 1
    ) {
        switch layout {
        case .emblem(let layout):
            self.init(
                theme: theme, layout: layout, appearance: appearance, scheme: scheme, scale: scale)
        case .avatar(let layout):
            self.init(
                avatar: layout, theme: theme, appearance: appearance, scheme: scheme, scale: scale)
        }
    }
}

extension EmblemStyle {
    /// The theme's colour of the border; where that is the background's own and would not be seen, two
    /// fifths of the foreground over the background.
    package var borderColor: Color {
        guard colors.border == colors.background else { return colors.border }
        var line = colors.foreground
        line.alpha = UInt8(Int(line.alpha) * 2 / 5)
        return line.over(colors.background)
    }
}

extension DrawingScheme {
    /// The scheme of the theme's colours that stand around a drawing.
    init(_ scheme: ColorScheme) {
        self = scheme == .dark ? .dark : .light
    }
}

extension EmblemStyle {
    /// The greatest width of an emblem, in heights.
    package static let widestAspect = 4

    /// More than any layout at any scale; what a caller asks beyond it ends here.
    package static let highestPixels = 16_384

    /// Points in whole pixels: 40 at 1.5 are 60.
    package func pixels(_ points: Double) -> Int {
        let value = (points * scale + 0.5).rounded(.down)
        return value > 0 ? Int(min(value, Double(Self.highestPixels))) : 0
    }

    /// The same with a pixel as its point: styles that are equal so give the same pixels.
    package var inPixels: EmblemStyle {
        var style = self
        style.heightPoints *= scale
        style.radiusPoints *= scale
        style.borderPoints *= scale
        style.paddingPoints *= scale
        // How large a small picture may become is a matter of points.
        if upscale { style.scale = 1 }
        return style
    }

    /// The emblem's height in pixels, at least one.
    package var height: Int { max(1, pixels(heightPoints)) }

    /// The border in whole pixels; content begins behind them.
    var borderPixels: Int {
        let value = (borderPoints * scale).rounded(.up)
        return value > 0 ? Int(min(value, Double(Self.highestPixels))) : 0
    }

    /// Border and padding in pixels, small enough to leave the content a pixel.
    package var inset: Int { min(leastInset + max(0, safePixels), (height - 1) / 2) }

    /// The same without what one picture alone asks for.
    private var leastInset: Int { borderPixels + pixels(paddingPoints) }

    /// The side of the box in which built-in icons stand, half of an emblem's height.
    package var iconSide: Int {
        if iconShare == 0.5 { return max(1, (height + 1) / 2) }
        // As even or odd as the height, so that the icon stands in the middle of the pixels.
        let side = Int((Double(height) * iconShare).rounded(.down))
        return max(1, (height - side).isMultiple(of: 2) ? side : side + 1)
    }

    /// The size of the emblem that a picture of this exact size becomes.
    package func canvas(for source: (width: Double, height: Double)) -> PixelSize {
        guard width == .auto, source.width > 0, source.height > 0,
            source.width.isFinite, source.height.isFinite
        else { return PixelSize(width: height, height: height) }
        let content = Double(height - 2 * inset)
        let wide = (content * (source.width / source.height) + 0.5).rounded(.down)
        let most = height * Self.widestAspect
        // Compared before it is turned into an integer: the quotient can be anything.
        guard wide < Double(most) else { return PixelSize(width: most, height: height) }
        return PixelSize(width: min(most, max(height, Int(wide) + 2 * inset)), height: height)
    }

    /// Where a picture of this exact size lies in the content box, which is the canvas without its
    /// inset; to be moved by `inset` both ways. Without `upscale` a raster picture has no more
    /// points than pixels; drawings have no size of their own to keep.
    package func placement(
        of source: (width: Double, height: Double), isDrawing: Bool = false
    ) -> Placement {
        var largest = upscale || isDrawing ? .infinity : scale
        if enlargesSharply, !isDrawing, max(source.width, source.height) < Enlargement.tinySide {
            largest = min(largest, Enlargement.tinyFactor)
        }
        if let place, mode == .fit {
            return Placement(
                source: source, canvas: box(for: source), place: place, largestFactor: largest)
        }
        return Placement(
            source: source, canvas: box(for: source), mode: mode,
            largestFactor: min(largest, scaledFactor(of: source)))
    }

    /// The canvas without border and padding.
    package func box(for source: (width: Double, height: Double)) -> PixelSize {
        let canvas = canvas(for: source)
        return PixelSize(width: canvas.width - 2 * inset, height: canvas.height - 2 * inset)
    }

    /// The factor that `contentScale` leaves of the one that fits, wherever the corners lie.
    private func scaledFactor(of source: (width: Double, height: Double)) -> Double {
        guard contentScale < 1, mode == .fit else { return .infinity }
        var plain = self
        plain.safePixels = 0
        return contentScale
            * Placement.factor(of: source, canvas: plain.box(for: source), mode: .fit)
    }

    /// The size to which `fit` will scale a picture of this exact size: a decoder need not return
    /// more pixels.
    package func neededSize(
        for source: (width: Double, height: Double), isDrawing: Bool = false
    ) -> PixelSize {
        placement(of: source, isDrawing: isDrawing).scaled
    }
}
