import CZlib
import Raster

/// The unfiltered rows of one pass of an image, inflated one or two at a time.
@safe
final class PNGPassRows {
    let pass: PNGPass
    private let header: PNGHeader
    private let data: PNGInflater
    /// The bytes of a row without its filter byte.
    private let count: Int
    /// The number of rows that are not inflated yet.
    private var left: Int
    /// The memory for two inflated rows, three unfiltered rows and a row of zeros.
    private let rows: UnsafeMutableRawPointer
    private let stride: Int
    /// The index of the unfiltered row that is written next.
    private var free = 0
    /// The previous row, unfiltered; zeros before the first row.
    private var above: UnsafeRawPointer
    /// A row that was unfiltered together with the row before it, for the next call of `next`.
    private var pendingRow: UnsafeRawPointer?

    init(of pass: PNGPass, in header: PNGHeader, _ data: PNGInflater) {
        self.pass = pass
        self.header = header
        self.data = data
        count = header.rowBytes(width: pass.size.width)
        left = pass.size.height
        stride = count + 1 + PNGFilter.slack
        unsafe rows = .allocate(byteCount: stride * 6, alignment: 16)
        unsafe rows.initializeMemory(as: UInt8.self, repeating: 0, count: stride * 6)
        unsafe above = UnsafeRawPointer(rows + stride * 5)
    }

    deinit {
        unsafe rows.deallocate()
    }

    /// The bytes of all rows as inflated.
    var byteCount: Int { (count + 1) * pass.size.height }

    /// Returns the next row, which is valid until the next call, or nil if the data ends before it
    /// or is damaged. `PNGFilter.slack` readable bytes follow the row.
    func next() throws(DecodeError) -> UnsafeRawPointer? {
        if let row = unsafe pendingRow {
            unsafe pendingRow = nil
            return unsafe row
        }
        guard let (row, filter) = try unsafe inflate(to: 0) else { return nil }
        guard filter == .paeth, header.filterStep <= 4,
            let (lower, other) = try unsafe inflate(to: 1)
        else { return unsafe undo(filter, row) }
        guard other == .paeth else {
            let first = unsafe undo(filter, row)
            unsafe pendingRow = undo(other, lower)
            return unsafe first
        }
        let results = unsafe (upper: nextFree(), lower: nextFree())
        unsafe PNGFilter.undoPaeth(
            row, lower, above: above, results: results, count: count, step: header.filterStep)
        unsafe above = UnsafeRawPointer(results.lower)
        unsafe pendingRow = above
        return unsafe UnsafeRawPointer(results.upper)
    }

    /// Inflates the next row to the buffer 0 or 1; returns nil if there is none.
    private func inflate(
        to index: Int
    ) throws(DecodeError) -> (row: UnsafeRawPointer, filter: PNGFilter)? {
        let row = unsafe rows + stride * index
        guard left > 0, unsafe data.read(count + 1, into: row) else { return nil }
        left -= 1
        guard let filter = unsafe PNGFilter(rawValue: row.load(as: UInt8.self)) else {
            throw .corrupt("a row has an unknown filter")
        }
        return unsafe (UnsafeRawPointer(row + 1), filter)
    }

    private func undo(_ filter: PNGFilter, _ row: UnsafeRawPointer) -> UnsafeRawPointer {
        let result = unsafe nextFree()
        unsafe filter.undo(
            row, above: above, result: result, count: count, step: header.filterStep)
        unsafe above = UnsafeRawPointer(result)
        return unsafe above
    }

    private func nextFree() -> UnsafeMutableRawPointer {
        let result = unsafe rows + stride * (2 + free)
        free = (free + 1) % 3
        return unsafe result
    }
}

extension PNGPass {
    func contains(row: Int) -> Bool { row >= firstRow && (row - firstRow) % rowStep == 0 }

    /// Copies the adjacent pixels of a row of this pass to their places in a row of the image.
    @unsafe
    func scatter(_ pixels: UnsafeRawPointer, to row: UnsafeMutableRawPointer) {
        let target = unsafe row + firstColumn * 4
        for column in 0..<size.width {
            unsafe target.storeBytes(
                of: pixels.load(fromByteOffset: column &* 4, as: UInt32.self),
                toByteOffset: column &* columnStep &* 4, as: UInt32.self)
        }
    }
}

/// The zlib stream in the image data chunks of a file, inflated in parts.
@safe
final class PNGInflater {
    private let file: UnsafeRawBufferPointer
    private let stream: UnsafeMutablePointer<z_stream>
    private var walker: PNGChunkWalker
    private var isEnded = false

    private static let skipBytes = 32 << 10

    /// Returns nil if there is no memory. `file` must outlive the value.
    init?(_ file: UnsafeRawBufferPointer, _ firstData: PNGChunk) {
        unsafe self.file = unsafe file
        walker = PNGChunkWalker(offset: firstData.body.lowerBound - 8)
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let status = unsafe inflateInit_(
            stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        if status != Z_OK { return nil }
    }

    /// Copies a stream at its current position; returns nil if there is no memory.
    init?(copy other: PNGInflater) {
        unsafe file = unsafe other.file
        walker = other.walker
        isEnded = other.isEnded
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        if unsafe inflateCopy(stream, other.stream) != Z_OK { return nil }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Inflates exactly `count` bytes; returns false if the data ends early or is damaged.
    @unsafe
    func read(_ count: Int, into target: UnsafeMutableRawPointer) -> Bool {
        unsafe stream.pointee.next_out = target.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = UInt32(clamping: count)
        while unsafe stream.pointee.avail_out > 0 {
            guard !isEnded, refillInput(), advance() else { return false }
        }
        return true
    }

    /// Discards `count` bytes; returns false if the data ends early or is damaged.
    func skip(_ count: Int) -> Bool {
        unsafe withUnsafeTemporaryAllocation(byteCount: Self.skipBytes, alignment: 16) { room in
            guard let target = room.baseAddress else { return false }
            var left = count
            while left > 0 {
                guard unsafe read(min(left, Self.skipBytes), into: target) else { return false }
                left -= min(left, Self.skipBytes)
            }
            return true
        }
    }

    /// Returns whether the stream ends here and its checksum is right. The IEND chunk may be
    /// missing.
    func isAtEnd() -> Bool {
        var surplus: UInt8 = 0
        return unsafe withUnsafeMutablePointer(to: &surplus) { target in
            unsafe stream.pointee.next_out = target
            unsafe stream.pointee.avail_out = 1
            while !isEnded {
                guard refillInput(), advance(), unsafe stream.pointee.avail_out > 0 else {
                    return false
                }
            }
            return true
        }
    }

    /// Inflates as much as input and output permit; returns false if the data is damaged.
    private func advance() -> Bool {
        let status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        isEnded = status == Z_STREAM_END
        return isEnded || status == Z_OK
    }

    /// Moves to the next chunk at the end of the current one; returns false after the last one.
    private func refillInput() -> Bool {
        let bytes = unsafe Span<UInt8>(_unsafeBytes: file)
        while unsafe stream.pointee.avail_in == 0 {
            guard let chunk = next(in: bytes), chunk.name == PNGChunk.imageData else {
                return false
            }
            let body = unsafe UnsafeRawBufferPointer(rebasing: file[chunk.body])
            // zlib does not write through next_in.
            unsafe stream.pointee.next_in = UnsafeMutablePointer(
                mutating: body.assumingMemoryBound(to: UInt8.self).baseAddress)
            unsafe stream.pointee.avail_in = UInt32(clamping: body.count)
        }
        return true
    }

    private func next(in bytes: Span<UInt8>) -> PNGChunk? {
        do throws(DecodeError) {
            return try walker.next(in: bytes)
        } catch {
            return nil
        }
    }
}
