import Codecs
import Raster
import Theming

package enum EmblemWidth: String, CaseIterable, Hashable, Sendable {
    case square
    /// The picture's width at the content's height, at least the emblem's height and at most four
    /// times that.
    case auto
}

/// The rule for drawing a picture in the foreground colour instead of its own colours.
package enum TintRule: String, CaseIterable, Hashable, Sendable {
    /// Built-in icons and SVG templates are tinted, raster pictures never.
    case auto
    case always
    case never
}

/// The measures, rules and colours with which an emblem is drawn.
package struct EmblemStyle: Hashable, Sendable {
    package var heightPoints: Double
    package var radiusPoints: Double
    /// Pixels per point.
    package var scale: Double
    package var width: EmblemWidth
    package var corner: CornerStyle
    package var borderPoints: Double
    /// Whether a thin line marks the edge of an emblem without a border.
    package var hasHairline = false
    /// The distance of the content from every edge, or from the border.
    package var paddingPoints: Double
    /// Additional padding in pixels, found per picture for the padding rule `safe`.
    package var safePixels = 0
    /// The size of a fitted picture as a share of the largest size that fits; ignored if `mode` is
    /// `.fill`.
    package var contentScale = 1.0
    /// The position of one picture in the content box; used only if `mode` is `.fit`.
    package var place: PicturePlace?
    /// Whether small pictures of few colours keep narrow edges when they are enlarged. The
    /// enlargement of tiny pictures is then limited.
    package var enlargesSharply = false
    package var mode: ContentMode
    /// The part that stays visible if `mode` is `.fill`; ignored if there is a `focus`.
    package var gravity = Gravity.auto
    package var focus: FocusPoint?
    /// Whether pictures smaller than their box are enlarged; vectors count with their declared
    /// size.
    package var upscale: Bool
    package var tint: TintRule
    package var colors: EmblemColors
    package private(set) var isAvatar = false
    /// The side of the box for built-in icons, as a share of the height.
    package var iconShare = 0.5
    /// The background while a picture is loading; nil takes that of the finished picture.
    var loadingBackground: Color?

    package init(
        heightPoints: Double, radiusPoints: Double, scale: Double = 1,
        width: EmblemWidth = .square, corner: CornerStyle = .circular, borderPoints: Double = 0,
        paddingPoints: Double = 0, mode: ContentMode = .fit, upscale: Bool = true,
        tint: TintRule = .auto, colors: EmblemColors
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
        self.tint = tint
        self.colors = colors
    }

    /// The style of a layout and an appearance in a theme, with defaults for all other values.
    package init(
        _ layout: ComponentLayout, theme: Theme, appearance: EmblemAppearance = .brand,
        scheme: ColorScheme = .light, scale: Double = 1
    ) {
        let height = theme.height(of: layout)
        let colors = theme.emblemColors(appearance, scheme)
        switch layout.component {
        case .emblem:
            var named = EmblemLayout.allCases.first { theme.height(of: $0) == height }
            if case .emblem(let own) = layout { named = own }
            // A square with the height of a layout has the radius of that layout.
            self.init(
                heightPoints: height,
                radiusPoints: named.map { theme.radius(of: $0) } ?? height / 4, scale: scale,
                colors: colors)
        case .avatar:
            // The mask limits the radius to half the side, so the shape is a circle even after
            // rounding to pixels.
            self.init(
                heightPoints: height, radiusPoints: height, scale: scale, mode: .fill,
                colors: theme.avatarColors(appearance, scheme))
            isAvatar = true
            // The bright background of initials would make a list brighter while it loads.
            loadingBackground = colors.background
            // An icon in a circle may be larger, since an avatar has no other content.
            iconShare = 0.6
        }
    }
}

extension EmblemStyle {
    /// The theme's border colour. If that equals the background and would be invisible, the
    /// foreground colour at two fifths of its alpha, over the background.
    package var borderColor: Color {
        guard colors.border == colors.background else { return colors.border }
        var line = colors.foreground
        line.alpha = UInt8(Int(line.alpha) * 2 / 5)
        return line.over(colors.background)
    }
}

extension EmblemStyle {
    /// The lines along the edge: the border, or the hairline.
    var edgeLine: (width: Double, color: Color) {
        if borderPoints > 0 { return (borderPoints * scale, borderColor) }
        guard hasHairline else { return (0, .clear) }
        var color = colors.background.relativeLuminance > 0.5 ? Color.black : Color.white
        color.alpha = color == .black ? 40 : 64
        return (max(1, (scale / 2).rounded(.down)), color)
    }

    package static let widestAspect = 4

    /// The limit of all pixel sizes; more than any layout needs at any scale.
    package static let highestPixels = 16_384

    /// The share of the emblem's height to which tiny pictures are enlarged, and the limit of their
    /// factor.
    private static let tinyShare = 0.55
    private static let mostTinyFactor = 3.5

    /// Converts points to whole pixels: 40 points at scale 1.5 are 60 pixels.
    package func pixels(_ points: Double) -> Int {
        let value = (points * scale + 0.5).rounded(.down)
        return value > 0 ? Int(min(value, Double(Self.highestPixels))) : 0
    }

    /// The style with one point per pixel; styles that are equal in this form give the same pixels.
    package var inPixels: EmblemStyle {
        var style = self
        style.heightPoints *= scale
        style.radiusPoints *= scale
        style.borderPoints *= scale
        style.paddingPoints *= scale
        // Without `upscale`, the largest size of a small picture depends on the scale, which
        // therefore stays.
        if upscale { style.scale = 1 }
        return style
    }

    /// The height in pixels, at least one.
    package var height: Int { max(1, pixels(heightPoints)) }

    /// The width of the border in whole pixels, rounded up.
    var borderPixels: Int {
        let value = (borderPoints * scale).rounded(.up)
        return value > 0 ? Int(min(value, Double(Self.highestPixels))) : 0
    }

    /// Border and padding in pixels, limited so that the content has at least one pixel.
    package var inset: Int { min(leastInset + max(0, safePixels), (height - 1) / 2) }

    private var leastInset: Int { borderPixels + pixels(paddingPoints) }

    /// The side of the box for built-in icons in pixels.
    package var iconSide: Int {
        if iconShare == 0.5 { return max(1, (height + 1) / 2) }
        // The side has the parity of the height, so that the icon is centred exactly.
        let side = Int((Double(height) * iconShare).rounded(.down))
        return max(1, (height - side).isMultiple(of: 2) ? side : side + 1)
    }

    /// The size of an emblem whose content does not decide it, such as an icon.
    package var plainCanvas: PixelSize { PixelSize(width: height, height: height) }

    /// Returns the size of the emblem for a picture of this exact size.
    package func canvas(for source: (width: Double, height: Double)) -> PixelSize {
        guard width == .auto, source.width > 0, source.height > 0,
            source.width.isFinite, source.height.isFinite
        else { return plainCanvas }
        let content = Double(height - 2 * inset)
        let wide = (content * (source.width / source.height) + 0.5).rounded(.down)
        let most = height * Self.widestAspect
        // Compared as floating point first, because the quotient may exceed the range of an
        // integer.
        guard wide < Double(most) else { return PixelSize(width: most, height: height) }
        return PixelSize(width: min(most, max(height, Int(wide) + 2 * inset)), height: height)
    }

    /// Returns the placement of a picture of this exact size in the content box; add `inset` for
    /// the position on the canvas. Without `upscale` a raster picture has at most one point per
    /// pixel; drawings may always grow.
    package func placement(
        of source: (width: Double, height: Double), isDrawing: Bool = false
    ) -> Placement {
        var largest = upscale || isDrawing ? .infinity : scale
        let longer = max(source.width, source.height)
        if enlargesSharply, !isDrawing, longer > 0, longer < Enlargement.tinySide {
            let factor = min(Self.tinyShare * Double(height) / longer, Self.mostTinyFactor)
            largest = min(largest, max(Enlargement.tinyFactor, factor))
        }
        if let place, mode == .fit {
            return Placement(
                source: source, canvas: box(for: source), place: place, largestFactor: largest)
        }
        return Placement(
            source: source, canvas: box(for: source), mode: mode,
            largestFactor: min(largest, scaledFactor(of: source)), focus: focus(of: source))
    }

    private func focus(of source: (width: Double, height: Double)) -> FocusPoint {
        if let focus { return focus }
        return switch gravity {
        case .auto: isAvatar && source.height > source.width ? Self.faceOfPortrait : .center
        case .center, .attention: .center
        case .top: FocusPoint(x: 0.5, y: 0)
        case .bottom: FocusPoint(x: 0.5, y: 1)
        case .left: FocusPoint(x: 0, y: 0.5)
        case .right: FocusPoint(x: 1, y: 0.5)
        }
    }

    /// Faces are in the upper part of most portraits.
    private static let faceOfPortrait = FocusPoint(x: 0.5, y: 1 / 3.0)

    /// Returns the style with the focus that `gravity` finds in a picture.
    func focused(on pixels: borrowing PixelBuffer, of source: (width: Double, height: Double))
        -> EmblemStyle
    {
        guard gravity == .attention, mode == .fill, focus == nil else { return self }
        let placement = placement(of: source)
        var style = self
        style.focus = .attention(
            pixels,
            shown: (
                Double(placement.visible.width) / Double(placement.scaled.width),
                Double(placement.visible.height) / Double(placement.scaled.height)
            ))
        return style
    }

    /// Returns the size of the emblem without its insets, for a picture of this exact size.
    package func box(for source: (width: Double, height: Double)) -> PixelSize {
        let canvas = canvas(for: source)
        return PixelSize(width: canvas.width - 2 * inset, height: canvas.height - 2 * inset)
    }

    /// Returns the scaling limit given by `contentScale`, computed without `safePixels`.
    private func scaledFactor(of source: (width: Double, height: Double)) -> Double {
        guard contentScale < 1, mode == .fit else { return .infinity }
        var plain = self
        plain.safePixels = 0
        return contentScale
            * Placement.factor(of: source, canvas: plain.box(for: source), mode: .fit)
    }

    /// Returns the size to which `fit` will scale a picture of this exact size. A decoder need not
    /// return more pixels.
    package func neededSize(
        for source: (width: Double, height: Double), isDrawing: Bool = false
    ) -> PixelSize {
        placement(of: source, isDrawing: isDrawing).scaled
    }
}

extension EmblemStyle {
    /// The size of initials as a share of the height.
    package static let initialsShare = InitialsText.sizeShare
}
