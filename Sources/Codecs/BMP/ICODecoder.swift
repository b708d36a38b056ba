import Raster

/// Reads the largest image of an icon or cursor file, either a bitmap or a PNG.
package enum ICODecoder {
    /// Reads the header of the largest image and checks it against the limits.
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
        return try BMPLayout(ByteReader(data), at: 0, isIcon: true, limits: limits)
            .imageHeader(.ico, ByteReader(data), limits: limits)
    }

    /// Decodes to premultiplied pixels. Alpha is the fourth channel of a bitmap, or its mask if
    /// that channel is missing or empty. Pixels that a truncated mask does not cover are opaque.
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
        var buffer = try layout.pixels(of: data)
        if layout.bits < 32 || isClear(buffer) {
            BMPDecoder.makeOpaque(&buffer)
            mask(&buffer, layout: layout, data: entry.trusted(data, layout))
        }
        layout.convert(&buffer, ByteReader(data), limits: request.limits)
        buffer.refreshOpacity()
        buffer.premultiply()
        return buffer
    }

    /// Returns whether every alpha is zero, in which case the channel is unused.
    private static func isClear(_ buffer: borrowing PixelBuffer) -> Bool {
        unsafe buffer.withUnsafePixels { pixels in
            (0..<buffer.size.area).allSatisfy { unsafe pixels[$0 * 4 + 3] == 0 }
        }
    }

    /// Clears the pixels whose bit is set in the mask that follows the colours.
    private static func mask(
        _ buffer: inout PixelBuffer, layout: BMPLayout, data: Span<UInt8>
    ) {
        let reader = ByteReader(data)
        let stride = (layout.size.width + 31) / 32 * 4
        let start = layout.pixelsStart + layout.bytesPerRow * layout.size.height
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

private struct ICOEntry {
    /// The bytes from the start of the image to the end of the file. Directory lengths are often
    /// wrong, and the image data has its own end.
    let range: Range<Int>
    let isPNG: Bool
    /// The length according to the directory.
    let length: Int

    /// Returns the entry with the most pixels. Among several, the most bits per pixel and then the
    /// file order decide. Ignores entries that lie outside the file.
    static func largest(of reader: ByteReader) throws(DecodeError) -> ICOEntry {
        guard let count = reader.little16(4) else { throw .truncated }
        guard count > 0 else { throw .corrupt("an icon file without pictures") }
        var best: (entry: ICOEntry, area: Int, bits: Int)?
        for index in 0..<count {
            let line = 6 + index * 16
            guard let width = reader.u8(line), let height = reader.u8(line + 1),
                let field = reader.little16(line + 6), let length = reader.little32(line + 8),
                let offset = reader.little32(line + 12)
            else { break }
            guard offset >= 6, offset + 4 <= reader.count else { continue }
            let area = (width == 0 ? 256 : width) * (height == 0 ? 256 : height)
            let isPNG = reader.big32(offset) == 0x8950_4E47
            // In an icon the field is the bits per pixel, which many icons leave zero. In a cursor
            // it is a coordinate.
            let declared = reader.little16(2) == 1 ? field : 0
            let bits = declared > 0 ? declared : isPNG ? 32 : depth(reader, at: offset)
            if let best, (best.area, best.bits) >= (area, bits) { continue }
            let entry = ICOEntry(range: offset..<reader.count, isPNG: isPNG, length: length)
            best = (entry, area, bits)
        }
        guard let best else { throw .truncated }
        return best.entry
    }

    /// Returns the bits per pixel in the header of a bitmap.
    private static func depth(_ reader: ByteReader, at offset: Int) -> Int {
        reader.little16(offset + 14) ?? 0
    }

    /// Returns `data` up to the length in the directory, or all of it if that length is wrong: too
    /// short for the colours, or longer than the file.
    @_lifetime(copy data)
    func trusted(_ data: Span<UInt8>, _ layout: BMPLayout) -> Span<UInt8> {
        let colors = layout.pixelsStart + layout.bytesPerRow * layout.size.height
        return length < colors || length > data.count ? data : data.extracting(0..<length)
    }
}
