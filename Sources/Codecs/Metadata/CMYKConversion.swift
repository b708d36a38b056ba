/// CMYK without a profile: each ink takes its share of the light that the others leave.
enum CMYKConversion {
    /// Turns stored "light left" values into amounts of ink, or back.
    @unsafe
    static func invert(_ pixels: UnsafeMutablePointer<UInt8>, pixelCount: Int) {
        for index in 0..<pixelCount * 4 {
            unsafe pixels[index] = ~pixels[index]
        }
    }

    /// Amounts of ink to opaque RGBA, in place.
    @unsafe
    static func convert(_ pixels: UnsafeMutablePointer<UInt8>, pixelCount: Int) {
        for index in 0..<pixelCount {
            let pixel = unsafe pixels + index * 4
            let light = unsafe 255 - UInt32(pixel[3])
            for channel in 0..<3 {
                let product = unsafe (255 - UInt32(pixel[channel])) * light + 128
                unsafe pixel[channel] = UInt8(truncatingIfNeeded: (product + product >> 8) >> 8)
            }
            unsafe pixel[3] = 255
        }
    }
}
