import Raster

extension ImageFormat {
    package static let bmp = ImageFormat(
        "bmp", fileExtensions: ["bmp", "dib"], reader: CodecName("emblem"),
        recognizes: { bytes in
            let reader = ByteReader(bytes)
            guard reader.holds("BM", at: 0), let size = reader.little32(14) else { return false }
            return [12, 16, 40, 52, 56, 64, 108, 124].contains(size)
        },
        header: BMPDecoder.header,
        memoryCost: { header, _ in BMPDecoder.memoryCost(of: header) },
        decode: { bytes, _, request throws(DecodeError) in
            .raster(try BMPDecoder.decode(bytes, request: request))
        })

    /// The largest image of an icon or a cursor.
    package static let ico = ImageFormat(
        "ico", fileExtensions: ["ico", "cur"], reader: CodecName("emblem"),
        recognizes: { bytes in
            let kind = ByteReader(bytes).big32(0)
            return kind == 0x0000_0100 || kind == 0x0000_0200 && !TargaHeader.begins(bytes)
        },
        header: ICODecoder.header,
        memoryCost: { header, _ in BMPDecoder.memoryCost(of: header) },
        decode: { bytes, _, request throws(DecodeError) in
            .raster(try ICODecoder.decode(bytes, request: request))
        })
}

/// Reads uncompressed Windows bitmaps of 1 to 32 bits per pixel. The fourth channel of a bitmap of
/// 32 bits has no meaning.
package enum BMPDecoder {
    static let fileHeaderBytes = 14

    package static func header(
        of bytes: Span<UInt8>, limits: DecodeLimits
    ) throws(DecodeError) -> ImageHeader {
        let reader = ByteReader(bytes)
        return try BMPLayout(reader, at: fileHeaderBytes, isIcon: false, limits: limits)
            .imageHeader(.bmp, reader, limits: limits)
    }

    /// Returns the most bytes that `decode` holds.
    package static func memoryCost(of header: ImageHeader) -> Int {
        header.codedSize.byteCount.saturating(plus: 64 << 10)
    }

    /// Decodes to opaque pixels.
    package static func decode(
        _ bytes: Span<UInt8>, request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer {
        let layout = try BMPLayout(
            ByteReader(bytes), at: fileHeaderBytes, isIcon: false, limits: request.limits)
        var buffer = try layout.pixels(of: bytes)
        makeOpaque(&buffer)
        layout.convert(&buffer, ByteReader(bytes), limits: request.limits)
        buffer.isOpaque = true
        return buffer
    }

    static func makeOpaque(_ buffer: inout PixelBuffer) {
        let count = buffer.size.area
        unsafe buffer.withUnsafeMutablePixels { pixels in
            for index in 0..<count { unsafe pixels[index * 4 + 3] = 255 }
        }
    }
}

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

    /// Returns the header of the image; only an icon has alpha.
    func imageHeader(
        _ format: ImageFormat, _ reader: ByteReader, limits: DecodeLimits
    ) -> ImageHeader {
        let profile = profile(reader, limits: limits)
        return ImageHeader(
            format: format, codedSize: size, hasAlpha: format == .ico,
            bitsPerChannel: bits == 16 ? 5 : 8, colorModel: bits <= 8 ? .palette : .rgb,
            hasProfile: profile != nil, profileName: profile?.name)
    }
}

extension BMPLayout {
    /// Returns the profile that a long header embeds, or one made from its primaries and gamma.
    /// Returns `nil` if the pixels are sRGB or the profile is in another file.
    func profile(_ reader: ByteReader, limits: DecodeLimits) -> ColorProfile? {
        guard limits.readsProfiles, header.count >= 108,
            let kind = reader.little32(header.lowerBound + 56)
        else { return nil }
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

extension BMPLayout {
    /// Converts the rows to straight RGBA. Only pixels of 32 bits have a fourth channel. The padding
    /// of the last row may be missing.
    func pixels(of bytes: Span<UInt8>) throws(DecodeError) -> PixelBuffer {
        let before = bytesPerRow.saturating(times: size.height - 1)
        guard
            bytes.count - pixelsStart >= before.saturating(plus: (size.width * bits + 7) / 8)
        else { throw .truncated }
        let palette = palette(in: bytes)
        var buffer = PixelBuffer(unwritten: size)
        let stride = buffer.bytesPerRow
        unsafe bytes.withUnsafeBufferPointer { input in
            guard let base = input.baseAddress else { return }
            unsafe buffer.withUnsafeMutablePixels { pixels in
                for y in 0..<size.height {
                    let line = isTopDown ? y : size.height - 1 - y
                    unsafe read(
                        base + pixelsStart + line * bytesPerRow, palette,
                        UnsafeMutableRawPointer(pixels + y * stride))
                }
            }
        }
        return buffer
    }

    private func palette(in bytes: Span<UInt8>) -> [UInt32] {
        var palette = [UInt32](repeating: 0xFF00_0000, count: 256)
        for index in 0..<min(256, colors.count / 4) {
            let offset = colors.lowerBound + index * 4
            palette[index] =
                UInt32(bytes[offset + 2]) | UInt32(bytes[offset + 1]) << 8
                | UInt32(bytes[offset]) << 16 | 0xFF00_0000
        }
        return palette
    }

    private func read(
        _ from: UnsafePointer<UInt8>, _ palette: [UInt32], _ to: UnsafeMutableRawPointer
    ) {
        for x in 0..<size.width {
            let color: UInt32
            switch bits {
            case 24:
                let pixel = unsafe from + x * 3
                color =
                    unsafe UInt32(pixel[2]) | UInt32(pixel[1]) << 8 | UInt32(pixel[0]) << 16
                    | 0xFF00_0000
            case 32:
                let pixel = unsafe from + x * 4
                color =
                    unsafe UInt32(pixel[2]) | UInt32(pixel[1]) << 8 | UInt32(pixel[0]) << 16
                    | UInt32(pixel[3]) << 24
            case 16:
                let pixel = unsafe UnsafeRawPointer(from + x * 2).loadUnaligned(as: UInt16.self)
                let packed = UInt32(UInt16(littleEndian: pixel))
                color =
                    Self.level(packed >> 10) | Self.level(packed >> 5) << 8
                    | Self.level(packed) << 16 | 0xFF00_0000
            case 8: color = unsafe palette[Int(from[x])]
            default:
                let perByte = 8 / bits
                let shift = 8 - bits - x % perByte * bits
                let index = unsafe Int(from[x / perByte]) >> shift & (1 << bits - 1)
                color = palette[index]
            }
            unsafe to.storeBytes(of: color.littleEndian, toByteOffset: x * 4, as: UInt32.self)
        }
    }

    /// Returns the 8-bit level of the lowest five bits.
    private static func level(_ value: UInt32) -> UInt32 { ((value & 31) * 255 + 15) / 31 }
}
