import Raster

package enum ImageDecoder {
    package static func header(
        of bytes: Span<UInt8>, limits: DecodeLimits = DecodeLimits()
    ) throws(DecodeError) -> ImageHeader {
        switch ImageSniffer.sniff(bytes) {
        case .picture(let format): return try format.header(bytes, limits)
        case .known(let name): throw .unsupported(name)
        case .unknown: throw .notImage
        }
    }

    /// Reads the header. For an SVG this loads the drawing, which is returned with the header, so
    /// that `decode` need not load it again.
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

    /// Returns the most bytes that `header` allocates; 0 if they are negligible.
    package static func headerBytes(of bytes: Span<UInt8>, limits: DecodeLimits) -> Int {
        guard case .picture(let format) = ImageSniffer.sniff(bytes) else { return 0 }
        return format.headerBytes(bytes, limits)
    }

    /// Returns the most bytes that `decode` holds at once, its result included.
    package static func memoryCost(of header: ImageHeader, request: DecodeRequest) -> Int {
        let cost = header.format.memoryCost(header, request)
        guard header.orientation != .up, !request.defersOrientation else { return cost }
        // Rotating the result needs two copies of it; the decoder's own memory is released by then.
        let (twice, overflow) = header.format.storedSize(header, request).byteCount
            .multipliedReportingOverflow(by: 2)
        return overflow ? .max : max(cost, twice)
    }

    /// Decodes an image whose header was read from the same bytes.
    ///
    /// - Parameter opened: the drawing loaded with the header, which is not loaded again.
    package static func decode(
        _ bytes: Span<UInt8>, header: ImageHeader, request: DecodeRequest,
        opened: OpenedDrawing? = nil
    ) throws(DecodeError) -> Picture {
        if let opened, let drawing = opened.take(for: request.limits) { return .vector(drawing) }
        switch try header.format.decode(bytes, header, request) {
        case .vector(let drawing): return .vector(drawing)
        case .raster(var pixels):
            guard request.defersOrientation else {
                return .raster(pixels.oriented(by: header.orientation))
            }
            pixels.pendingOrientation = header.orientation
            return .raster(pixels)
        }
    }
}

/// A decoded image: pixels, or a drawing that is rendered at each requested size.
package enum Picture: ~Copyable {
    /// Premultiplied sRGB pixels, already rotated unless `pendingOrientation` is set.
    case raster(PixelBuffer)
    case vector(VectorPicture)
}
