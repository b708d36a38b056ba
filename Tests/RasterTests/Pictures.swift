import Raster
import System

enum Pictures {
    /// Makes a picture from a function of straight colours, stored premultiplied.
    static func make(
        _ width: Int, _ height: Int, opaque: Bool = false, _ color: (Int, Int) -> Color
    ) -> PixelBuffer {
        var picture = PixelBuffer(size: PixelSize(width: width, height: height))
        var pixels = picture.mutablePixels
        for y in 0..<height {
            for x in 0..<width {
                set(color(x, y).premultiplied, &pixels, at: y * width + x)
            }
        }
        picture.isOpaque = opaque
        return picture
    }

    private static func set(_ color: Color, _ pixels: inout MutableSpan<UInt8>, at index: Int) {
        pixels[index * 4] = color.red
        pixels[index * 4 + 1] = color.green
        pixels[index * 4 + 2] = color.blue
        pixels[index * 4 + 3] = color.alpha
    }

    static func noise(_ width: Int, _ height: Int, seed: UInt64, opaque: Bool = false)
        -> PixelBuffer
    {
        var random = SeededRandom(seed: seed)
        return make(width, height, opaque: opaque) { _, _ in
            let bits = random.next()
            let kind = (bits >> 40) & 3
            let alpha = opaque || kind == 0 ? 255 : kind == 1 ? 0 : UInt8(bits >> 24 & 255)
            return Color(
                red: UInt8(bits & 255), green: UInt8(bits >> 8 & 255),
                blue: UInt8(bits >> 16 & 255), alpha: alpha)
        }
    }

    static func bytes(_ picture: borrowing PixelBuffer) -> [UInt8] {
        let pixels = picture.pixels
        return (0..<pixels.count).map { pixels[$0] }
    }

    /// Returns one pixel as stored: premultiplied.
    static func pixel(_ picture: borrowing PixelBuffer, _ x: Int, _ y: Int) -> Color {
        let pixels = picture.pixels
        let index = (y * picture.width + x) * 4
        return Color(
            red: pixels[index], green: pixels[index + 1], blue: pixels[index + 2],
            alpha: pixels[index + 3])
    }
}
