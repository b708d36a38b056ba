import Raster

extension BMPLayout {
    /// The profile that a long header embeds, or one made of the primaries and the exponent that it
    /// names; `nil` where the pixels are sRGB or a file elsewhere is meant.
    func profile(_ reader: ByteReader, limits: DecodeLimits) -> ColorProfile? {
        guard header.count >= 108, let kind = reader.little32(header.lowerBound + 56) else {
            return nil
        }
        switch kind {
        case fourCC("MBED") where header.count >= 124:
            guard let offset = reader.little32(header.lowerBound + 112),
                let length = reader.little32(header.lowerBound + 116), length > 0,
                header.lowerBound + offset + length <= reader.count
            else { return nil }
            let start = header.lowerBound + offset
            let profile = ColorProfile(
                reader.bytes.extracting(start..<start + length), bytesLimit: limits.profileBytes)
            return profile?.model == .rgb ? profile : nil
        case 0: return calibrated(reader)
        default: return nil
        }
    }

    /// Brings straight pixels to sRGB.
    func convert(_ buffer: inout PixelBuffer, _ reader: ByteReader, limits: DecodeLimits) {
        guard let transform = profile(reader, limits: limits)?.transform() else { return }
        var pixels = buffer.mutablePixels
        transform.convert(&pixels)
    }

    /// Three primaries as parts of one and the exponents of three channels. Many writers leave all of
    /// it zero and mean sRGB; some write the exponent of the way back, which is below one.
    private func calibrated(_ reader: ByteReader) -> ColorProfile? {
        func point(_ index: Int) -> (Double, Double)? {
            let parts = (0..<3).map { part -> Double in
                let raw = reader.little32(header.lowerBound + 60 + index * 12 + part * 4) ?? 0
                return Double(raw) / Double(1 << 30)
            }
            let sum = parts[0] + parts[1] + parts[2]
            return abs(sum - 1) < 0.01 && parts[1] > 0.001 ? (parts[0] / sum, parts[1] / sum) : nil
        }
        let exponents = (0..<3).map {
            Double(reader.little32(header.lowerBound + 96 + $0 * 4) ?? 0) / 65_536
        }
        guard let red = point(0), let green = point(1), let blue = point(2),
            let exponent = exponents.first, (0.2...5).contains(exponent),
            exponents.allSatisfy({ abs($0 - exponent) < 0.01 })
        else { return nil }
        return ColorProfile(
            primaries: (red, green, blue), exponent: exponent < 1 ? 1 / exponent : exponent)
    }
}
