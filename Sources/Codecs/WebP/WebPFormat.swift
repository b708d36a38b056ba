import CLibWebP

extension ImageFormat {
    /// WebP, lossy and lossless; only the first frame of an animation.
    package static let webp = ImageFormat(
        "webp", fileExtensions: ["webp"],
        libraries: [CodecLibrary("libwebp", version: libraryVersion)],
        reader: CodecName(
            fast: "libwebp; emblem for alpha and for half-size decoding", system: "libwebp"),
        output: .webp,
        recognizes: { bytes in
            let reader = ByteReader(bytes)
            return reader.holds("RIFF", at: 0)
                && (reader.count < 12 || reader.holds("WEBP", at: 8))
        },
        header: WebPDecoder.header, memoryCost: WebPDecoder.memoryCost,
        decode: { bytes, header, request throws(DecodeError) in
            .raster(try WebPDecoder.decode(bytes, header: header, request: request))
        })

    /// The version of libwebp, whose number has a byte per component.
    private static var libraryVersion: String {
        let version = WebPGetDecoderVersion()
        return "\(version >> 16 & 255).\(version >> 8 & 255).\(version & 255)"
    }
}

extension OutputFormat {
    /// WebP; alpha is exact at every quality.
    package static let webp = OutputFormat(
        "webp", defaultQuality: .lossy(82), edgeLimit: 16_383,
        writer: CodecName(
            fast: "emblem for lossy up to 2048 px; otherwise libwebp", system: "libwebp"),
        pixelBytes: (lossy: 20, lossless: 24),
        encode: { buffer, settings throws(EncodeError) in
            try WebPEncoder.encode(
                buffer, quality: settings.quality, effort: settings.effort,
                codecs: settings.codecs)
        },
        animate: { frames, quality throws(EncodeError) in
            try WebPAnimation.encode(frames, quality: quality)
        },
        isComplete: { bytes, size in EncodedPicture.webp(ByteReader(bytes)) == size })
}
