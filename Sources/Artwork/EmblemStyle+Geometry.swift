import Raster

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
