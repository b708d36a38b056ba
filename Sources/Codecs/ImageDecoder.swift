import Raster

/// Bytes to pixels, in any of the formats that are read.
package enum ImageDecoder {
    /// What a picture says of itself, held against the limits before anything is decoded.
    package static func header(
        of bytes: Span<UInt8>, limits: DecodeLimits = DecodeLimits()
    ) throws(DecodeError) -> ImageHeader {
        let format: ImageFormat
        switch ImageSniffer.sniff(bytes) {
        case .picture(let found): format = found
        case .known(let name): throw .unsupported(name)
        case .unknown: throw .notImage
        }
        switch format {
        case .jpeg: return try JPEGDecoder.header(of: bytes, limits: limits)
        case .png: return try PNGDecoder.header(of: bytes, limits: limits)
        case .webp: return try WebPDecoder.header(of: bytes, limits: limits)
        case .gif: return try GIFDecoder.header(of: bytes, limits: limits)
        case .svg: return try VectorPicture.header(of: bytes, limits: limits)
        case .ico: return try ICODecoder.header(of: bytes, limits: limits)
        case .bmp: return try BMPDecoder.header(of: bytes, limits: limits)
        case .avif, .heic:
            return try HEIFDecoder.header(of: bytes, format: format, limits: limits)
        }
    }

    /// What reading the header holds at once, where that is more than a little.
    package static func headerBytes(of bytes: Span<UInt8>, limits: DecodeLimits) -> Int {
        guard case .picture(.svg) = ImageSniffer.sniff(bytes) else { return 0 }
        return VectorPicture.documentBytes(of: bytes, limits: limits)
    }

    /// The most bytes that `decode` holds at once, its result included, from the header alone.
    package static func memoryCost(of header: ImageHeader, request: DecodeRequest) -> Int {
        let cost =
            switch header.format {
            case .jpeg: JPEGDecoder.memoryCost(of: header, request: request)
            case .png: PNGDecoder.memoryCost(of: header, request: request)
            case .webp: WebPDecoder.memoryCost(of: header, request: request)
            case .gif: GIFDecoder.memoryCost(of: header)
            case .svg:
                VectorPicture.memoryCost(
                    rendering: request.neededSize, surfaces: header.surfaces)
            case .ico, .bmp: BMPDecoder.memoryCost(of: header)
            case .avif, .heic: HEIFDecoder.memoryCost(of: header)
            }
        guard header.orientation != .up, !request.leavesTurn else { return cost }
        // While a picture is turned it exists twice; by then the decoder's own memory is gone.
        let (twice, overflow) = resultSize(of: header, request: request).byteCount
            .multipliedReportingOverflow(by: 2)
        return overflow ? .max : max(cost, twice)
    }

    /// The size that `decode` gives a raster picture, before orientation.
    private static func resultSize(of header: ImageHeader, request: DecodeRequest) -> PixelSize {
        switch header.format {
        case .jpeg: JPEGDecoder.scaledSize(for: header, request: request)
        case .webp: WebPDecoder.scaledSize(for: header, request: request)
        default: header.codedSize
        }
    }

    /// Decodes a picture whose header was read from the same bytes.
    package static func decode(
        _ bytes: Span<UInt8>, header: ImageHeader, request: DecodeRequest
    ) throws(DecodeError) -> Picture {
        if header.format == .svg {
            return .vector(try VectorPicture(svg: bytes, limits: request.limits))
        }
        var pixels = try stored(bytes, header: header, request: request)
        if request.leavesTurn {
            pixels.turn = header.orientation
            return .raster(pixels)
        }
        return .raster(pixels.oriented(by: header.orientation))
    }

    /// The pixels as they lie in the file.
    private static func stored(
        _ bytes: Span<UInt8>, header: ImageHeader, request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer {
        switch header.format {
        case .jpeg: try JPEGDecoder.decode(bytes, header: header, request: request)
        case .png: try PNGDecoder.decode(bytes, header: header, request: request)
        case .webp: try WebPDecoder.decode(bytes, header: header, request: request)
        case .gif: try GIFDecoder.decode(bytes, request: request)
        case .ico: try ICODecoder.decode(bytes, request: request)
        case .bmp: try BMPDecoder.decode(bytes, request: request)
        case .avif, .heic: try HEIFDecoder.decode(bytes, header: header, request: request)
        case .svg: throw .unsupported("svg as stored pixels")
        }
    }
}
