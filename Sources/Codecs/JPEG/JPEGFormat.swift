import CShims

extension ImageFormat {
    /// JPEG: baseline, progressive and arithmetic; grey, colour and CMYK.
    package static let jpeg = ImageFormat(
        "jpeg", fileExtensions: ["jpg", "jpeg", "jpe", "jfif", "pjpeg", "pjp"],
        libraries: [
            CodecLibrary("libjpeg-turbo", version: unsafe String(cString: emb_jpeg_version()))
        ],
        reader: CodecName(
            fast: "libjpeg-turbo; emblem at 1/4 and 1/8 size", system: "libjpeg-turbo"),
        output: .jpeg,
        recognizes: { bytes in
            let reader = ByteReader(bytes)
            return reader.big16(0) == 0xFFD8 && (reader.count == 2 || reader.u8(2) == 0xFF)
        },
        header: JPEGDecoder.header, memoryCost: JPEGDecoder.memoryCost,
        storedSize: JPEGDecoder.scaledSize,
        decode: { bytes, header, request throws(DecodeError) in
            .raster(try JPEGDecoder.decode(bytes, header: header, request: request))
        })
}

extension OutputFormat {
    package static let jpeg: OutputFormat = OutputFormat(
        "jpeg", fileExtension: "jpg", defaultQuality: .lossy(85), compression: .lossy,
        hasAlpha: false,
        edgeLimit: 65_500, writer: CodecName("libjpeg-turbo"), pixelBytes: (lossy: 4, lossless: 4),
        encode: { buffer, settings throws(EncodeError) in
            switch settings.quality {
            case .lossy(let quality):
                try JPEGEncoder.encode(buffer, quality: quality, matte: settings.matte)
            case .lossless: throw .unavailable(.jpeg, "JPEG is always lossy")
            }
        },
        isComplete: { bytes, size in EncodedPicture.jpeg(ByteReader(bytes)) == size })
}
