import Raster

extension ImageFormat {
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

    /// Returns the size of the pixels, one byte per pixel of the frame, which is never larger than
    /// the canvas, and the row order.
    package static func memoryCost(of header: ImageHeader) -> Int {
        header.codedSize.byteCount.saturating(plus: header.codedSize.area)
            .saturating(plus: header.codedSize.height * MemoryLayout<Int>.stride + 64 << 10)
    }

    /// Decodes to premultiplied pixels; the canvas is transparent outside the frame.
    package static func decode(
        _ bytes: Span<UInt8>, request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer {
        let layout = try GIFLayout(ByteReader(bytes), limits: request.limits)
        let codes = GIFCodes(bytes, start: layout.dataStart, count: layout.frame.size.area)
        switch codes.end {
        case .whole: break
        case .cut: if !request.allowTruncated { throw .truncated }
        case .broken: throw .corrupt("an invalid code in a GIF")
        }
        var buffer = PixelBuffer(size: layout.canvas)
        let palette = palette(layout, bytes)
        paint(codes.indices, palette: palette, layout: layout, into: &buffer)
        buffer.isOpaque =
            layout.coversCanvas && layout.transparentIndex == nil && codes.end == .whole
        return buffer
    }

    /// Returns 256 pixels. A missing or short table is filled with opaque black, as in browsers;
    /// the transparent index is clear.
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

    private static func paint(
        _ indices: [UInt8], palette: [UInt32], layout: GIFLayout, into buffer: inout PixelBuffer
    ) {
        let canvas = layout.canvas
        let frame = layout.frame
        let rows = rows(frame.size.height, isInterlaced: layout.isInterlaced)
        unsafe buffer.withUnsafeMutablePixels { pixels in
            for (line, row) in rows.enumerated() {
                let start = line * frame.size.width
                guard start < indices.count else { break }
                let target = unsafe UnsafeMutableRawPointer(
                    pixels + ((frame.y + row) * canvas.width + frame.x) * 4)
                for x in 0..<min(frame.size.width, indices.count - start) {
                    let color = palette[Int(indices[start + x])]
                    unsafe target.storeBytes(of: color, toByteOffset: x * 4, as: UInt32.self)
                }
            }
        }
    }

    /// Returns the output row of each line of the data. An interlaced frame stores every eighth row
    /// first, then the rows in between.
    private static func rows(_ height: Int, isInterlaced: Bool) -> [Int] {
        guard isInterlaced else { return Array(0..<height) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { first, step in
            stride(from: first, to: height, by: step)
        }
    }
}
