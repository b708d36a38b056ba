import Codecs
import Raster

extension FuzzTarget {
    /// One target per format, without the format detection, so that a changed magic number does not
    /// end the test.
    static let pictures: [FuzzTarget] = [
        FuzzTarget("png") { bytes, digest in
            PictureFeed.feed(bytes, into: &digest, header: pngHeader)
            let repaired = PNGAssembly.repaired(bytes)
            if repaired != bytes {
                PictureFeed.feed(repaired, into: &digest, header: pngHeader)
            }
        },
        FuzzTarget("png-rows") { bytes, digest in
            guard let file = PNGAssembly.file(around: bytes) else { return }
            PictureFeed.feed(file, into: &digest, header: pngHeader)
        },
        FuzzTarget("jpeg") { bytes, digest in
            PictureFeed.feed(bytes, into: &digest) { bytes, limits throws(DecodeError) in
                try JPEGDecoder.header(of: bytes, limits: limits)
            }
        },
        FuzzTarget("jpeg-small") { bytes, digest in SmallJPEG.compare(bytes, into: &digest) },
        FuzzTarget("webp") { bytes, digest in
            PictureFeed.feed(bytes, into: &digest) { bytes, limits throws(DecodeError) in
                try WebPDecoder.header(of: bytes, limits: limits)
            }
        },
        FuzzTarget("gif") { bytes, digest in
            PictureFeed.feed(bytes, into: &digest) { bytes, limits throws(DecodeError) in
                try GIFDecoder.header(of: bytes, limits: limits)
            }
        },
        FuzzTarget("ico") { bytes, digest in
            PictureFeed.feed(bytes, into: &digest) { bytes, limits throws(DecodeError) in
                try ICODecoder.header(of: bytes, limits: limits)
            }
        },
        FuzzTarget("bmp") { bytes, digest in
            PictureFeed.feed(bytes, into: &digest) { bytes, limits throws(DecodeError) in
                try BMPDecoder.header(of: bytes, limits: limits)
            }
        },
        FuzzTarget("heif") { bytes, digest in
            PictureFeed.feed(bytes, into: &digest) { bytes, limits throws(DecodeError) in
                try HEIFDecoder.header(of: bytes, format: .heic, limits: limits)
            }
        },
        FuzzTarget("svg") { bytes, digest in
            PictureFeed.feed(bytes, into: &digest) { bytes, limits throws(DecodeError) in
                try VectorPicture.header(of: bytes, limits: limits)
            }
        },
    ]

    private static func pngHeader(
        _ bytes: Span<UInt8>, _ limits: DecodeLimits
    ) throws(DecodeError) -> ImageHeader {
        try PNGDecoder.header(of: bytes, limits: limits)
    }
}
