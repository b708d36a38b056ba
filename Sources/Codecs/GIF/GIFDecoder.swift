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

    /// Returns the most bytes that `decode` holds: the image and the LZW state.
    package static func memoryCost(of header: ImageHeader) -> Int {
        header.codedSize.byteCount.saturating(plus: header.codedSize.width)
            .saturating(plus: 48 << 10)
    }

    /// Decodes to premultiplied pixels; the canvas is transparent outside the frame.
    package static func decode(
        _ bytes: Span<UInt8>, request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer {
        let layout = try GIFLayout(ByteReader(bytes), limits: request.limits)
        let palette = palette(layout, bytes)
        return try unsafe bytes.withUnsafeBufferPointer { file throws(DecodeError) in
            let codes = unsafe GIFCodes(file, layout)
            var picture = PixelBuffer(size: layout.canvas)
            unsafe picture.withUnsafeMutablePixels { pixels in
                for pass in passes(of: layout) {
                    for row in stride(from: pass.first, to: layout.frame.size.height, by: pass.by) {
                        guard let indices = unsafe codes.next() else { return }
                        let first = (layout.frame.y + row) * layout.canvas.width
                        unsafe paint(indices, palette, layout, into: pixels + first * 4)
                    }
                }
            }
            try check(codes.end)
            picture.isOpaque = layout.coversCanvas && layout.transparentIndex == nil
            return picture
        }
    }

    /// Throws if rows are missing.
    private static func check(_ end: GIFCodes.End?) throws(DecodeError) {
        switch end {
        case .whole: return
        case .broken: throw .corrupt("an invalid code in a GIF")
        case .truncated, nil: throw .truncated
        }
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

    /// Writes the pixels of a row of the frame to a row of the canvas.
    @unsafe
    private static func paint(
        _ indices: UnsafeBufferPointer<UInt8>, _ palette: [UInt32], _ layout: GIFLayout,
        into row: UnsafeMutablePointer<UInt8>
    ) {
        let target = UnsafeMutableRawPointer(row)
        for x in 0..<indices.count {
            let color = unsafe palette[Int(indices[x])]
            unsafe target.storeBytes(
                of: color, toByteOffset: (layout.frame.x + x) * 4, as: UInt32.self)
        }
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

/// Unpacks the LZW data of a frame, row by row, to one colour index per pixel.
@safe
final class GIFCodes {
    enum End {
        case whole
        /// The data ended before the last row.
        case truncated
        /// The data has an invalid code.
        case broken
    }

    /// The reason why the reading ended; nil while rows follow.
    private(set) var end: End?
    private let width: Int
    private var rowsLeft: Int
    private var blocks: Blocks
    private var table: Table
    /// The unpacked indices: `filled` of them, of which `next` has returned the first `shown`.
    private let line: UnsafeMutablePointer<UInt8>
    private var shown = 0
    private var filled = 0

    /// - Parameter bytes: must outlive the value.
    @unsafe
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ layout: GIFLayout) {
        width = layout.frame.size.width
        rowsLeft = layout.frame.size.height
        unsafe blocks = Blocks(bytes: bytes, offset: layout.dataStart + 1)
        unsafe line = .allocate(capacity: width + Table.count)
        let bits = unsafe layout.dataStart < bytes.count ? Int(bytes[layout.dataStart]) : nil
        let isValid = bits.map((1...11).contains) ?? true
        table = Table(bits: isValid ? bits ?? 1 : 1)
        end = bits == nil ? .truncated : isValid ? nil : .broken
    }

    deinit {
        unsafe line.deallocate()
    }

    /// Returns the next row, which is valid until the next call; nil if no row follows. If the data
    /// ends inside the row, returns fewer indices than the width.
    func next() -> UnsafeBufferPointer<UInt8>? {
        guard rowsLeft > 0 else { return nil }
        if filled - shown < width {
            unsafe line.update(from: line + shown, count: filled - shown)
            (shown, filled) = (0, filled - shown)
            while end == nil, filled < width { end = take() }
        }
        let count = min(width, filled - shown)
        let row = unsafe UnsafeBufferPointer(start: line + shown, count: count)
        shown += count
        rowsLeft -= 1
        if rowsLeft == 0, count == width { end = .whole }
        return unsafe count > 0 ? row : nil
    }

    /// Unpacks the next code; returns a value if the data ends or is invalid.
    private func take() -> End? {
        let code = unsafe blocks.next(table.width)
        if code < 0 || code == table.clear + 1 { return .truncated }
        if code == table.clear {
            table.reset()
            return nil
        }
        // A code may be used just before it is defined. It then means the previous string followed
        // by the first index of that string.
        let isNew = code == table.next && table.previous >= 0
        guard isNew || code < table.next else { return .broken }
        let known = isNew ? table.previous : code
        let end = filled + table.length(of: known)
        unsafe table.write(known, before: line + end, count: end - filled)
        filled = end
        if isNew {
            unsafe line[end] = table.first(of: known)
            filled += 1
        }
        table.define(endingWith: table.first(of: known))
        table.previous = code
        return nil
    }

    /// The LZW strings by code. Each string is another string followed by one index.
    private struct Table {
        /// The number of codes of at most twelve bits, which also limits the length of a string.
        static let count = 4096

        let clear: Int
        /// The bits in a code.
        private(set) var width: Int
        /// The code that is defined next.
        private(set) var next: Int
        /// The code of the previous string; -1 after a clear code.
        var previous = -1
        /// The minimum code size of the frame: the bits of an index.
        private let bits: Int
        private var strings: [Entry]

        /// A string of indices. All but its last index are the string of the code `prefix`.
        private struct Entry {
            var prefix: UInt16
            var length: UInt16
            var first: UInt8
            var last: UInt8
        }

        init(bits: Int) {
            self.bits = bits
            clear = 1 << bits
            width = bits + 1
            next = clear + 2
            strings = (0..<Self.count).map { code in
                let index = UInt8(truncatingIfNeeded: code)
                return Entry(prefix: 0, length: 1, first: index, last: index)
            }
        }

        mutating func reset() {
            next = clear + 2
            width = bits + 1
            previous = -1
        }

        func length(of code: Int) -> Int { Int(strings[code].length) }

        func first(of code: Int) -> UInt8 { strings[code].first }

        /// Writes the `count` indices of a string so that they end before `end`.
        @unsafe
        func write(_ code: Int, before end: UnsafeMutablePointer<UInt8>, count: Int) {
            unsafe strings.withUnsafeBufferPointer { strings in
                var code = code
                for back in 1...count {
                    let entry = unsafe strings[code]
                    unsafe end[-back] = entry.last
                    code = Int(entry.prefix)
                }
            }
        }

        /// Defines the next code as the previous string and `last`, if there is room.
        mutating func define(endingWith last: UInt8) {
            guard previous >= 0, next < Self.count else { return }
            let prefix = strings[previous]
            strings[next] = Entry(
                prefix: UInt16(truncatingIfNeeded: previous), length: prefix.length + 1,
                first: prefix.first, last: last)
            next += 1
            if next == 1 << width, width < 12 { width += 1 }
        }
    }

    /// Reads bits from a chain of blocks of up to 255 bytes, low bits first.
    @unsafe
    private struct Blocks {
        let bytes: UnsafeBufferPointer<UInt8>
        var offset: Int
        /// The bytes left in the current block.
        var left = 0
        /// Bits that were read but are not part of a code yet, `count` of them.
        var bits: UInt32 = 0
        var count = 0

        init(bytes: UnsafeBufferPointer<UInt8>, offset: Int) {
            unsafe self.bytes = unsafe bytes
            unsafe self.offset = offset
        }

        /// Returns the next code, or -1 at the end of the blocks or bytes.
        @inline(__always)
        mutating func next(_ width: Int) -> Int {
            while unsafe count < width {
                if unsafe left == 0 {
                    guard unsafe offset < bytes.count else { return -1 }
                    unsafe left = Int(bytes[offset])
                    unsafe offset += 1
                    if unsafe left == 0 { return -1 }
                }
                guard unsafe offset < bytes.count else { return -1 }
                unsafe bits |= UInt32(bytes[offset]) << UInt32(count)
                unsafe offset += 1
                unsafe left -= 1
                unsafe count += 8
            }
            let code = unsafe bits & (1 << UInt32(width) - 1)
            unsafe bits >>= UInt32(width)
            unsafe count -= width
            return Int(code)
        }
    }
}
