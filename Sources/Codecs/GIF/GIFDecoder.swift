import Raster

extension ImageFormat {
    package static let gif = ImageFormat(
        "gif", fileExtensions: ["gif"], reader: CodecName("emblem"),
        recognizes: { bytes in
            let reader = ByteReader(bytes)
            return reader.holds("GIF87a", at: 0) || reader.holds("GIF89a", at: 0)
        },
        header: GIFDecoder.header,
        memoryCost: GIFDecoder.memoryCost,
        decode: { bytes, header, request throws(DecodeError) in
            .raster(try GIFDecoder.decode(bytes, header: header, request: request))
        })
}

/// Reads the first frame of a GIF onto its canvas; later frames are not decoded.
package enum GIFDecoder {
    /// Reads the blocks before the first frame and checks them against the limits.
    package static func header(
        of bytes: Span<UInt8>, limits: DecodeLimits
    ) throws(DecodeError) -> ImageHeader {
        let reader = ByteReader(bytes)
        let layout = try GIFLayout(reader, limits: limits)
        return ImageHeader(
            format: .gif, codedSize: layout.canvas,
            hasAlpha: layout.transparentIndex != nil || !layout.coversCanvas,
            colorModel: .palette, isProgressive: layout.isInterlaced,
            isAnimated: layout.hasSecondFrame(reader))
    }

    /// Returns the most bytes that `decode` holds: the image or the halved image, and with halving
    /// up to four copies of the LZW state.
    package static func memoryCost(of header: ImageHeader, request: DecodeRequest) -> Int {
        let halvings = request.halvings(of: header)
        let pixels =
            halvings > 0
            ? RowHalver.memoryCost(header.codedSize, halvings: halvings)
            : header.codedSize.byteCount
        let states = (header.codedSize.width.saturating(plus: 48 << 10)).saturating(times: 5)
        return pixels.saturating(plus: states)
    }

    /// Decodes to premultiplied pixels; the canvas is transparent outside the frame.
    package static func decode(
        _ bytes: Span<UInt8>, header: ImageHeader, request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer {
        let layout = try GIFLayout(ByteReader(bytes), limits: request.limits)
        let palette = palette(layout, bytes)
        let halvings = request.halvings(of: header)
        let isOpaque = layout.coversCanvas && layout.transparentIndex == nil
        return try unsafe bytes.withUnsafeBufferPointer { file throws(DecodeError) in
            let codes = unsafe GIFCodes(file, layout)
            if halvings > 0 {
                return try halved(codes, layout, palette, halvings, isOpaque)
            }
            var picture = PixelBuffer(size: layout.canvas)
            unsafe picture.withUnsafeMutablePixels { pixels in
                for pass in passes(of: layout) {
                    for row in stride(from: pass.first, to: layout.frame.size.height, by: pass.by) {
                        guard let indices = unsafe codes.next() else { return }
                        let first = (layout.frame.y + row) * layout.canvas.width
                        unsafe paint(indices, palette, layout, into: pixels + first * 4)
                    }
                }
            }
            try check(codes.end)
            picture.isOpaque = isOpaque
            return picture
        }
    }

    /// Decodes a large image without keeping its rows.
    ///
    /// A copy of the LZW state is kept at the start of each of the four passes of an interlaced
    /// frame. The rows are then read from top to bottom, each from the state of its pass.
    private static func halved(
        _ codes: GIFCodes, _ layout: GIFLayout, _ palette: [UInt32], _ halvings: Int,
        _ isOpaque: Bool
    ) throws(DecodeError) -> PixelBuffer {
        let (frame, canvas) = (layout.frame, layout.canvas)
        let passes = passes(of: layout)
        var states = [codes]
        if layout.isInterlaced {
            states = []
            for pass in passes {
                states.append(GIFCodes(copy: codes))
                for _ in stride(from: pass.first, to: frame.size.height, by: pass.by) {
                    _ = unsafe codes.next()
                }
            }
        }
        if codes.end != nil { try check(codes.end) }
        let halver = RowHalver(canvas, halvings: halvings)
        while !halver.isComplete {
            let row = halver.count - frame.y
            unsafe halver.next.update(repeating: 0, count: canvas.width * 4)
            if row >= 0, row < frame.size.height,
                let index = passes.firstIndex(where: { row % $0.by == $0.first })
            {
                if let indices = unsafe states[index].next() {
                    unsafe paint(indices, palette, layout, into: halver.next)
                } else {
                    try check(codes.end)
                }
            }
            halver.take()
        }
        try check(codes.end)
        return halver.finish(isOpaque: isOpaque)
    }

    /// Throws if rows are missing.
    private static func check(_ end: GIFCodes.End?) throws(DecodeError) {
        switch end {
        case .whole: return
        case .broken: throw .corrupt("an invalid code in a GIF")
        case .truncated, nil: throw .truncated
        }
    }

    /// Returns the palette as 256 pixels. A missing or short table is filled with opaque black, as
    /// in browsers; the transparent index is clear.
    private static func palette(_ layout: GIFLayout, _ bytes: Span<UInt8>) -> [UInt32] {
        var palette = [UInt32](repeating: UInt32(littleEndian: 0xFF00_0000), count: 256)
        for index in 0..<min(256, layout.colors.count / 3) {
            let offset = layout.colors.lowerBound + index * 3
            let color =
                UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8
                | UInt32(bytes[offset + 2]) << 16 | 0xFF00_0000
            palette[index] = UInt32(littleEndian: color)
        }
        if let index = layout.transparentIndex { palette[index] = 0 }
        return palette
    }

    /// Writes the pixels of a row of the frame to a row of the canvas.
    @unsafe
    private static func paint(
        _ indices: UnsafeBufferPointer<UInt8>, _ palette: [UInt32], _ layout: GIFLayout,
        into row: UnsafeMutablePointer<UInt8>
    ) {
        let target = UnsafeMutableRawPointer(row)
        for x in 0..<indices.count {
            let color = unsafe palette[Int(indices[x])]
            unsafe target.storeBytes(
                of: color, toByteOffset: (layout.frame.x + x) * 4, as: UInt32.self)
        }
    }

    /// Returns the passes of the frame in the order of the data: for each, the first row and the
    /// distance to the next row. A frame that is not interlaced has one pass.
    private static func passes(of layout: GIFLayout) -> [(first: Int, by: Int)] {
        layout.isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
    }
}
