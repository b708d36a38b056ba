import CLibHeif
import CShims
import Raster

extension ImageFormat {
    package static let avif = heif("avif", ["avif"], output: .avif)
    package static let heic = heif("heic", ["heic", "heif", "hif"])

    private static func heif(
        _ name: String, _ fileExtensions: [String], output: OutputFormat? = nil
    ) -> ImageFormat {
        ImageFormat(
            name, fileExtensions: fileExtensions,
            libraries: [
                CodecLibrary("libheif", version: LIBHEIF_VERSION, opening: HEIFLibrary.opening)
            ],
            reader: CodecName("libheif"), declaresCost: true, output: output,
            recognizes: { bytes in HEIFBrand.format(of: ByteReader(bytes)) == name },
            header: { bytes, limits throws(DecodeError) in
                let format: ImageFormat = output == nil ? .heic : .avif
                return try HEIFDecoder.header(of: bytes, format: format, limits: limits)
            },
            memoryCost: { header, _ in HEIFDecoder.memoryCost(of: header) },
            decode: { bytes, header, request throws(DecodeError) in
                .raster(try HEIFDecoder.decode(bytes, header: header, request: request))
            })
    }
}

extension OutputFormat {
    /// AVIF, which needs an AV1 encoder in libheif.
    package static let avif = OutputFormat(
        "avif", defaultQuality: .lossy(60), edgeLimit: 65_536, writer: CodecName("libheif"),
        pixelBytes: (lossy: 20, lossless: 36),
        available: { AVIFEncoder.isAvailable },
        encode: { buffer, settings throws(EncodeError) in
            try AVIFEncoder.encode(buffer, quality: settings.quality)
        },
        isComplete: { bytes, size in
            // Subsampled chroma needs even sides, so a coded image may be one pixel wider or
            // higher; viewers crop the excess.
            EncodedPicture.avif(ByteReader(bytes)).map { found in
                (size.width...(size.width + 1)).contains(found.width)
                    && (size.height...(size.height + 1)).contains(found.height)
            } ?? false
        })
}

private enum HEIFBrand {
    private static let heic: [StaticString] = ["heic", "heix", "hevc", "hevx", "heim", "heis"]

    static func format(of reader: borrowing ByteReader) -> String? {
        guard reader.holds("ftyp", at: 4), let length = reader.big32(0) else { return nil }
        var offset = 8
        var isHEIF = false
        while offset < min(length, 256), offset + 4 <= reader.count {
            if reader.holds("avif", at: offset) || reader.holds("avis", at: offset) {
                return "avif"
            }
            for brand in heic where reader.holds(brand, at: offset) { return "heic" }
            isHEIF = isHEIF || reader.holds("mif1", at: offset) || reader.holds("msf1", at: offset)
            // A version follows the major brand.
            offset += offset == 8 ? 8 : 4
        }
        return isHEIF ? "heic" : nil
    }
}

/// The libheif library, opened on first use.
enum HEIFLibrary {
    static let opening = CodecLibrary.Opening(
        file: "libheif.so.1", isFound: { isFound }, prepare: { _ = once })

    static var isFound: Bool { emb_heif_is_found() != 0 }

    static let whatIsMissing =
        "AVIF and HEIC need libheif. Install the Debian package libheif1"

    private static let once: Void = {
        _ = unsafe heif_init(nil)
    }()
}
