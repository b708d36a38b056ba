import Raster

/// Reads the size at the start of an encoded image and checks that its end is complete, in order
/// to recognise files that can be reused. Decodes nothing, and reads only a few dozen bytes; of a
/// JPEG, also the head of each segment before the frame.
package enum EncodedPicture {
    /// Returns whether the bytes are, by their structure, a complete file of this format and size.
    package static func isComplete(
        _ bytes: Span<UInt8>, _ format: OutputFormat, _ size: PixelSize
    ) -> Bool {
        format.isComplete(bytes, size)
    }

    static func png(_ reader: borrowing ByteReader) -> PixelSize? {
        let end = reader.count - 12
        guard reader.big32(end) == 0, reader.holds("IEND", at: end + 4) else { return nil }
        return pngSize(reader)
    }

    private static func pngSize(_ reader: borrowing ByteReader) -> PixelSize? {
        guard reader.big32(0) == 0x8950_4E47, reader.big32(4) == 0x0D0A_1A0A,
            reader.big32(8) == 13, reader.holds("IHDR", at: 12),
            let width = reader.big32(16), let height = reader.big32(20)
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// The most JPEG segments before the frame header. A profile and a large Exif block can take 255
    /// segments each.
    private static let segmentsLimit = 1_024

    static func jpeg(_ reader: borrowing ByteReader) -> PixelSize? {
        reader.big16(reader.count - 2) == 0xFFD9 ? jpegSize(reader) : nil
    }

    private static func jpegSize(_ reader: borrowing ByteReader) -> PixelSize? {
        guard reader.big16(0) == 0xFFD8 else { return nil }
        var offset = 2
        for _ in 0..<segmentsLimit {
            guard let marker = reader.big16(offset), let length = reader.big16(offset + 2),
                marker > 0xFF00, length >= 2
            else { return nil }
            // A frame header of any kind; the three excluded markers are tables.
            if (0xFFC0...0xFFCF).contains(marker), ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker) {
                guard let height = reader.big16(offset + 5), let width = reader.big16(offset + 7)
                else { return nil }
                return PixelSize(width: width, height: height)
            }
            offset += 2 + length
        }
        return nil
    }

    static func webp(_ reader: borrowing ByteReader) -> PixelSize? {
        reader.little32(4) == reader.count - 8 ? webpSize(reader) : nil
    }

    private static func webpSize(_ reader: borrowing ByteReader) -> PixelSize? {
        guard reader.holds("RIFF", at: 0), reader.holds("WEBP", at: 8) else { return nil }
        if reader.holds("VP8X", at: 12), let width = reader.little24(24),
            let height = reader.little24(27)
        {
            return PixelSize(width: width + 1, height: height + 1)
        }
        if reader.holds("VP8L", at: 12), reader.u8(20) == 0x2F, let sides = reader.little32(21) {
            return PixelSize(width: (sides & 0x3FFF) + 1, height: (sides >> 14 & 0x3FFF) + 1)
        }
        if reader.holds("VP8 ", at: 12), reader.u8(23) == 0x9D, reader.big16(24) == 0x012A,
            let width = reader.little16(26), let height = reader.little16(28)
        {
            return PixelSize(width: width & 0x3FFF, height: height & 0x3FFF)
        }
        return nil
    }

    static func avif(_ reader: borrowing ByteReader) -> PixelSize? {
        guard reader.holds("ftyp", at: 4), reader.holds("avif", at: 8) else { return nil }
        return extent(reader, in: 0..<reader.count, path: ["meta", "iprp", "ipco", "ispe"])
    }

    /// Returns the size in the first box at `path`; nil if a malformed box precedes it.
    private static func extent(
        _ reader: borrowing ByteReader, in range: Range<Int>, path: ArraySlice<StaticString>
    ) -> PixelSize? {
        var offset = range.lowerBound
        while let name = path.first, let length = reader.big32(offset), length >= 8,
            length <= range.upperBound - offset
        {
            let end = offset + length
            if reader.holds(name, at: offset + 4) {
                if path.count == 1 {
                    guard let width = reader.big32(offset + 12),
                        let height = reader.big32(offset + 16)
                    else { return nil }
                    return PixelSize(width: width, height: height)
                }
                // The first box of the path, `meta`, has a version and flags before its content.
                let body = offset + (path.count == 4 ? 12 : 8)
                return body <= end
                    ? extent(reader, in: body..<end, path: path.dropFirst()) : nil
            }
            offset = end
        }
        return nil
    }
}
