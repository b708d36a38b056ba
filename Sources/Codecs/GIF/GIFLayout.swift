import Raster

/// The positions and properties of the first frame of a GIF.
struct GIFLayout {
    /// The canvas, enlarged if the frame extends beyond it, as in browsers.
    var canvas = PixelSize(width: 0, height: 0)
    var frame = PixelRectangle(x: 0, y: 0, size: PixelSize(width: 0, height: 0))
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
        frame = PixelRectangle(x: x, y: y, size: PixelSize(width: width, height: height))
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
        frame.x == 0 && frame.y == 0 && frame.size.width >= canvas.width
            && frame.size.height >= canvas.height
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
