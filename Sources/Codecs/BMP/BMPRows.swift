import Raster

struct BMPRows: ~Escapable {
    let layout: BMPLayout
    let bytes: Span<UInt8>
    private let palette: [UInt32]

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
    }

    /// Returns whether the data reaches the last pixel. The last row's padding may be missing.
    func read(into buffer: inout PixelBuffer) throws(DecodeError) -> Bool {
        if layout.packing != .plain { return readRuns(into: &buffer) }
        let stride = layout.bytesPerRow
        let needed = (layout.size.width * layout.bits + 7) / 8
        let height = layout.size.height
        let available = max(0, bytes.count - layout.pixels)
        let rows = available < needed ? 0 : min(height, (available - needed) / stride + 1)
        let channels = Channels(layout.masks)
        unsafe buffer.withUnsafeMutablePixels { pixels in
            unsafe bytes.withUnsafeBufferPointer { input in
                guard let base = input.baseAddress else { return }
                for line in 0..<rows {
                    let y = layout.isTopDown ? line : height - 1 - line
                    let from = unsafe base + layout.pixels + line * stride
                    let to = unsafe UnsafeMutableRawPointer(pixels + y * layout.size.width * 4)
                    unsafe readRow(from, channels, to)
                }
            }
        }
        return rows == height
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

    /// Unpacks runs. Pixels that a run skips keep the first colour.
    private func readRuns(into buffer: inout PixelBuffer) -> Bool {
        let (width, height) = (layout.size.width, layout.size.height)
        let isNibbles = layout.packing == .runs4
        let reader = ByteReader(bytes)
        var offset = layout.pixels
        var x = 0
        var line = 0
        unsafe buffer.withUnsafeMutablePixels { pixels in
            let target = UnsafeMutableRawPointer(pixels)
            for index in 0..<width * height {
                let color = palette[0].littleEndian
                unsafe target.storeBytes(of: color, toByteOffset: index * 4, as: UInt32.self)
            }
        }
        return unsafe buffer.withUnsafeMutablePixels { pixels in
            let target = UnsafeMutableRawPointer(pixels)
            func put(_ index: Int) {
                if x < width, line < height {
                    let y = layout.isTopDown ? line : height - 1 - line
                    let offset = (y * width + x) * 4
                    let color = palette[index].littleEndian
                    unsafe target.storeBytes(of: color, toByteOffset: offset, as: UInt32.self)
                }
                x += 1
            }
            while line < height {
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
            }
            return true
        }
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

private struct Channels {
    private let fields: (Field, Field, Field, Field)

    private struct Field {
        let mask: UInt32
        let shift: UInt32
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
