import CZlib
import Glibc

/// Copies a list that cannot be read twice, or is not UTF-8, to a scratch file in UTF-8.
struct ListSpool {
    static let bytesLimit: Int64 = 16 << 30

    private let name: String
    private let limit: Int64
    private let scratch: ScratchFile
    private var size: Int64 = 0
    /// The converter of a text in UTF-16.
    private var reader: UTF16Reader?

    /// Reads `descriptor` from its present position to the end.
    static func copy(
        _ descriptor: Int32, named name: String, to folder: FilePath,
        limit: Int64 = bytesLimit
    ) throws(ListError) -> SharedDescriptor {
        let scratch = try ListError.wrap(name, ListError.Reason.scratch) { () throws(Errno) in
            try ScratchFile(in: folder)
        }
        var spool = ListSpool(name: name, limit: limit, scratch: scratch)
        try spool.copy(descriptor)
        return scratch.shared
    }

    private init(name: String, limit: Int64, scratch: ScratchFile) {
        self.name = name
        self.limit = limit
        self.scratch = scratch
    }

    /// Copies the text. Throws if a regular file changes in the meantime; for a stream this cannot
    /// be checked.
    private mutating func copy(_ descriptor: Int32) throws(ListError) {
        let before = try facts(of: descriptor)
        try copyAll(descriptor)
        guard before.kind == .file else { return }
        guard try facts(of: descriptor).haveSameBytes(as: before, sameEntry: true) else {
            throw ListError(file: name, .changed)
        }
    }

    private func facts(of descriptor: Int32) throws(ListError) -> FileFacts {
        try reading { () throws(Errno) in try SystemCalls.facts(of: descriptor) }
    }

    private func reading<Value>(_ body: () throws(Errno) -> Value) throws(ListError) -> Value {
        try ListError.wrap(name, ListError.Reason.init(reading:), body)
    }

    private mutating func copyAll(_ descriptor: Int32) throws(ListError) {
        var piece = try nextPiece(descriptor, atLeast: 2)
        if piece.starts(with: [0x1F, 0x8B]) {
            try inflate(descriptor, first: piece)
        } else {
            while !piece.isEmpty {
                try write(piece.span)
                piece = try nextPiece(descriptor, atLeast: 1)
            }
        }
        if var reader {
            try store(reader.finish().span)
        }
    }

    private mutating func inflate(_ descriptor: Int32, first: [UInt8]) throws(ListError) {
        guard var inflater = GzipInflater() else {
            throw ListError(file: name, .unreadable("\(Errno(ENOMEM))"))
        }
        var piece = first
        while !piece.isEmpty {
            let isSound = try inflater.inflate(piece.span) { output throws(ListError) in
                try write(output)
            }
            guard isSound else {
                throw ListError(file: name, .malformed("the gzip data is damaged"))
            }
            piece = try nextPiece(descriptor, atLeast: 1)
        }
        guard inflater.isComplete else {
            throw ListError(file: name, .malformed("the gzip data ends too early"))
        }
    }

    private func nextPiece(_ descriptor: Int32, atLeast least: Int) throws(ListError) -> [UInt8] {
        var piece: [UInt8] = []
        try reading { () throws(Errno) in
            while piece.count < least {
                let taken = try unsafe piece.appendBytes(65_536) { buffer throws(Errno) in
                    try unsafe SystemCalls.read(descriptor, into: buffer)
                }
                if taken == 0 { break }
            }
        }
        return piece
    }

    /// Writes bytes of the list in UTF-8.
    private mutating func write(_ bytes: Span<UInt8>) throws(ListError) {
        if size == 0, reader == nil { reader = UTF16Reader(bytes) }
        if reader != nil {
            let text = reader?.read(bytes) ?? []
            try store(text.span)
        } else {
            try store(bytes)
        }
    }

    private mutating func store(_ bytes: Span<UInt8>) throws(ListError) {
        guard Int64(bytes.count) <= limit - size else {
            throw ListError(file: name, .tooLarge(limit: limit))
        }
        try ListError.wrap(name, ListError.Reason.scratch) { () throws(Errno) in
            try scratch.write(bytes, at: size)
        }
        size += Int64(bytes.count)
    }
}

/// Inflates gzip members one after the other, in pieces of bounded size.
@safe
struct GzipInflater: ~Copyable {
    // zlib keeps the address of its state, so the state must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var isBetweenMembers = false

    init?() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // A window of 2^15 bytes; adding 16 selects the gzip format.
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

    /// Inflates a piece and passes the result on in pieces of at most 64 KB; returns false if the
    /// data is damaged.
    mutating func inflate<Failure: Error>(
        _ input: Span<UInt8>, _ take: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        var output = [UInt8](repeating: 0, count: 65_536)
        var start = 0
        while start < input.count {
            if isBetweenMembers {
                // Zeros after the last member are padding, as written by tar.
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

    /// Whether the input ended at the end of a member.
    var isComplete: Bool { isBetweenMembers }

    /// Passes on the rest of the output that zlib still holds after the input was used up.
    private mutating func drain<Failure: Error>(
        _ output: inout [UInt8], _ take: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
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
