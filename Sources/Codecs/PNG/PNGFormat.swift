import CLibDeflate
import CShims
import CZlib

extension ImageFormat {
    /// PNG; of an animation, only the default image.
    package static let png = ImageFormat(
        "png", fileExtensions: ["png", "apng"],
        libraries: [
            CodecLibrary("libpng", version: unsafe String(cString: emb_png_version())),
            CodecLibrary("libdeflate", version: LIBDEFLATE_VERSION_STRING),
            CodecLibrary("zlib", version: unsafe String(cString: zlibVersion())),
        ],
        reader: CodecName(
            fast: "emblem with libdeflate; libpng if memory is short", system: "libpng"),
        output: .png,
        recognizes: { bytes in
            if ByteReader(bytes).big32(0) == 0x8950_4E47 { return true }
            // A file damaged by a text-mode transfer counts as a damaged PNG.
            if case .damaged = PNGSignature(of: bytes) { return true }
            return false
        },
        header: PNGDecoder.header, memoryCost: PNGDecoder.memoryCost,
        decode: { bytes, header, request throws(DecodeError) in
            .raster(try PNGDecoder.decode(bytes, header: header, request: request))
        })
}

extension OutputFormat {
    package static let png = OutputFormat(
        "png", defaultQuality: .lossless, compression: .lossless, edgeLimit: 0x7FFF_FFFF,
        writer: CodecName(fast: "emblem", system: "libpng"),
        pixelBytes: (lossy: 12, lossless: 12),
        encode: { buffer, settings throws(EncodeError) in
            try PNGEncoder.encode(
                buffer, palette: settings.palette, effort: settings.effort,
                codecs: settings.codecs)
        },
        animate: { frames, _ throws(EncodeError) in try PNGAnimation.encode(frames) },
        isComplete: { bytes, size in EncodedPicture.png(ByteReader(bytes)) == size })
}
