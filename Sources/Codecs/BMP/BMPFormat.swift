extension ImageFormat {
    /// Windows bitmaps.
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

    /// The largest picture of an icon or a cursor.
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
