import CJPEGXL

extension ImageFormat {
    /// JPEG XL, bare or in a container; only the first frame of an animation.
    package static let jxl = ImageFormat(
        "jxl", fileExtensions: ["jxl"],
        libraries: [
            CodecLibrary(
                "libjxl", version: EMB_JXL_VERSION,
                opening: CodecLibrary.Opening(
                    file: "libjxl.so.0.7", isFound: { JXLLibrary.isFound },
                    prepare: { _ = JXLLibrary.isFound }))
        ],
        reader: CodecName("libjxl"), declaresCost: true, output: .jxl,
        recognizes: { bytes in
            let reader = ByteReader(bytes)
            // The signature of a codestream, and the first box of a container.
            return reader.big16(0) == 0xFF0A
                || reader.big32(0) == 0x0000_000C && reader.holds("JXL ", at: 4)
        },
        header: JXLDecoder.header, memoryCost: { header, _ in header.decodingBytes },
        decode: { bytes, header, request throws(DecodeError) in
            .raster(try JXLDecoder.decode(bytes, header: header, request: request))
        })
}

extension OutputFormat {
    /// JPEG XL. An alpha of 0 or 255 stays exact at every quality. From the default quality on, any
    /// other alpha changes by at most 1 of 255. With alpha, qualities below 60 are raised to 60.
    ///
    /// The default quality keeps an image as similar to the original as the defaults of WebP and
    /// AVIF do. On 50 logos of 160 pixels the PSNR is 37.5 dB and the structural similarity
    /// 0.968 (WebP 36.4 and 0.970, AVIF 36.0 and 0.969). On 14 photographs they are 40.6 dB and
    /// 0.972 (WebP 39.1 and 0.958, AVIF 38.2 and 0.957).
    package static let jxl = OutputFormat(
        "jxl", defaultQuality: .lossy(85), edgeLimit: JXLEncoder.edgeLimit,
        writer: CodecName("libjxl"), pixelBytes: (lossy: 60, lossless: 104),
        available: { JXLLibrary.isFound },
        encode: { buffer, settings throws(EncodeError) in
            try JXLEncoder.encode(buffer, quality: settings.quality)
        },
        isComplete: { bytes, size in JXLSize.read(bytes) == size })
}

/// The libjxl library, opened on first use.
enum JXLLibrary {
    static var isFound: Bool { emb_jxl_is_found() != 0 }

    static let whatIsMissing =
        "JPEG XL needs libjxl. Install the Debian package libjxl0.7"
}
