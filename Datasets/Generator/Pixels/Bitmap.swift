/// A picture in memory: rows of straight RGBA.
struct Bitmap: Sendable {
    let width: Int
    let height: Int
    var bytes: [UInt8]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        bytes = [UInt8](repeating: 0, count: width * height * 4)
    }

    /// Returns the picture over a colour, opaque.
    func over(red: UInt8, green: UInt8, blue: UInt8) -> Bitmap {
        var result = self
        let matte = [Int(red), Int(green), Int(blue)]
        for index in stride(from: 0, to: bytes.count, by: 4) {
            let alpha = Int(bytes[index + 3])
            if alpha == 255 { continue }
            for channel in 0..<3 {
                let mixed = Int(bytes[index + channel]) * alpha + matte[channel] * (255 - alpha)
                result.bytes[index + channel] = UInt8((mixed + 127) / 255)
            }
            result.bytes[index + 3] = 255
        }
        return result
    }

    /// Returns the picture with another colour in its invisible pixels.
    func hiding(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Bitmap {
        var result = self
        for index in stride(from: 0, to: bytes.count, by: 4) where bytes[index + 3] == 0 {
            result.bytes[index] = red
            result.bytes[index + 1] = green
            result.bytes[index + 2] = blue
        }
        return result
    }

    func grey() -> Bitmap {
        var result = self
        for index in stride(from: 0, to: bytes.count, by: 4) {
            let sum =
                Int(bytes[index]) * 77 + Int(bytes[index + 1]) * 150 + Int(bytes[index + 2]) * 29
            let value = UInt8((sum + 128) >> 8)
            result.bytes[index] = value
            result.bytes[index + 1] = value
            result.bytes[index + 2] = value
        }
        return result
    }

    func framed(margin: Int, red: UInt8, green: UInt8, blue: UInt8) -> Bitmap {
        var page = Bitmap(width: width + margin * 2, height: height + margin * 2)
        for index in stride(from: 0, to: page.bytes.count, by: 4) {
            page.bytes[index] = red
            page.bytes[index + 1] = green
            page.bytes[index + 2] = blue
            page.bytes[index + 3] = 255
        }
        let flat = over(red: red, green: green, blue: blue)
        for y in 0..<height {
            let target = ((y + margin) * page.width + margin) * 4
            let source = y * width * 4
            page.bytes.replaceSubrange(
                target..<(target + width * 4), with: flat.bytes[source..<(source + width * 4)])
        }
        return page
    }

    /// Returns the pixels as a camera stores them for an EXIF orientation; applying the orientation
    /// gives this picture back.
    func stored(forOrientation orientation: Int) -> Bitmap {
        if orientation <= 1 || orientation > 8 { return self }
        let turned = orientation >= 5
        var result = Bitmap(width: turned ? height : width, height: turned ? width : height)
        for y in 0..<result.height {
            for x in 0..<result.width {
                let from: (x: Int, y: Int) =
                    switch orientation {
                    case 2: (width - 1 - x, y)
                    case 3: (width - 1 - x, height - 1 - y)
                    case 4: (x, height - 1 - y)
                    case 5: (y, x)
                    case 6: (result.height - 1 - y, x)
                    case 7: (result.height - 1 - y, result.width - 1 - x)
                    default: (y, result.width - 1 - x)
                    }
                let source = (from.y * width + from.x) * 4
                let target = (y * result.width + x) * 4
                for channel in 0..<4 {
                    result.bytes[target + channel] = bytes[source + channel]
                }
            }
        }
        return result
    }
}
