import CZlib

/// Inflates gzip, one member after the other, in pieces of bounded size.
@safe
struct GzipInflater: ~Copyable {
    // zlib keeps the address of its state, so the state must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var isBetweenMembers = false

    /// Nil if zlib has no memory for its window.
    init?() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // 15 bits of window, 16 for "expect a gzip header".
        let result = unsafe inflateInit2_(
            stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        if result != Z_OK {
            unsafe stream.deallocate()
            return nil
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Inflates a piece and hands on what comes out, 64 KB at most at a time; false if the data
    /// is damaged.
    mutating func inflate(
        _ input: Span<UInt8>, _ take: (Span<UInt8>) throws(ListError) -> Void
    ) throws(ListError) -> Bool {
        var output = [UInt8](repeating: 0, count: 65_536)
        var start = 0
        while start < input.count {
            if isBetweenMembers {
                // Zeros after the last member are padding, as tar and tapes leave it.
                if input[start] == 0 {
                    start += 1
                    continue
                }
                guard unsafe inflateReset(stream) == Z_OK else { return false }
                isBetweenMembers = false
            }
            let (used, made, result) = step(input.extracting(start...), &output)
            start += used
            if made > 0 { try take(output.span.extracting(..<made)) }
            switch result {
            case Z_STREAM_END: isBetweenMembers = true
            case Z_OK: break
            case Z_BUF_ERROR where used > 0 || made > 0: break
            default: return false
            }
        }
        return try drain(&output, take)
    }

    /// The input ended where a member ends.
    var isComplete: Bool { isBetweenMembers }

    /// What zlib still holds back when the input is used up but its output buffer was full.
    private mutating func drain(
        _ output: inout [UInt8], _ take: (Span<UInt8>) throws(ListError) -> Void
    ) throws(ListError) -> Bool {
        let nothing: [UInt8] = []
        while !isBetweenMembers {
            let (_, made, result) = step(nothing.span, &output)
            if made > 0 { try take(output.span.extracting(..<made)) }
            if result == Z_STREAM_END { isBetweenMembers = true }
            if result == Z_BUF_ERROR || made == 0 { return true }
            if result != Z_OK, result != Z_STREAM_END { return false }
        }
        return true
    }

    private mutating func step(
        _ input: Span<UInt8>, _ output: inout [UInt8]
    ) -> (used: Int, made: Int, result: Int32) {
        let room = output.count
        var span = output.mutableSpan
        return unsafe input.withUnsafeBufferPointer { source in
            unsafe span.withUnsafeMutableBufferPointer { target in
                // zlib does not write through next_in.
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(clamping: source.count)
                unsafe stream.pointee.next_out = target.baseAddress
                unsafe stream.pointee.avail_out = UInt32(clamping: room)
                let result = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
                let used = unsafe source.count - Int(stream.pointee.avail_in)
                let made = unsafe room - Int(stream.pointee.avail_out)
                unsafe stream.pointee.next_in = nil
                unsafe stream.pointee.next_out = nil
                return (used, made, result)
            }
        }
    }
}
