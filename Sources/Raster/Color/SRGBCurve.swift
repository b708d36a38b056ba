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
