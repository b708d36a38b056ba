import Raster

/// The sizes that a HEIF or AVIF file declares, read before the library sees them.
struct HEIFSizes {
    /// The longest side among all items.
    private(set) var edge = 0
    private var hasItems = false

    /// Holds every declared size against the limits; a box that ends past the file is truncation.
    init(_ bytes: Span<UInt8>, limits: DecodeLimits) throws(DecodeError) {
        try walk(ByteReader(bytes), in: 0..<bytes.count, depth: 0, limits: limits)
        // The items of a picture stand before its pixels: without them, the file ended too early.
        guard hasItems else { throw .truncated }
    }

    private mutating func walk(
        _ reader: borrowing ByteReader, in range: Range<Int>, depth: Int, limits: DecodeLimits
    ) throws(DecodeError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            guard let declared = reader.big32(offset), offset + 8 <= reader.count else {
                throw .truncated
            }
            var head = 8
            var length = declared
            if declared == 1 {
                guard let high = reader.big32(offset + 8), let low = reader.big32(offset + 12)
                else { throw .truncated }
                guard high == 0 else { throw .truncated }
                (head, length) = (16, low)
            } else if declared == 0 {
                length = range.upperBound - offset
            }
            guard length >= head else { throw .corrupt("a box of impossible length") }
            let end = offset + length
            // Only the last box, the pixels, may end early; the library then says what is missing.
            let isPixels = reader.holds("mdat", at: offset + 4) && depth == 0
            guard end <= range.upperBound || isPixels else {
                throw end > reader.count ? .truncated : .corrupt("a box that ends outside its own")
            }
            let body = offset + head
            if reader.holds("meta", at: offset + 4), depth == 0 {
                hasItems = true
                try walk(reader, in: min(body + 4, end)..<end, depth: 1, limits: limits)
            } else if reader.holds("iprp", at: offset + 4) || reader.holds("ipco", at: offset + 4),
                depth == 1 || depth == 2
            {
                try walk(reader, in: body..<end, depth: depth + 1, limits: limits)
            } else if reader.holds("ispe", at: offset + 4), depth == 3,
                let width = reader.big32(body + 4), let height = reader.big32(body + 8)
            {
                try limits.check(PixelSize(width: width, height: height))
                edge = max(edge, width, height)
            }
            offset = end
        }
    }
}
