/// The file around the chunks of one lossy picture and its alpha (RFC 9649).
enum WebPFile {
    /// Where the first chunk of a name has its content, in a file that libwebp made.
    static func body(of name: StaticString, in file: Span<UInt8>) -> Range<Int>? {
        let reader = ByteReader(file)
        var offset = 12
        while let length = reader.little32(offset + 4), offset + 8 + length <= reader.count {
            let body = offset + 8..<offset + 8 + length
            if reader.holds(name, at: offset) { return body }
            offset = body.upperBound + length & 1
        }
        return nil
    }

    /// A file of an opaque picture.
    static func plain(_ picture: Span<UInt8>) -> [UInt8] {
        var file = started(room: 20 + picture.count + picture.count & 1)
        append("VP8 ", picture, to: &file)
        return file
    }

    /// A file of a picture of this size with its alpha.
    static func joined(width: Int, height: Int, alpha: [UInt8], picture: Span<UInt8>) -> [UInt8] {
        let room = 30 + 8 + alpha.count + alpha.count & 1 + 8 + picture.count + picture.count & 1
        var file = started(room: room)
        file += "VP8X".utf8
        append(10, bytes: 4, to: &file)
        // The one flag that is set says that there is alpha.
        append(0x10, bytes: 4, to: &file)
        append(width - 1, bytes: 3, to: &file)
        append(height - 1, bytes: 3, to: &file)
        append("ALPH", alpha.span, to: &file)
        append("VP8 ", picture, to: &file)
        return file
    }

    private static func started(room: Int) -> [UInt8] {
        var file: [UInt8] = []
        file.reserveCapacity(room)
        file += "RIFF".utf8
        append(room - 8, bytes: 4, to: &file)
        file += "WEBP".utf8
        return file
    }

    private static func append(_ name: String, _ body: Span<UInt8>, to file: inout [UInt8]) {
        file += name.utf8
        append(body.count, bytes: 4, to: &file)
        unsafe body.withUnsafeBufferPointer { unsafe file.append(contentsOf: $0) }
        if body.count & 1 == 1 { file.append(0) }
    }

    private static func append(_ number: Int, bytes: Int, to file: inout [UInt8]) {
        for index in 0..<bytes { file.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
}
