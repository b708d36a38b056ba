import Raster

extension ImageFormat {
    package static let gif = ImageFormat(
        "gif", fileExtensions: ["gif"], reader: CodecName("emblem"),
        recognizes: { bytes in
            let reader = ByteReader(bytes)
            return reader.holds("GIF87a", at: 0) || reader.holds("GIF89a", at: 0)
        },
        header: GIFDecoder.header,
        memoryCost: { header, _ in GIFDecoder.memoryCost(of: header) },
        decode: { bytes, _, request throws(DecodeError) in
            .raster(try GIFDecoder.decode(bytes, request: request))
        })
}

/// Reads the first frame of a GIF onto its canvas; later frames are not decoded.
package enum GIFDecoder {
    /// Reads the blocks before the first frame and checks them against the limits.
    package static func header(
        of bytes: Span<UInt8>, limits: DecodeLimits
    ) throws(DecodeError) -> ImageHeader {
        let reader = ByteReader(bytes)
        let layout = try GIFLayout(reader, limits: limits)
        return ImageHeader(
            format: .gif, codedSize: layout.canvas,
            hasAlpha: layout.transparentIndex != nil || !layout.coversCanvas,
            colorModel: .palette, isProgressive: layout.isInterlaced,
            isAnimated: layout.hasSecondFrame(reader))
    }

    /// Returns the most bytes that `decode` holds: the image, its indices and the LZW state.
    package static func memoryCost(of header: ImageHeader) -> Int {
        header.codedSize.byteCount.saturating(plus: header.codedSize.area)
            .saturating(plus: 48 << 10)
    }

    /// Decodes to premultiplied pixels; the canvas is transparent outside the frame.
    package static func decode(
        _ bytes: Span<UInt8>, request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer {
        let layout = try GIFLayout(ByteReader(bytes), limits: request.limits)
        let palette = palette(layout, bytes)
        let indices = try unsafe bytes.withUnsafeBufferPointer { file throws(DecodeError) in
            try unsafe GIFCodes.indices(file, layout)
        }
        let (frame, width) = (layout.frame, layout.canvas.width)
        var picture = PixelBuffer(size: layout.canvas)
        unsafe picture.withUnsafeMutablePixels { pixels in
            let target = UnsafeMutableRawPointer(pixels)
            var next = 0
            for pass in passes(of: layout) {
                for row in stride(from: pass.first, to: frame.height, by: pass.by) {
                    let start = (frame.y + row) * width + frame.x
                    for x in 0..<frame.width {
                        unsafe target.storeBytes(
                            of: palette[Int(indices[next + x])], toByteOffset: (start + x) * 4,
                            as: UInt32.self)
                    }
                    next += frame.width
                }
            }
        }
        picture.isOpaque = layout.coversCanvas && layout.transparentIndex == nil
        return picture
    }

    /// Returns the palette as 256 pixels. A missing or short table is filled with opaque black, as
    /// in browsers; the transparent index is clear.
    private static func palette(_ layout: GIFLayout, _ bytes: Span<UInt8>) -> [UInt32] {
        var palette = [UInt32](repeating: UInt32(littleEndian: 0xFF00_0000), count: 256)
        for index in 0..<min(256, layout.colors.count / 3) {
            let offset = layout.colors.lowerBound + index * 3
            let color =
                UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8
                | UInt32(bytes[offset + 2]) << 16 | 0xFF00_0000
            palette[index] = UInt32(littleEndian: color)
        }
        if let index = layout.transparentIndex { palette[index] = 0 }
        return palette
    }

    /// Returns the passes of the frame in the order of the data: for each, the first row and the
    /// distance to the next row. A frame that is not interlaced has one pass.
    private static func passes(of layout: GIFLayout) -> [(first: Int, by: Int)] {
        layout.isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
    }
}

/// The positions and properties of the first frame of a GIF.
struct GIFLayout {
    /// The canvas, enlarged if the frame extends beyond it, as in browsers.
    var canvas = PixelSize(width: 0, height: 0)
    var frame = PixelRect(x: 0, y: 0, width: 0, height: 0)
    var isInterlaced = false
    var transparentIndex: Int?
    /// The position of the colour table of up to 256 RGB entries; empty if the file has none.
    var colors: Range<Int> = 0..<0
    /// The offset of the minimum code size, which precedes the frame's data.
    var dataStart = 0

    /// Reads the blocks up to the first frame and checks the sizes against the limits.
    init(_ reader: borrowing ByteReader, limits: DecodeLimits) throws(DecodeError) {
        guard let width = reader.little16(6), let height = reader.little16(8),
            let flags = reader.u8(10), reader.count >= 13
        else { throw .truncated }
        canvas = PixelSize(width: width, height: height)
        if width > 0, height > 0 { try limits.check(canvas) }
        var offset = 13
        if flags & 0x80 != 0 {
            colors = offset..<offset + 3 << (flags & 7 + 1)
            offset = colors.upperBound
        }
        while true {
            guard let kind = reader.u8(offset) else { throw .truncated }
            switch kind {
            case 0x21:
                readControl(reader, at: offset)
                offset = try Self.skipBlocks(reader, from: offset + 2)
            case 0x2C:
                try readFrame(reader, at: offset, limits: limits)
                return
            case 0x00: offset += 1
            case 0x3B: throw .corrupt("a GIF without a frame")
            default: throw .corrupt("an unknown block in a GIF")
            }
        }
    }

    /// Reads the transparent index, if the block is a graphic control extension.
    private mutating func readControl(_ reader: borrowing ByteReader, at offset: Int) {
        guard reader.u8(offset + 1) == 0xF9, reader.u8(offset + 2) == 4,
            let flags = reader.u8(offset + 3), let index = reader.u8(offset + 6)
        else { return }
        transparentIndex = flags & 1 == 1 ? index : nil
    }

    private mutating func readFrame(
        _ reader: borrowing ByteReader, at offset: Int, limits: DecodeLimits
    ) throws(DecodeError) {
        guard let x = reader.little16(offset + 1), let y = reader.little16(offset + 3),
            let width = reader.little16(offset + 5), let height = reader.little16(offset + 7),
            let flags = reader.u8(offset + 9)
        else { throw .truncated }
        frame = PixelRect(x: x, y: y, width: width, height: height)
        try limits.check(frame.size)
        canvas = PixelSize(
            width: max(canvas.width, x + width), height: max(canvas.height, y + height))
        try limits.check(canvas)
        isInterlaced = flags & 0x40 != 0
        dataStart = offset + 10
        if flags & 0x80 != 0 {
            colors = dataStart..<dataStart + 3 << (flags & 7 + 1)
            dataStart = colors.upperBound
        }
        guard colors.upperBound <= reader.count else { throw .truncated }
    }

    /// Returns the offset after a chain of blocks.
    private static func skipBlocks(
        _ reader: borrowing ByteReader, from start: Int
    ) throws(DecodeError) -> Int {
        var offset = start
        while true {
            guard let length = reader.u8(offset) else { throw .truncated }
            offset += 1 + length
            if length == 0 { return offset }
        }
    }

    var coversCanvas: Bool {
        frame.x == 0 && frame.y == 0 && frame.width >= canvas.width
            && frame.height >= canvas.height
    }

    /// Returns whether another frame follows; a truncated file has none.
    func hasSecondFrame(_ reader: borrowing ByteReader) -> Bool {
        var next = try? Self.skipBlocks(reader, from: dataStart + 1)
        while let offset = next, let kind = reader.u8(offset), kind == 0x21 || kind == 0 {
            next = kind == 0 ? offset + 1 : try? Self.skipBlocks(reader, from: offset + 2)
        }
        guard let next else { return false }
        return reader.u8(next) == 0x2C
    }
}

/// The LZW data of a frame.
@safe
private struct GIFCodes {
    /// The strings by code. Each string is another string followed by one index.
    private var strings: [Entry]
    /// The minimum code size of the frame: the bits of an index.
    private let indexBits: Int
    private let clear: Int
    /// The bits in a code.
    private var width: Int
    /// The code that is defined next.
    private var next: Int
    /// The code of the previous string; -1 after a clear code.
    private var previous = -1
    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset: Int
    /// The bytes left in the current block of up to 255 bytes.
    private var left = 0
    /// Bits that were read but are not part of a code yet, `bitCount` of them, the lowest first.
    private var bits: UInt32 = 0
    private var bitCount = 0

    /// A string of indices. All but its last index are the string of the code `prefix`.
    private struct Entry {
        var prefix: UInt16
        var length: UInt16
        var first: UInt8
        var last: UInt8
    }

    /// The number of codes of at most twelve bits, which also limits the length of a string.
    private static let codeCount = 4096

    @unsafe
    private init(_ bytes: UnsafeBufferPointer<UInt8>, offset: Int, indexBits: Int) {
        unsafe self.bytes = unsafe bytes
        self.offset = offset
        self.indexBits = indexBits
        clear = 1 << indexBits
        width = indexBits + 1
        next = clear + 2
        strings = (0..<Self.codeCount).map { code in
            let index = UInt8(truncatingIfNeeded: code)
            return Entry(prefix: 0, length: 1, first: index, last: index)
        }
    }

    /// Returns the colour indices of all pixels, in the order of the data. Throws if the data ends
    /// before the last pixel or has an invalid code.
    @unsafe
    static func indices(
        _ bytes: UnsafeBufferPointer<UInt8>, _ layout: GIFLayout
    ) throws(DecodeError) -> [UInt8] {
        let start = layout.dataStart
        guard start < bytes.count else { throw .truncated }
        let indexBits = unsafe Int(bytes[start])
        guard (1...11).contains(indexBits) else { throw broken }
        var codes = unsafe GIFCodes(bytes, offset: start + 1, indexBits: indexBits)
        let total = layout.frame.size.area
        var failure: DecodeError?
        // The last string may extend past the last pixel.
        let indices = unsafe [UInt8](unsafeUninitializedCapacity: total + codeCount) {
            buffer, count in
            guard let line = buffer.baseAddress else { return }
            while count < total, failure == nil { failure = unsafe codes.take(line, &count) }
        }
        if let failure { throw failure }
        return indices
    }

    private static let broken = DecodeError.corrupt("an invalid code in a GIF")

    /// Unpacks the next code; returns an error if the data ends or is invalid.
    @inline(__always)
    private mutating func take(
        _ line: UnsafeMutablePointer<UInt8>, _ filled: inout Int
    ) -> DecodeError? {
        let code = nextCode()
        if code < 0 || code == clear + 1 { return .truncated }
        if code == clear {
            (next, width, previous) = (clear + 2, indexBits + 1, -1)
            return nil
        }
        // A code may be used just before it is defined. It then means the previous string followed
        // by the first index of that string.
        let isNew = code == next && previous >= 0
        guard isNew || code < next else { return Self.broken }
        let known = isNew ? previous : code
        let (first, count) = (strings[known].first, Int(strings[known].length))
        let end = unsafe line + filled + count
        unsafe strings.withUnsafeBufferPointer { strings in
            var part = known
            for back in 1...count {
                let entry = unsafe strings[part]
                unsafe end[-back] = entry.last
                part = Int(entry.prefix)
            }
        }
        filled += count
        if isNew {
            unsafe end[0] = first
            filled += 1
        }
        define(endingWith: first)
        previous = code
        return nil
    }

    /// Defines the next code as the previous string and `last`, if there is room.
    private mutating func define(endingWith last: UInt8) {
        guard previous >= 0, next < Self.codeCount else { return }
        let prefix = strings[previous]
        strings[next] = Entry(
            prefix: UInt16(truncatingIfNeeded: previous), length: prefix.length + 1,
            first: prefix.first, last: last)
        next += 1
        if next == 1 << width, width < 12 { width += 1 }
    }

    /// Returns the next code, or -1 at the end of the blocks or bytes.
    @inline(__always)
    private mutating func nextCode() -> Int {
        while bitCount < width {
            if left == 0 {
                guard unsafe offset < bytes.count else { return -1 }
                left = unsafe Int(bytes[offset])
                offset += 1
                if left == 0 { return -1 }
            }
            guard unsafe offset < bytes.count else { return -1 }
            bits |= unsafe UInt32(bytes[offset]) << UInt32(bitCount)
            offset += 1
            left -= 1
            bitCount += 8
        }
        let code = bits & (1 << UInt32(width) - 1)
        bits >>= UInt32(width)
        bitCount -= width
        return Int(code)
    }
}
