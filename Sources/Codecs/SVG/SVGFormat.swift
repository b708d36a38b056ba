extension ImageFormat {
    /// SVG, plain or packed by gzip.
    package static let svg = ImageFormat(
        "svg", fileExtensions: ["svg", "svgz"], mediaType: "image/svg+xml",
        libraries: DrawingLibraries.svg,
        reader: CodecName("librsvg"), isVector: true,
        recognizes: { bytes in
            guard PackedText.isPacked(bytes) else { return XMLRoot.isSVG(bytes) }
            return XMLRoot.isSVG(PackedText.beginning(of: bytes).span)
        },
        header: VectorPicture.header, headerBytes: VectorPicture.documentBytes,
        memoryCost: { header, request in
            VectorPicture.memoryCost(rendering: request.neededSize, surfaces: header.surfaces)
        },
        decode: { bytes, _, request throws(DecodeError) in
            .vector(try VectorPicture(svg: bytes, limits: request.limits))
        })
}
