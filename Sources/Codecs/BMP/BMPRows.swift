import Raster

/// Converts the rows of a bitmap to straight RGBA.
struct BMPRows: ~Escapable {
    let layout: BMPLayout
    let bytes: Span<UInt8>
    private let palette: [UInt32]
    private let channels: Channels

    @_lifetime(copy bytes)
    init(layout: BMPLayout, bytes: Span<UInt8>) {
        self.layout = layout
        self.bytes = bytes
        var palette = [UInt32](repeating: 0xFF00_0000, count: 256)
        for index in 0..<min(256, layout.colors.count / layout.colorBytes) {
            let offset = layout.colors.lowerBound + index * layout.colorBytes
            palette[index] =
                UInt32(bytes[offset + 2]) | UInt32(bytes[offset + 1]) << 8
                | UInt32(bytes[offset]) << 16 | 0xFF00_0000
        }
        self.palette = palette
        channels = Channels(layout.masks)
    }

    /// Reads all rows. Returns whether the data reaches the last pixel; the padding of the last row
    /// may be missing.
    func read(into buffer: inout PixelBuffer) -> Bool {
        let stride = buffer.bytesPerRow
        return unsafe buffer.withUnsafeMutablePixels { pixels in
            if layout.packing != .uncompressed {
                var state = RunState(offset: layout.pixelsStart)
                for y in 0..<layout.size.height { unsafe clear(pixels + y * stride) }
                while state.isWhole == nil {
                    unsafe unpack(&state, into: pixels + row(of: state.line) * stride)
                }
                return state.isWhole == true
            }
            for line in 0..<availableLines {
                unsafe readLine(line, pixels + row(of: line) * stride)
            }
            return availableLines == layout.size.height
        }
    }

    /// Reads all rows from top to bottom, also of a bottom-up file. Returns false if the data ends
    /// early; missing pixels get the same values as in `read`.
    ///
    /// - Parameters:
    ///   - allowsMissing: whether to read the available part if the data ends early; if false, no
    ///     row is read.
    ///   - place: returns the memory for the next row.
    ///   - take: is called when the row is complete.
    func readFromTop(
        allowsMissing: Bool, into place: () -> UnsafeMutablePointer<UInt8>, take: () -> Void
    ) -> Bool {
        let height = layout.size.height
        guard layout.packing != .uncompressed else {
            guard allowsMissing || availableLines == height else { return false }
            for y in 0..<height {
                let target = unsafe place()
                if row(of: y) < availableLines {
                    unsafe readLine(row(of: y), target)
                } else {
                    unsafe target.update(repeating: 0, count: layout.size.width * 4)
                }
                take()
            }
            return availableLines == height
        }
        // The first pass finds where each line begins.
        var starts = [RunState?](repeating: nil, count: height)
        var state = RunState(offset: layout.pixelsStart)
        while state.isWhole == nil {
            starts[state.line] = state
            unsafe unpack(&state, into: nil)
        }
        guard allowsMissing || state.isWhole == true else { return false }
        for y in 0..<height {
            let target = unsafe place()
            unsafe clear(target)
            if var start = starts[row(of: y)] { unsafe unpack(&start, into: target) }
            take()
        }
        return state.isWhole == true
    }

    /// Returns whether every alpha of an uncompressed bitmap is zero, in which case the channel is
    /// unused.
    func isClear() -> Bool {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: layout.size.width * 4) {
            row in
            guard let base = row.baseAddress else { return true }
            for line in 0..<availableLines {
                unsafe readLine(line, base)
                for x in 0..<layout.size.width where unsafe base[x * 4 + 3] != 0 { return false }
            }
            return true
        }
    }

    /// Converts between a line in the data and a row of the image, in either direction.
    private func row(of line: Int) -> Int {
        layout.isTopDown ? line : layout.size.height - 1 - line
    }

    /// The number of uncompressed lines that are complete.
    private var availableLines: Int {
        let needed = (layout.size.width * layout.bits + 7) / 8
        let available = bytes.count - layout.pixelsStart
        return available < needed
            ? 0 : min(layout.size.height, (available - needed) / layout.bytesPerRow + 1)
    }

    private func readLine(_ line: Int, _ row: UnsafeMutablePointer<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { input in
            guard let base = input.baseAddress else { return }
            unsafe readRow(
                base + layout.pixelsStart + line * layout.bytesPerRow, channels,
                UnsafeMutableRawPointer(row))
        }
    }

    /// Reads a row whose bytes start at `from`; the caller has checked that all of them exist.
    @unsafe
    private func readRow(
        _ from: UnsafePointer<UInt8>, _ channels: Channels, _ to: UnsafeMutableRawPointer
    ) {
        for x in 0..<layout.size.width {
            let color: UInt32
            switch layout.bits {
            case 24:
                let pixel = unsafe from + x * 3
                color =
                    unsafe UInt32(pixel[2]) | UInt32(pixel[1]) << 8 | UInt32(pixel[0]) << 16
                    | 0xFF00_0000
            case 32:
                let pixel = unsafe UnsafeRawPointer(from + x * 4).loadUnaligned(as: UInt32.self)
                color = channels.color(UInt32(littleEndian: pixel))
            case 16:
                let pixel = unsafe UnsafeRawPointer(from + x * 2).loadUnaligned(as: UInt16.self)
                color = channels.color(UInt32(UInt16(littleEndian: pixel)))
            case 8: color = unsafe palette[Int(from[x])]
            default:
                let perByte = 8 / layout.bits
                let shift = 8 - layout.bits - x % perByte * layout.bits
                let index = unsafe Int(from[x / perByte]) >> shift & (1 << layout.bits - 1)
                color = palette[index]
            }
            unsafe to.storeBytes(of: color.littleEndian, toByteOffset: x * 4, as: UInt32.self)
        }
    }

    /// The position in run-length encoded data.
    private struct RunState {
        var offset: Int
        var x = 0
        var line = 0
        /// Whether the data reached the last pixel; nil until the data ends.
        var isWhole: Bool?
    }

    /// Fills a row with the first palette colour, which remains where the data skips pixels.
    private func clear(_ row: UnsafeMutablePointer<UInt8>) {
        let row = UnsafeMutableRawPointer(row)
        let color = palette[0].littleEndian
        for x in 0..<layout.size.width {
            unsafe row.storeBytes(of: color, toByteOffset: x * 4, as: UInt32.self)
        }
    }

    /// Unpacks runs to the end of the current line; without `row`, only moves the position.
    private func unpack(_ state: inout RunState, into row: UnsafeMutablePointer<UInt8>?) {
        let (width, height) = (layout.size.width, layout.size.height)
        let isNibbles = layout.packing == .runs4
        let reader = ByteReader(bytes)
        let target = UnsafeMutableRawPointer(row)
        var (offset, x, line) = (state.offset, state.x, state.line)
        func put(_ index: Int) {
            if x < width {
                let color = palette[index].littleEndian
                unsafe target?.storeBytes(of: color, toByteOffset: x * 4, as: UInt32.self)
            }
            x += 1
        }
        // Reads one code. Returns nil if more codes follow, else whether the data reached the last
        // pixel.
        func step() -> Bool? {
            guard let count = reader.u8(offset), let value = reader.u8(offset + 1) else {
                return x >= width && line == height - 1
            }
            offset += 2
            switch (count, value) {
            case (0, 0): (x, line) = (0, line + 1)
            case (0, 1): return true
            case (0, 2):
                guard let right = reader.u8(offset), let up = reader.u8(offset + 1) else {
                    return false
                }
                (x, line, offset) = (x + right, line + up, offset + 2)
            case (0, _):
                let length = isNibbles ? (value + 1) / 2 : value
                guard offset + length <= reader.count else { return false }
                for step in 0..<value {
                    let byte = Int(bytes[offset + (isNibbles ? step / 2 : step)])
                    put(isNibbles ? (step & 1 == 0 ? byte >> 4 : byte & 15) : byte)
                }
                offset += length + length & 1
            default:
                for step in 0..<count {
                    put(isNibbles ? (step & 1 == 0 ? value >> 4 : value & 15) : value)
                }
            }
            return line < height ? nil : true
        }
        repeat { state.isWhole = step() } while state.isWhole == nil && line == state.line
        (state.offset, state.x, state.line) = (offset, x, line)
    }
}

extension BMPRows {
    /// Returns whether every alpha is zero, in which case the channel is unused.
    static func isClear(_ buffer: borrowing PixelBuffer) -> Bool {
        unsafe buffer.withUnsafePixels { pixels in
            for index in 0..<buffer.size.area where unsafe pixels[index * 4 + 3] != 0 {
                return false
            }
            return true
        }
    }

    static func makeOpaque(_ buffer: inout PixelBuffer) {
        let count = buffer.size.area
        unsafe buffer.withUnsafeMutablePixels { pixels in
            for index in 0..<count {
                unsafe pixels[index * 4 + 3] = 255
            }
        }
    }
}

/// Extracts the channels of 16- and 32-bit pixels by their bit masks.
private struct Channels {
    private let fields: (Field, Field, Field, Field)

    private struct Field {
        let mask: UInt32
        let shift: UInt32
        /// The value that means full intensity; 0 if the channel is missing.
        let greatest: UInt32

        init(_ mask: UInt32) {
            self.mask = mask
            shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
            greatest = mask >> shift
        }

        @inline(__always)
        func value(_ pixel: UInt32, whenMissing missing: UInt32) -> UInt32 {
            if greatest == 255 { return (pixel & mask) >> shift }
            if greatest == 0 { return missing }
            let raw = UInt64((pixel & mask) >> shift)
            return UInt32((raw * 255 + UInt64(greatest) / 2) / UInt64(greatest))
        }
    }

    init(_ masks: (UInt32, UInt32, UInt32, UInt32)) {
        fields = (Field(masks.0), Field(masks.1), Field(masks.2), Field(masks.3))
    }

    @inline(__always)
    func color(_ pixel: UInt32) -> UInt32 {
        fields.0.value(pixel, whenMissing: 0) | fields.1.value(pixel, whenMissing: 0) << 8
            | fields.2.value(pixel, whenMissing: 0) << 16
            | fields.3.value(pixel, whenMissing: 255) << 24
    }
}
