import Raster

/// The positions of the image and the metadata in a WebP file, found by reading its chunks before
/// libwebp is called.
struct WebPChunks {
    /// The canvas size, or the image size if there is no canvas.
    var canvas = PixelSize(width: 0, height: 0)
    /// The first image's data: an optional alpha chunk and a VP8 or VP8L chunk.
    var picture: Range<Int>?
    /// The rectangle of the first image on the canvas.
    var frame = PixelRect(x: 0, y: 0, width: 0, height: 0)
    var hasAlpha = false
    var isAnimated = false
    var isLossless = false
    /// Whether the image chunk extends past the end of the bytes.
    var isTruncated = false
    var orientation = Orientation.up
    var profile: Range<Int>?

    /// Whether the file has a `VP8X` chunk, which states the canvas size.
    private var hasCanvas = false
    /// The offset of the alpha chunk of a still image.
    private var pictureStart: Int?

    /// Reads all chunks: the first image, and the metadata before and after it.
    init(_ bytes: Span<UInt8>, limits: DecodeLimits) throws(DecodeError) {
        let reader = ByteReader(bytes)
        guard let riffSize = reader.little32(4), reader.count >= 16 else { throw .truncated }
        // The greatest size that the format allows.
        guard riffSize <= 0xFFFF_FFF6 - 8 else { throw .corrupt("an invalid WebP size") }
        var offset = 12
        while offset < reader.count, let length = reader.little32(offset + 4) {
            let body = offset + 8
            let end = min(body + length, reader.count)
            try readChunk(
                ByteReader(bytes), offset: offset, body: body..<max(body, end),
                isChunkTruncated: body + length > reader.count, limits: limits)
            if picture == nil, isTruncated { break }
            offset = body + length + length & 1
        }
        guard canvas.width > 0 else { throw .truncated }
    }

    private mutating func readChunk(
        _ reader: borrowing ByteReader, offset: Int, body: Range<Int>, isChunkTruncated: Bool,
        limits: DecodeLimits
    ) throws(DecodeError) {
        if reader.holds("VP8X", at: offset) {
            guard offset == 12 else { return }
            try readCanvas(reader, at: body.lowerBound, limits: limits)
        } else if reader.holds("ANMF", at: offset) {
            guard picture == nil, pictureStart == nil else { return }
            try readFrame(reader, body: body, isChunkTruncated: isChunkTruncated)
        } else if reader.holds("ICCP", at: offset) {
            if !isChunkTruncated, profile == nil { profile = body }
        } else if reader.holds("EXIF", at: offset) {
            if !isChunkTruncated {
                orientation = ExifOrientation.read(reader.bytes.extracting(body))
            }
        } else if !isAnimated {
            try readPicture(
                reader, offset: offset, body: body, isChunkTruncated: isChunkTruncated,
                limits: limits)
        }
    }

    private mutating func readCanvas(
        _ reader: borrowing ByteReader, at offset: Int, limits: DecodeLimits
    ) throws(DecodeError) {
        guard let flags = reader.u8(offset), let width = reader.little24(offset + 4),
            let height = reader.little24(offset + 7)
        else { throw .truncated }
        hasCanvas = true
        isAnimated = flags & 0x02 != 0
        hasAlpha = flags & 0x10 != 0
        canvas = PixelSize(width: width + 1, height: height + 1)
        frame = PixelRect(canvas)
        try limits.check(canvas)
    }

    private mutating func readFrame(
        _ reader: borrowing ByteReader, body: Range<Int>, isChunkTruncated: Bool
    ) throws(DecodeError) {
        let start = body.lowerBound
        guard hasCanvas else { throw .corrupt("a WebP frame without a canvas") }
        guard let x = reader.little24(start), let y = reader.little24(start + 3),
            let width = reader.little24(start + 6), let height = reader.little24(start + 9),
            body.count >= 16
        else {
            isTruncated = true
            return
        }
        frame = PixelRect(x: x * 2, y: y * 2, width: width + 1, height: height + 1)
        guard frame.isInside(canvas) else { throw .corrupt("a WebP frame outside its canvas") }
        picture = start + 16..<body.upperBound
        isTruncated = isChunkTruncated
    }

    /// Reads the alpha and image chunks of a still image.
    private mutating func readPicture(
        _ reader: borrowing ByteReader, offset: Int, body: Range<Int>, isChunkTruncated: Bool,
        limits: DecodeLimits
    ) throws(DecodeError) {
        if reader.holds("ALPH", at: offset), hasCanvas {
            if pictureStart == nil { pictureStart = offset }
            isTruncated = isChunkTruncated
            return
        }
        isLossless = reader.holds("VP8L", at: offset)
        guard isLossless || reader.holds("VP8 ", at: offset), picture == nil else { return }
        picture = (pictureStart ?? offset)..<body.upperBound
        isTruncated = isChunkTruncated
        let start = body.lowerBound
        let size: PixelSize
        if isLossless {
            guard let bits = reader.little32(start + 1) else { throw .truncated }
            guard reader.u8(start) == 0x2F else { throw .corrupt("a broken lossless WebP") }
            size = PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
            if !hasCanvas { hasAlpha = bits >> 28 & 1 == 1 }
        } else {
            guard let width = reader.little16(start + 6), let height = reader.little16(start + 8)
            else { throw .truncated }
            guard reader.little24(start + 3) == 0x2A019D else {
                throw .corrupt("a broken WebP key frame")
            }
            size = PixelSize(width: width & 0x3FFF, height: height & 0x3FFF)
        }
        if !hasCanvas {
            canvas = size
            frame = PixelRect(size)
        }
        guard size == canvas else {
            throw .corrupt(
                "a WebP picture with another size than its canvas")
        }
        try limits.check(canvas)
    }
}

/// The container around the chunks of an image or animation (RFC 9649).
struct WebPFile {
    private(set) var bytes: [UInt8] = []

    /// Creates a file with the chunks that `write` appends.
    init(bytesExpected: Int = 0, _ write: (inout WebPFile) throws(EncodeError) -> Void)
        throws(EncodeError)
    {
        bytes.reserveCapacity(12 + bytesExpected)
        append("RIFF")
        append(little: 0, bytes: 4)
        append("WEBP")
        try write(&self)
        setLength(of: bytes.count - 8, at: 4)
    }

    /// Returns the content of the first chunk of a name, in a file made by libwebp.
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

    /// Returns a file with the colours of an image and its alpha, unless that is empty.
    static func image(width: Int, height: Int, alpha: [UInt8], colors: Span<UInt8>)
        throws(EncodeError) -> [UInt8]
    {
        try WebPFile(bytesExpected: colors.count + alpha.count + 64) { file in
            if !alpha.isEmpty {
                file.appendCanvas(flags: hasAlpha, width: width, height: height)
                file.chunk("ALPH") { $0.bytes += alpha }
            }
            file.chunk("VP8 ") { file in
                unsafe colors.withUnsafeBufferPointer { unsafe file.bytes.append(contentsOf: $0) }
            }
        }.bytes
    }

    /// The flag of a canvas whose image has alpha.
    static let hasAlpha = 0x10

    mutating func appendCanvas(flags: Int, width: Int, height: Int) {
        chunk("VP8X") { chunk in
            chunk.append(little: flags, bytes: 4)
            chunk.append(little: width - 1, bytes: 3)
            chunk.append(little: height - 1, bytes: 3)
        }
    }

    mutating func append(little value: Int, bytes count: Int) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    /// Appends a chunk: a name, a length and a body padded to an even length.
    mutating func chunk(_ name: StaticString, _ write: (inout WebPFile) -> Void) {
        append(name)
        append(little: 0, bytes: 4)
        let start = bytes.count
        write(&self)
        setLength(of: bytes.count - start, at: start - 4)
        if (bytes.count - start) & 1 == 1 { bytes.append(0) }
    }

    /// Appends the chunks of a still WebP file, except `VP8X`.
    mutating func appendPicture(of file: [UInt8]) {
        var offset = 12
        while offset + 8 <= file.count {
            let length = (0..<4).reduce(0) { $0 | Int(file[offset + 4 + $1]) << (8 * $1) }
            let end = min(file.count, offset + 8 + length + length % 2)
            if !file[offset..<offset + 4].elementsEqual("VP8X".utf8) {
                bytes += file[offset..<end]
            }
            offset = max(end, offset + 8)
        }
    }

    private mutating func append(_ name: StaticString) {
        name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    private mutating func setLength(of count: Int, at offset: Int) {
        for index in 0..<4 {
            bytes[offset + index] = UInt8(truncatingIfNeeded: count >> (8 * index))
        }
    }
}
