extension PixelBuffer {
    /// Multiplies every pixel's colour by its alpha; for a decoder that was given straight ones.
    package mutating func premultiply() {
        guard !isOpaque else { return }
        let count = size.area
        unsafe withUnsafeMutablePixels { pixels in
            _ = unsafe Premultiplication.row(pixels, result: pixels, count: count)
        }
    }

    /// Looks at every alpha and sets `isOpaque` to what is so.
    package mutating func refreshOpacity() {
        let count = size.area
        isOpaque = unsafe withUnsafeWords { words in
            let opaque = UInt32(littleEndian: 0xFF00_0000)
            // In blocks: a picture with alpha shows it early, and a block has no branch inside.
            var index = 0
            while index < count {
                let end = min(index + 256, count)
                var all = opaque
                while index < end {
                    all &= unsafe words[index]
                    index += 1
                }
                if all & opaque != opaque { return false }
            }
            return true
        }
    }

    /// Replaces every colour by `color` and keeps the shape: alpha is multiplied by the colour's.
    package mutating func tint(_ color: Color) {
        // One entry for each alpha: a tint is then a look-up a pixel.
        var table: [UInt32] = []
        table.reserveCapacity(256)
        for alpha in UInt8.min...UInt8.max {
            var shade = color
            shade.alpha = product255(alpha, color.alpha)
            table.append(shade.premultiplied.word)
        }
        let count = size.area
        unsafe withUnsafeMutableWords { words in
            unsafe table.withUnsafeBufferPointer { shades in
                for index in 0..<count {
                    let alpha = unsafe UInt32(littleEndian: words[index]) >> 24
                    unsafe words[index] = shades[Int(alpha)]
                }
            }
        }
        isOpaque = isOpaque && color.alpha == 255
    }
}
