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

/// Reads Windows bitmaps of 1 to 32 bits per pixel, uncompressed or run-length encoded.
package enum BMPDecoder {
    static let fileHeaderBytes = 14

    package static func header(
        of bytes: Span<UInt8>, limits: DecodeLimits
    ) throws(DecodeError) -> ImageHeader {
        let reader = ByteReader(bytes)
        let layout = try BMPLayout(reader, at: fileHeaderBytes, isIcon: false, limits: limits)
        let profile = layout.profile(reader, limits: limits)
        return ImageHeader(
            format: .bmp, codedSize: layout.size, hasAlpha: layout.hasAlphaMask,
            bitsPerChannel: layout.bits == 16 ? 5 : 8,
            colorModel: layout.bits <= 8 ? .palette : .rgb, hasProfile: profile != nil,
            profileName: profile?.name)
    }

    /// Returns the most bytes that decoding without halving holds: the pixels, and one byte per
    /// pixel for unpacking runs.
    package static func memoryCost(of header: ImageHeader) -> Int {
        header.codedSize.byteCount.saturating(plus: header.codedSize.area)
            .saturating(plus: 64 << 10)
    }

    /// Returns the most bytes that `decode` holds. With halving, it holds the halved image, the
    /// start of every line, the cache of converted colours, and one row.
    static func memoryCost(of header: ImageHeader, request: DecodeRequest) -> Int {
        let halvings = request.halvings(of: header)
        guard halvings > 0 else { return memoryCost(of: header) }
        return RowHalver.memoryCost(header.codedSize, halvings: halvings)
            .saturating(plus: header.codedSize.height.saturating(times: 32))
            .saturating(plus: header.codedSize.width.saturating(times: 4))
            .saturating(plus: 128 << 10)
    }

    /// Decodes to premultiplied pixels. The fourth channel is alpha only if the header declares it
    /// and at least one pixel has a value other than zero.
    package static func decode(
        _ bytes: Span<UInt8>, header: ImageHeader, request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer {
        let layout = try BMPLayout(
            ByteReader(bytes), at: fileHeaderBytes, isIcon: false, limits: request.limits)
        let halvings = request.halvings(of: header)
        if halvings > 0 { return try halved(bytes, layout, halvings, request) }
        var buffer = PixelBuffer(size: layout.size)
        let isWhole = BMPRows(layout: layout, bytes: bytes).read(into: &buffer)
        if !isWhole { throw .truncated }
        if !layout.hasAlphaMask || BMPRows.isClear(buffer) { BMPRows.makeOpaque(&buffer) }
        layout.convert(&buffer, ByteReader(bytes), limits: request.limits)
        buffer.refreshOpacity()
        buffer.premultiply()
        return buffer
    }
    /// Decodes a large bitmap without keeping its rows.
    private static func halved(
        _ bytes: Span<UInt8>, _ layout: BMPLayout, _ halvings: Int, _ request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer {
        let rows = BMPRows(layout: layout, bytes: bytes)
        let ignoresAlpha = !layout.hasAlphaMask || rows.isClear()
        let transform = layout.profile(ByteReader(bytes), limits: request.limits)?.transform()
        let known = ConvertedColors()
        let halver = RowHalver(layout.size, halvings: halvings)
        let count = layout.size.width
        var alphas = UInt32.max
        func take() {
            let row = unsafe halver.next
            if ignoresAlpha {
                for x in 0..<count { unsafe row[x * 4 + 3] = 255 }
            }
            unsafe transform?.convert(row, pixelCount: count, known: known)
            alphas &= unsafe Premultiplication.row(row, result: row, count: count)
            halver.take()
        }
        let isWhole = unsafe rows.readFromTop(
            into: { unsafe halver.next }, take: take)
        if !isWhole { throw .truncated }
        return halver.finish(isOpaque: alphas >> 24 == 255)
    }
}
