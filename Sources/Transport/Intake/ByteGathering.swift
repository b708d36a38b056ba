/// Reads a stream into memory without ever holding much more than is allowed.
enum ByteGathering {
    /// Up to `limit` bytes in pieces of at least 64 KB, and whether more would have come.
    ///
    /// `expecting` sizes the first piece: a file of known size is read in one call and one more
    /// that finds the end.
    static func gather(
        limit: Int, expecting: Int,
        _ read: (Int, UnsafeMutableRawBufferPointer) throws(Errno) -> Int
    ) throws(Errno) -> (bytes: [UInt8], hasMore: Bool) {
        let ceiling = limit == .max ? limit : limit + 1
        var bytes: [UInt8] = []
        var piece = max(1, min(expecting + 1, ceiling))
        while true {
            let have = bytes.count
            if have == ceiling {
                bytes.removeLast()
                return (bytes, true)
            }
            let room = min(piece, ceiling - have)
            let taken = try unsafe bytes.appendBytes(room) { buffer throws(Errno) in
                try unsafe read(have, buffer)
            }
            if taken == 0 { return (bytes, false) }
            // Doubling keeps the copies few; the ceiling keeps the whole bounded.
            piece = taken < room ? room - taken : max(65_536, bytes.count)
        }
    }
}

extension [UInt8] {
    /// Grows by what `fill` writes into `room` bytes and returns how many that were.
    mutating func appendBytes<Failure: Error>(
        _ room: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        var taken = 0
        try append(addingCapacity: room) { span throws(Failure) in
            try unsafe span.withUnsafeMutableBufferPointer { buffer, count throws(Failure) in
                taken = try unsafe fill(
                    UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: room))
                count = taken
            }
        }
        return taken
    }
}
