/// Conversion of pixels to linear light and back: premultiplied, 0 to 16,320 (255 steps of 64).
///
/// Colours are divided by alpha in sRGB values, converted by a table, and multiplied by alpha
/// again. At full alpha the darkest sRGB values are five units apart.
enum LinearLight {
    static let maximum = 16_320

    /// The linear light of each sRGB value.
    static let light: [Int16] = SRGBCurve.light.map {
        Int16(($0 * Double(maximum) + 0.5).rounded(.down))
    }

    /// The sRGB value nearest to each linear-light value, measured in linear light.
    static let value: [UInt8] = {
        var value = 0
        return (0...maximum).map { light in
            while value < 255,
                SRGBCurve.light[value] + SRGBCurve.light[value + 1] < Double(light) / 8160
            {
                value += 1
            }
            return UInt8(value)
        }
    }()

    /// Returns the light of one premultiplied pixel: red, green, blue, alpha.
    @inline(__always)
    static func light(
        of pixel: UnsafePointer<UInt8>, _ table: UnsafePointer<Int16>
    ) -> SIMD4<Int32> {
        let alpha = unsafe Int32(pixel[3])
        guard alpha > 0 else { return .zero }
        var result = SIMD4<Int32>(0, 0, 0, alpha * 64)
        for channel in 0..<3 {
            let shown = unsafe Int32(pixel[channel])
            if alpha == 255 {
                result[channel] = unsafe Int32(table[Int(shown)])
            } else {
                let straight = min(255, (shown * 255 + alpha / 2) / alpha)
                let bright = unsafe Int32(table[Int(straight)])
                result[channel] = (bright * alpha + 127) / 255
            }
        }
        return result
    }

    /// Converts a row of premultiplied pixels to linear light.
    static func read(
        _ pixels: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<Int16>, count: Int
    ) {
        unsafe light.withUnsafeBufferPointer { table in
            guard let table = table.baseAddress else { return }
            for index in 0..<count {
                let bright = unsafe light(of: pixels + index * 4, table)
                let shown = SIMD4<Int16>(truncatingIfNeeded: bright)
                unsafe UnsafeMutableRawPointer(target + index * 4).storeBytes(
                    of: shown, as: SIMD4<Int16>.self)
            }
        }
    }

    @inline(__always)
    static func store(
        _ light: UnsafePointer<Int16>, _ table: UnsafePointer<UInt8>,
        into pixel: UnsafeMutablePointer<UInt8>
    ) {
        let alpha = unsafe min(Int32(maximum), max(0, Int32(light[3])))
        let shown = UInt8(truncatingIfNeeded: (alpha + 32) >> 6)
        for channel in 0..<3 {
            let bright = unsafe min(alpha, max(0, Int32(light[channel])))
            let straight = alpha > 0 ? (bright * Int32(maximum) + alpha / 2) / alpha : 0
            unsafe pixel[channel] = product255(table[Int(straight)], shown)
        }
        unsafe pixel[3] = shown
    }
}

/// The transfer curve of sRGB, computed with exact IEEE operations only, because the last bit of
/// the C library's `pow` may differ between processors.
enum SRGBCurve {
    /// The linear light, 0 to 1, of each 8-bit sRGB value.
    static let light: [Double] = (0...255).map { value in
        let encoded = Double(value) / 255
        guard encoded > 0.04045 else { return encoded / 12.92 }
        let base = (encoded + 0.055) / 1.055
        return base * base * fifthRoot(base * base)
    }

    static func linear(_ value: UInt8) -> Double { light[Int(value)] }

    private static func fifthRoot(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        var root = 1.0
        // From 1 the estimate falls by at most a fifth per step; 64 steps are enough for every
        // value of the table.
        for _ in 0..<64 {
            root -= (root - value / (root * root * root * root)) / 5
        }
        return root
    }
}
