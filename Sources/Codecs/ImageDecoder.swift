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

    /// The header, with the drawing where that had to be loaded for it.
    package static func open(
        _ bytes: Span<UInt8>, limits: DecodeLimits
    ) throws(DecodeError) -> (header: ImageHeader, drawing: OpenedDrawing?) {
        guard case .picture(let format) = ImageSniffer.sniff(bytes), format.isVector else {
            return (try header(of: bytes, limits: limits), nil)
        }
        let drawing = try VectorPicture(svg: bytes, limits: limits)
        let header = drawing.header
        return (header, OpenedDrawing(drawing, limits))
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
    ///
    /// - Parameter opened: what reading the header left, which is not loaded again.
    package static func decode(
        _ bytes: Span<UInt8>, header: ImageHeader, request: DecodeRequest,
        opened: OpenedDrawing? = nil
    ) throws(DecodeError) -> Picture {
        if let opened, let drawing = opened.take(for: request.limits) { return .vector(drawing) }
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

/// A decoded picture: pixels, or a drawing that becomes pixels at each size it is asked for.
package enum Picture: ~Copyable {
    /// Oriented, sRGB, premultiplied.
    case raster(PixelBuffer)
    /// Drawn anew at every target size.
    case vector(VectorPicture)
}
