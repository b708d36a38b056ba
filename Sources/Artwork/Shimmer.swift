import Codecs
import Raster
import Theming

/// The placeholder of a picture that is still loading: its background with a light that moves from
/// one corner to the opposite one.
package struct Shimmer: Sendable {
    /// The number of frames in a round, which takes 1.4 seconds.
    package static let frameCount = 28
    package static let frameMilliseconds = 50

    private let size: PixelSize
    private let background: Color
    private let highlight: Color
    private let mask: CornerMask
    private let border: (color: Color, mask: CornerMask)?

    /// The shimmer of an emblem in this style, with the same pixel size and shape.
    package init(_ style: EmblemStyle, scheme: ColorScheme) {
        size = style.plainCanvas
        background = style.loadingBackground ?? style.colors.background
        highlight = Self.lit(background, by: scheme == .light ? 191 : 36)
        let radius = style.radiusPoints * style.scale
        mask = CornerMask(size: size, radius: radius, style: style.corner)
        let width = style.borderPoints * style.scale
        border =
            width > 0
            ? (
                style.borderColor,
                CornerMask(size: size, radius: radius, style: style.corner, inset: width)
            ) : nil
    }

    /// Returns the colour mixed with `share`/255 of white; pale backgrounds need more white than
    /// dark backgrounds.
    private static func lit(_ color: Color, by share: UInt8) -> Color {
        var light = Color(red: 255, green: 255, blue: 255, alpha: share).over(
            Color(red: color.red, green: color.green, blue: color.blue))
        light.alpha = color.alpha
        return light
    }

    /// Returns a frame; the sequence repeats. Frame 0 has no light and is shown to readers who
    /// prefer reduced motion.
    package func frame(_ index: Int) -> PixelBuffer {
        let shades = shades(ofFrame: index)
        var pixels = PixelBuffer(unwritten: size)
        var bytes = pixels.mutablePixels
        var offset = 0
        for y in 0..<size.height {
            for x in 0..<size.width {
                // Shades change along the diagonal only.
                let shade = shades[x + y]
                bytes[offset] = shade.red
                bytes[offset + 1] = shade.green
                bytes[offset + 2] = shade.blue
                bytes[offset + 3] = shade.alpha
                offset += 4
            }
        }
        pixels.isOpaque = background.alpha == 255
        if let border { pixels.paint(border.color, outside: border.mask) }
        pixels.mask(by: mask)
        return pixels
    }

    package var frames: AnimationEncoder.Frames {
        AnimationEncoder.Frames(
            size: size, count: Self.frameCount, milliseconds: Self.frameMilliseconds
        ) { frame($0) }
    }

    private func shades(ofFrame index: Int) -> [Color] {
        let count = size.width + size.height - 1
        let length = Double(count + 1)
        // The light covers three fifths of the diagonal and begins and ends outside.
        let half = length * 0.3
        let phase = index % Self.frameCount
        let middle =
            Double(max(0, phase)) / Double(Self.frameCount) * (length + 2 * half) - half
        return (0..<count).map { diagonal in
            let distance = (Double(diagonal + 1) - middle) / half
            let slope = 1 - distance * distance
            // Only exact operations, so that every processor draws the same.
            let share = slope > 0 ? slope * slope : 0
            func mix(_ from: UInt8, _ to: UInt8) -> UInt8 {
                let value = Double(from) + (Double(to) - Double(from)) * share
                return UInt8(min(255, max(0, value.rounded())))
            }
            return Color(
                red: mix(background.red, highlight.red),
                green: mix(background.green, highlight.green),
                blue: mix(background.blue, highlight.blue), alpha: background.alpha
            ).premultiplied
        }
    }
}
