import Raster

/// The layout of the rows of an uncompressed device-independent bitmap, in a BMP file or inside an
/// icon.
struct BMPLayout {
    var size = PixelSize(width: 0, height: 0)
    var isTopDown = false
    /// The bits per pixel.
    var bits = 0
    /// The position of the colour table, with four bytes per entry; empty if there is none.
    var colors: Range<Int> = 0..<0
    /// The offset of the first row in the data.
    var pixelsStart = 0
    /// The position of the bitmap header.
    private(set) var header: Range<Int> = 0..<0

    /// Reads the header at `start`. In an icon, the height includes the mask, and the pixels follow
    /// the colour table. In a file, the field at byte 10 gives the offset of the pixels.
    init(
        _ reader: borrowing ByteReader, at start: Int, isIcon: Bool, limits: DecodeLimits
    ) throws(DecodeError) {
        guard let headerSize = reader.little32(start) else { throw .truncated }
        switch headerSize {
        case 40...124: break
        case 12, 16, 64: throw .unsupported("a bitmap of OS/2")
        default: throw .corrupt("a bitmap header of invalid length")
        }
        guard let width = reader.little32(start + 4), let rawHeight = reader.little32(start + 8),
            let depth = reader.little16(start + 14), let compression = reader.little32(start + 16),
            let used = reader.little32(start + 32)
        else { throw .truncated }
        let height = Int(Int32(truncatingIfNeeded: rawHeight))
        isTopDown = height < 0
        size = PixelSize(width: Int(Int32(truncatingIfNeeded: width)), height: abs(height))
        bits = depth
        switch compression {
        case 0: break
        case 1, 2: throw .unsupported("a bitmap with run-length encoding")
        case 3, 6: throw .unsupported("a bitmap with bit fields")
        default: throw .unsupported("a bitmap with the compression method \(compression)")
        }
        header = start..<start + headerSize
        if isIcon { size.height /= 2 }
        try limits.check(size)
        guard [1, 2, 4, 8, 16, 24, 32].contains(bits) else {
            throw .unsupported("a bitmap of \(bits) bits per pixel")
        }
        let tableStart = start + headerSize
        var count = 0
        if bits <= 8 {
            count = used == 0 || used > 1 << bits ? 1 << bits : used
        }
        colors = tableStart..<tableStart + count * 4
        pixelsStart = colors.upperBound
        // In bitmaps of more than 8 bits per pixel, a colour table may also precede the pixels. It
        // is only a suggestion and is skipped.
        if bits > 8, used > 0, used <= 1 << 16 { pixelsStart += used * 4 }
        // An offset that leaves no room for the first colour is wrong; the pixels then follow the
        // colours.
        if !isIcon, let offset = reader.little32(start - 4), offset > start, offset < reader.count,
            count == 0 || offset >= tableStart + 4
        {
            pixelsStart = offset
            colors = tableStart..<min(colors.upperBound, max(tableStart, offset))
        }
        guard colors.upperBound <= reader.count else { throw .truncated }
    }

    /// The bytes in a row of pixels, padded to a multiple of four.
    var bytesPerRow: Int { (size.width * bits + 31) / 32 * 4 }
}

extension BMPLayout {
    /// Returns the profile that a long header embeds, or one made from its primaries and gamma.
    /// Returns `nil` if the pixels are sRGB or the profile is in another file.
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

    /// Converts straight pixels to sRGB, if the bitmap has a profile.
    func convert(_ buffer: inout PixelBuffer, _ reader: ByteReader, limits: DecodeLimits) {
        guard let transform = profile(reader, limits: limits)?.transform() else { return }
        var pixels = buffer.mutablePixels
        transform.convert(&pixels)
    }

    /// Reads three primaries and the gamma of each channel. Many writers leave these fields zero
    /// and mean sRGB. Some write the inverse gamma, which is below one.
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
