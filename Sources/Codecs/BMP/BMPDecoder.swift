import Raster

extension ImageFormat {
    package static let bmp = ImageFormat(
        "bmp", fileExtensions: ["bmp", "dib"], reader: CodecName("emblem"),
        recognizes: { bytes in
            let reader = ByteReader(bytes)
            guard reader.holds("BM", at: 0), let size = reader.little32(14) else { return false }
            return [12, 16, 40, 52, 56, 64, 108, 124].contains(size)
        },
        header: BMPDecoder.header, memoryCost: BMPDecoder.memoryCost,
        decode: { bytes, header, request throws(DecodeError) in
            .raster(try BMPDecoder.decode(bytes, header: header, request: request))
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
        let layout = try BMPLayout(reader, at: fileHeaderBytes, isIcon: false, limits: limits)
        let profile = layout.profile(reader, limits: limits)
        return ImageHeader(
            format: .bmp, codedSize: layout.size, hasAlpha: false,
            bitsPerChannel: layout.bits == 16 ? 5 : 8,
            colorModel: layout.bits <= 8 ? .palette : .rgb, hasProfile: profile != nil,
            profileName: profile?.name)
    }

    /// Returns the most bytes that decoding without halving holds.
    package static func memoryCost(of header: ImageHeader) -> Int {
        header.codedSize.byteCount.saturating(plus: 64 << 10)
    }

    /// Returns the most bytes that `decode` holds. With halving, it holds the halved image, the
    /// cache of converted colours, and one row.
    static func memoryCost(of header: ImageHeader, request: DecodeRequest) -> Int {
        let halvings = request.halvings(of: header)
        guard halvings > 0 else { return memoryCost(of: header) }
        return RowHalver.memoryCost(header.codedSize, halvings: halvings)
            .saturating(plus: header.codedSize.width.saturating(times: 4))
            .saturating(plus: 128 << 10)
    }

    /// Decodes to opaque pixels.
    package static func decode(
        _ bytes: Span<UInt8>, header: ImageHeader, request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer {
        let layout = try BMPLayout(
            ByteReader(bytes), at: fileHeaderBytes, isIcon: false, limits: request.limits)
        let rows = BMPRows(layout: layout, bytes: bytes)
        guard rows.isWhole else { throw .truncated }
        let halvings = request.halvings(of: header)
        if halvings > 0 { return halved(rows, halvings, request) }
        var buffer = rows.pixels()
        BMPRows.makeOpaque(&buffer)
        layout.convert(&buffer, ByteReader(bytes), limits: request.limits)
        buffer.isOpaque = true
        return buffer
    }

    /// Decodes a large bitmap without keeping its rows.
    private static func halved(
        _ rows: borrowing BMPRows, _ halvings: Int, _ request: DecodeRequest
    ) -> PixelBuffer {
        let layout = rows.layout
        let transform = layout.profile(ByteReader(rows.bytes), limits: request.limits)?.transform()
        let known = ConvertedColors()
        let halver = RowHalver(layout.size, halvings: halvings)
        let count = layout.size.width
        for y in 0..<layout.size.height {
            let row = unsafe halver.next
            unsafe rows.read(y, into: row)
            for x in 0..<count { unsafe row[x * 4 + 3] = 255 }
            unsafe transform?.convert(row, pixelCount: count, known: known)
            halver.take()
        }
        return halver.finish(isOpaque: true)
    }
}
