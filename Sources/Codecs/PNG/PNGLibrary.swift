import CShims
import Raster

/// Reads and writes PNG with libpng.
enum PNGLibrary {
    /// Decodes to straight RGBA.
    static func decode(
        _ bytes: Span<UInt8>, layout: PNGLayout, firstData: PNGChunk
    ) throws(DecodeError) -> PixelBuffer {
        let size = layout.header.size
        var picture = PixelBuffer(size: size)
        let (status, words) = unsafe withMessage { message in
            unsafe picture.withUnsafeMutablePixels { pixels in
                unsafe withParts(of: bytes, layout, firstData) { parts in
                    var request = unsafe emb_png_read_request(
                        parts: parts.baseAddress, count: parts.count, width: UInt32(size.width),
                        height: UInt32(size.height), pixels: pixels)
                    return unsafe emb_png_read(&request, message)
                }
            }
        }
        switch Int(status) {
        case EMB_PNG_OK: return picture
        case EMB_PNG_TRUNCATED: throw .truncated
        case EMB_PNG_NO_MEMORY: throw .limitDecode("no memory for a PNG")
        // `PNGRows` reports this error with the same text if libdeflate inflates the data.
        case _ where words == "bad adaptive filter value":
            throw .corrupt("a row has an unknown filter")
        default: throw .corrupt("the image data is damaged: \(words)")
        }
    }

    /// Passes the chunks that define the image, as parts of a file in which every chunk is
    /// complete.
    @unsafe
    private static func withParts<Result>(
        of file: Span<UInt8>, _ layout: PNGLayout, _ firstData: PNGChunk,
        _ body: (UnsafeBufferPointer<emb_png_part>) -> Result
    ) -> Result {
        let last = layout.lastData ?? firstData
        // A truncated last chunk is declared complete; its checksum is not checked.
        let length = UInt32(truncatingIfNeeded: last.body.count)
        let head = [length, last.name].flatMap { number in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        // That checksum, and an IEND chunk.
        let tail: [UInt8] =
            [0, 0, 0, 0] + [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
        return unsafe file.withUnsafeBufferPointer { file in
            unsafe (head + tail).withUnsafeBufferPointer { made in
                var parts: [emb_png_part] = unsafe []
                func append(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
                    guard !range.isEmpty, let base = bytes.baseAddress else { return }
                    unsafe parts.append(
                        emb_png_part(bytes: base + range.lowerBound, length: range.count))
                }
                // Signature and image header.
                unsafe append(file, 0..<PNGSignature.count + 25)
                for case let range? in [layout.palette, layout.transparency] {
                    unsafe append(file, range.lowerBound - 8..<range.upperBound + 4)
                }
                unsafe append(file, firstData.body.lowerBound - 8..<last.body.lowerBound - 8)
                unsafe append(made, 0..<head.count)
                unsafe append(file, last.body)
                unsafe append(made, head.count..<made.count)
                return unsafe parts.withUnsafeBufferPointer { unsafe body($0) }
            }
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
