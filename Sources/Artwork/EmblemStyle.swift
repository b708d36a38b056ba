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
