/// The transfer curve of sRGB, computed with IEEE's exact operations only.
///
/// `pow` of the C library may differ in its last bit from one processor to the next.
enum SRGBCurve {
    /// The light of each of the 256 values, 0 to 1.
    static let light: [Double] = (0...255).map { value in
        let encoded = Double(value) / 255
        guard encoded > 0.04045 else { return encoded / 12.92 }
        let base = (encoded + 0.055) / 1.055
        return base * base * fifthRoot(base * base)
    }

    static func linear(_ value: UInt8) -> Double { light[Int(value)] }

    /// The fifth root of a value in 0...1, by Newton's method from above.
    private static func fifthRoot(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        var root = 1.0
        // From 1 the estimate falls by at most a fifth a step; 64 steps settle every double here.
        for _ in 0..<64 {
            root -= (root - value / (root * root * root * root)) / 5
        }
        return root
    }
}
