extension ImageFormat {
    /// The first frame of a GIF.
    package static let gif = ImageFormat(
        "gif", fileExtensions: ["gif"], reader: CodecName("emblem"),
        recognizes: { bytes in
            let reader = ByteReader(bytes)
            return reader.holds("GIF87a", at: 0) || reader.holds("GIF89a", at: 0)
        },
        header: GIFDecoder.header,
        memoryCost: { header, _ in GIFDecoder.memoryCost(of: header) },
        decode: { bytes, _, request throws(DecodeError) in
            .raster(try GIFDecoder.decode(bytes, request: request))
        })
}
