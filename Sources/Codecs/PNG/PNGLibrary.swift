import CShims
import Raster

/// Reads and writes PNG with libpng.
enum PNGLibrary {
    /// Decodes to straight RGBA.
    static func decode(
        _ bytes: Span<UInt8>, layout: PNGLayout, firstData: PNGChunk
    ) throws(DecodeError) -> PixelBuffer {
        var picture = PixelBuffer(size: layout.header.size)
        let stride = picture.bytesPerRow
        try unsafe picture.withUnsafeMutablePixels { pixels throws(DecodeError) in
            let place = unsafe RowPlace { row in unsafe pixels + row * stride }
            try read(bytes, layout: layout, firstData: firstData, to: place)
        }
        return picture
    }

    /// Decodes row by row to straight RGBA.
    static func read(
        _ bytes: Span<UInt8>, layout: PNGLayout, firstData: PNGChunk, to place: RowPlace
    ) throws(DecodeError) {
        let pieces = PNGPieces(layout, firstData: firstData)
        let size = layout.header.size
        let (status, words) = unsafe withMessage { message in
            unsafe pieces.withParts(of: bytes) { parts in
                var request = unsafe emb_png_read_request(
                    parts: parts.baseAddress, count: parts.count, width: UInt32(size.width),
                    height: UInt32(size.height),
                    place: { context, row in
                        guard let context = unsafe context else { return nil }
                        let place = unsafe Unmanaged<RowPlace>.fromOpaque(context)
                        return unsafe place.takeUnretainedValue().memory(Int(row))
                    }, context: Unmanaged.passUnretained(place).toOpaque())
                return withExtendedLifetime(place) {
                    unsafe emb_png_read(&request, message)
                }
            }
        }
        switch Int(status) {
        case EMB_PNG_OK: return
        case EMB_PNG_TRUNCATED, EMB_PNG_EMPTY: throw .truncated
        case EMB_PNG_NO_MEMORY: throw .limitDecode("no memory for a PNG")
        // `PNGRows` reports this error with the same text if libdeflate inflates the data.
        case _ where words == "bad adaptive filter value":
            throw .corrupt("a row has an unknown filter")
        default: throw .corrupt("the image data is damaged: \(words)")
        }
    }

    /// The memory for each decoded row.
    @safe
    final class RowPlace {
        /// Returns the memory of a row, before the row is decoded; nil discards it.
        let memory: (Int) -> UnsafeMutablePointer<UInt8>?

        init(_ memory: @escaping (Int) -> UnsafeMutablePointer<UInt8>?) {
            unsafe self.memory = memory
        }
    }

    /// Encodes packed rows at the library's default settings.
    static func encode(
        _ rows: borrowing PNGPackedRows, header: PNGHeader, palette: [UInt32]
    ) throws(EncodeError) -> [UInt8] {
        var file: UnsafeMutablePointer<UInt8>?
        var count = 0
        let (status, words) = unsafe withMessage { message in
            unsafe palette.withUnsafeBufferPointer { palette in
                var request = unsafe emb_png_write_request(
                    rows: rows.row(0).assumingMemoryBound(to: UInt8.self),
                    bytes_per_row: rows.stride, width: UInt32(header.size.width),
                    height: UInt32(header.size.height), bit_depth: Int32(header.bitDepth),
                    colour_type: Int32(header.colorType.rawValue), palette: palette.baseAddress,
                    palette_count: Int32(palette.count))
                return unsafe emb_png_write(&request, &file, &count, message)
            }
        }
        guard Int(status) == EMB_PNG_OK, let start = unsafe file else {
            throw .failed(.png, words.isEmpty ? "no memory" : words)
        }
        defer { unsafe emb_png_free(start) }
        return unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    }

    /// Calls `call` with a message buffer, and returns its status and the message of libpng.
    @unsafe
    private static func withMessage(
        _ call: (UnsafeMutablePointer<CChar>) -> Int32
    ) -> (status: Int32, words: String) {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 200) { room in
            guard let start = room.baseAddress else { return (Int32(EMB_PNG_NO_MEMORY), "") }
            unsafe start.initialize(repeating: 0, count: 200)
            let status = unsafe call(start)
            return (status, unsafe String(cString: start))
        }
    }
}
