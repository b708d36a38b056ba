import CZlib

/// The image data of a PNG, inflated piece by piece from its chunks.
///
/// This is the path of pictures that do not fit the memory allowed, and the judge of those that
/// libdeflate refuses: it knows where the data ends and why.
@safe
struct PNGStream: ~Copyable {
    private let state: UnsafeMutablePointer<z_stream>
    private let bytes: UnsafeRawBufferPointer
    private var walker: PNGChunkWalker
    private var isAtEnd = false

    /// The caller keeps `bytes` alive for as long as the stream.
    @unsafe
    init(_ bytes: UnsafeRawBufferPointer, firstData: PNGChunk) throws(DecodeError) {
        unsafe self.bytes = unsafe bytes
        walker = PNGChunkWalker(offset: firstData.body.lowerBound - 8)
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: z_stream())
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe inflateInit_(state, ZLIB_VERSION, size) == Z_OK else {
            // Without a state of zlib's own, ending it does nothing.
            throw .limitDecode("no memory for inflating")
        }
    }

    deinit {
        unsafe inflateEnd(state)
        unsafe state.deallocate()
    }

    /// Fills up to `count` bytes and returns how many there were; fewer mean that the data ends.
    @unsafe
    mutating func read(
        _ count: Int, into result: UnsafeMutableRawPointer
    ) throws(DecodeError) -> Int {
        var done = 0
        while done < count, !isAtEnd {
            let part = min(count - done, 1 << 30)
            unsafe state.pointee.next_out = (result + done).assumingMemoryBound(to: UInt8.self)
            unsafe state.pointee.avail_out = UInt32(part)
            let outcome = unsafe inflate(state, Z_NO_FLUSH)
            done += part - Int(unsafe state.pointee.avail_out)
            switch outcome {
            case Z_OK, Z_BUF_ERROR:
                if unsafe state.pointee.avail_in == 0, done < count {
                    try refill()
                }
            case Z_STREAM_END:
                isAtEnd = true
            case Z_MEM_ERROR:
                throw .limitDecode("no memory for inflating")
            default:
                throw .corrupt("the image data is damaged")
            }
        }
        return done
    }

    /// Looks behind the last pixel: surplus data is fine, so is none; a wrong checksum is not.
    mutating func checkEnd() throws(DecodeError) {
        var surplus: UInt64 = 0
        _ = try unsafe withUnsafeMutableBytes(of: &surplus) { buffer throws(DecodeError) -> Int in
            guard let base = buffer.baseAddress else { return 0 }
            return try unsafe read(1, into: base)
        }
    }

    /// Hands zlib the next chunk of image data.
    private mutating func refill() throws(DecodeError) {
        let span = unsafe Span<UInt8>(_unsafeBytes: bytes)
        guard let chunk = try walker.next(in: span), chunk.name == PNGChunk.imageData else {
            isAtEnd = true
            return
        }
        let body = unsafe UnsafeRawBufferPointer(rebasing: bytes[chunk.body])
        unsafe state.pointee.next_in = UnsafeMutablePointer(
            mutating: body.baseAddress?.assumingMemoryBound(to: UInt8.self))
        unsafe state.pointee.avail_in = UInt32(body.count)
    }
}
