import Raster

/// A picture described by bytes: two for the width, two for the height, one for the kind, one for
/// the size limit, then its content.
struct PictureDraft {
    let size: PixelSize
    let manner: UInt8
    private let content: [UInt8]

    /// Limits each side to 2,048. Most pictures have at most 16,384 pixels, so that inputs are
    /// fast; a sixteenth may use the whole limit.
    init(_ bytes: [UInt8], pixelsLimit: Int) {
        func number(_ index: Int) -> Int { index < bytes.count ? Int(bytes[index]) : 0 }
        let width = 1 + (number(0) | number(1) << 8) % 2048
        let height = 1 + (number(2) | number(3) << 8) % 2048
        let room = number(5) < 240 ? 16_384 >> (number(5) % 8) : pixelsLimit
        size = PixelSize(width: width, height: min(height, max(1, room / width)))
        manner = UInt8(number(4))
        content = bytes.count > 6 ? Array(bytes[6...]) : [0]
    }

    /// Returns an opaque picture: the repeated content, or runs of colours of any length, or noise
    /// with the content as seed.
    func picture() -> PixelBuffer {
        var picture = PixelBuffer(size: size)
        var pixels = picture.mutablePixels
        let kind = content[0] & 3
        var (index, left) = (0, 0)
        var noise = UInt32(content.count)
        for byte in content { noise = noise &* 31 &+ UInt32(byte) }
        var color: [UInt8] = [0, 0, 0]
        for pixel in 0..<size.area {
            if kind < 2 || left == 0 {
                for channel in 0..<3 { color[channel] = content[(index + channel) % content.count] }
                // Runs end both at block borders and within blocks.
                left = kind == 2 ? 1 + Int(content[(index + 3) % content.count]) : 1
                index += kind == 2 ? 4 : 3
            }
            if kind == 3 {
                for channel in 0..<3 {
                    noise = noise &* 1_664_525 &+ 1_013_904_223
                    color[channel] = UInt8(noise >> 24)
                }
            }
            left -= 1
            for channel in 0..<3 { pixels[pixel * 4 + channel] = color[channel] }
            pixels[pixel * 4 + 3] = 255
        }
        picture.isOpaque = true
        return picture
    }

    /// Returns an alpha mask of runs, mirrored vertically unless the kind is odd.
    func mask() -> PixelBuffer {
        var mask = PixelBuffer(size: size)
        var pixels = mask.mutablePixels
        let (width, height) = (size.width, size.height)
        var (index, left) = (0, 0)
        var value: UInt8 = 0
        for y in 0..<(manner & 1 == 0 ? (height + 1) / 2 : height) {
            for x in 0..<width {
                if left == 0 {
                    value = content[index % content.count]
                    let length = Int(content[(index + 1) % content.count])
                    left = 1 + (manner & 2 == 0 ? length : length * width / 64)
                    index += 2
                }
                left -= 1
                pixels[(y * width + x) * 4 + 3] = value
                if manner & 1 == 0 { pixels[((height - 1 - y) * width + x) * 4 + 3] = value }
            }
        }
        return mask
    }
}
