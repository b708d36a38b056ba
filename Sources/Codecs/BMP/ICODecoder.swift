import Raster

/// Reads the largest picture of an icon or cursor file, be it a bitmap or a PNG.
package enum ICODecoder {
    /// What the largest picture's own header says, after the limits were held against it.
    package static func header(
        of bytes: Span<UInt8>, limits: DecodeLimits
    ) throws(DecodeError) -> ImageHeader {
        let entry = try ICOEntry.largest(of: ByteReader(bytes))
        let data = bytes.extracting(entry.range)
        if entry.isPNG {
            var header = try PNGDecoder.header(of: data, limits: limits)
            header.format = .ico
            return header
        }
        let layout = try BMPLayout(ByteReader(data), at: 0, isIcon: true, limits: limits)
        return ImageHeader(
            format: .ico, codedSize: layout.size, hasAlpha: true,
            bitsPerChannel: layout.bits == 16 ? 5 : 8,
            colorModel: layout.bits <= 8 ? .palette : .rgb)
    }

    /// Decodes to premultiplied pixels. A bitmap's transparency is its fourth channel, or its
    /// mask where it has none or an empty one; what a mask lacks at its end is opaque.
    package static func decode(
        _ bytes: Span<UInt8>, request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer {
        let entry = try ICOEntry.largest(of: ByteReader(bytes))
        let data = bytes.extracting(entry.range)
        if entry.isPNG {
            let header = try PNGDecoder.header(of: data, limits: request.limits)
            return try PNGDecoder.decode(data, header: header, request: request)
        }
        let layout = try BMPLayout(ByteReader(data), at: 0, isIcon: true, limits: request.limits)
        var buffer = PixelBuffer(size: layout.size)
        let isWhole = try BMPRows(layout: layout, bytes: data).read(into: &buffer)
        if !isWhole, !request.allowTruncated { throw .truncated }
        if layout.bits < 32 || BMPRows.isClear(buffer) {
            BMPRows.makeOpaque(&buffer)
            if layout.packing == .plain { mask(&buffer, layout: layout, data: data) }
        }
        buffer.refreshOpacity()
        buffer.premultiply()
        return buffer
    }

    /// Clears the pixels whose bit is set in the mask behind the colours.
    private static func mask(
        _ buffer: inout PixelBuffer, layout: BMPLayout, data: Span<UInt8>
    ) {
        let reader = ByteReader(data)
        let stride = (layout.size.width + 31) / 32 * 4
        let start = layout.pixels + layout.bytesPerRow * layout.size.height
        let (width, height) = (layout.size.width, layout.size.height)
        unsafe buffer.withUnsafeMutablePixels { pixels in
            for line in 0..<height {
                let y = layout.isTopDown ? line : height - 1 - line
                for x in 0..<width {
                    guard let byte = reader.u8(start + line * stride + x / 8) else { return }
                    if byte >> (7 - x & 7) & 1 == 1 {
                        unsafe pixels[(y * width + x) * 4 + 3] = 0
                    }
                }
            }
        }
    }
}

/// One line of an icon file's directory.
private struct ICOEntry {
    let range: Range<Int>
    let isPNG: Bool

    /// The entry with most pixels, then most bits, then the first; those that lie outside the
    /// file do not count.
    static func largest(of reader: borrowing ByteReader) throws(DecodeError) -> ICOEntry {
        guard let count = reader.little16(4) else { throw .truncated }
        guard count > 0 else { throw .corrupt("an icon file without pictures") }
        var best: (range: Range<Int>, area: Int, bits: Int)?
        for index in 0..<count {
            let line = 6 + index * 16
            guard let width = reader.u8(line), let height = reader.u8(line + 1),
                let field = reader.little16(line + 6), let length = reader.little32(line + 8),
                let offset = reader.little32(line + 12)
            else { break }
            guard offset >= 6, length > 0, offset + 4 <= reader.count else { continue }
            let area = (width == 0 ? 256 : width) * (height == 0 ? 256 : height)
            // In a cursor the field is a place, not a depth.
            let bits = reader.little16(2) == 1 ? field : 0
            if let best, (best.area, best.bits) >= (area, bits) { continue }
            best = (offset..<min(offset + length, reader.count), area, bits)
        }
        guard let best else { throw .truncated }
        return ICOEntry(
            range: best.range, isPNG: reader.big32(best.range.lowerBound) == 0x8950_4E47)
    }
}
