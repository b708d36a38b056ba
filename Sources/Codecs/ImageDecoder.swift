import Raster

/// Bytes to pixels, in any of the formats that are read.
package enum ImageDecoder {
    /// What a picture says of itself, held against the limits before anything is decoded.
    package static func header(
        of bytes: Span<UInt8>, limits: DecodeLimits = DecodeLimits()
    ) throws(DecodeError) -> ImageHeader {
        switch ImageSniffer.sniff(bytes) {
        case .picture(let format): return try format.header(bytes, limits)
        case .known(let name): throw .unsupported(name)
        case .unknown: throw .notImage
        }
    }

    /// What reading the header holds at once, where that is more than a little.
    package static func headerBytes(of bytes: Span<UInt8>, limits: DecodeLimits) -> Int {
        guard case .picture(let format) = ImageSniffer.sniff(bytes) else { return 0 }
        return format.headerBytes(bytes, limits)
    }

    /// The most bytes that `decode` holds at once, its result included, from the header alone.
    package static func memoryCost(of header: ImageHeader, request: DecodeRequest) -> Int {
        let cost = header.format.memoryCost(header, request)
        guard header.orientation != .up, !request.leavesTurn else { return cost }
        // While a picture is turned it exists twice; by then the decoder's own memory is gone.
        let (twice, overflow) = header.format.storedSize(header, request).byteCount
            .multipliedReportingOverflow(by: 2)
        return overflow ? .max : max(cost, twice)
    }

    /// Decodes a picture whose header was read from the same bytes.
    package static func decode(
        _ bytes: Span<UInt8>, header: ImageHeader, request: DecodeRequest
    ) throws(DecodeError) -> Picture {
        switch try header.format.decode(bytes, header, request) {
        case .vector(let drawing): return .vector(drawing)
        case .raster(var pixels):
            guard request.leavesTurn else {
                return .raster(pixels.oriented(by: header.orientation))
            }
            pixels.turn = header.orientation
            return .raster(pixels)
        }
    }
}
