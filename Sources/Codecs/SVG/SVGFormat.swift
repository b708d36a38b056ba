import CLibRsvg

extension ImageFormat {
    /// SVG, plain or packed by gzip.
    package static let svg = ImageFormat(
        "svg", fileExtensions: ["svg", "svgz"], mediaType: "image/svg+xml",
        libraries: [
            CodecLibrary(
                "librsvg",
                version: "\(rsvg_major_version).\(rsvg_minor_version).\(rsvg_micro_version)"),
            CodecLibrary("cairo", version: unsafe String(cString: cairo_version_string())),
        ],
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
