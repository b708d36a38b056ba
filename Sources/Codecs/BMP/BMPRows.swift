import Raster

/// Converts the rows of a bitmap to straight RGBA. Only pixels of 32 bits have a fourth channel.
struct BMPRows: ~Escapable {
    let layout: BMPLayout
    let bytes: Span<UInt8>
    private let palette: [UInt32]

    @_lifetime(copy bytes)
    init(layout: BMPLayout, bytes: Span<UInt8>) {
        self.layout = layout
        self.bytes = bytes
        var palette = [UInt32](repeating: 0xFF00_0000, count: 256)
        for index in 0..<min(256, layout.colors.count / 4) {
            let offset = layout.colors.lowerBound + index * 4
            palette[index] =
                UInt32(bytes[offset + 2]) | UInt32(bytes[offset + 1]) << 8
                | UInt32(bytes[offset]) << 16 | 0xFF00_0000
        }
        self.palette = palette
    }

    /// Whether the data reaches the last pixel; the padding of the last row may be missing.
    var isWhole: Bool {
        let before = layout.bytesPerRow.saturating(times: layout.size.height - 1)
        return bytes.count - layout.pixelsStart
            >= before.saturating(plus: (layout.size.width * layout.bits + 7) / 8)
    }

    /// Reads row `y`, counted from the top; the data must be whole.
    func read(_ y: Int, into row: UnsafeMutablePointer<UInt8>) {
        let line = layout.isTopDown ? y : layout.size.height - 1 - y
        unsafe bytes.withUnsafeBufferPointer { input in
            guard let base = input.baseAddress else { return }
            unsafe read(
                base + layout.pixelsStart + line * layout.bytesPerRow,
                UnsafeMutableRawPointer(row))
        }
    }

    @unsafe
    private func read(_ from: UnsafePointer<UInt8>, _ to: UnsafeMutableRawPointer) {
        for x in 0..<layout.size.width {
            let color: UInt32
            switch layout.bits {
            case 24:
                let pixel = unsafe from + x * 3
                color =
                    unsafe UInt32(pixel[2]) | UInt32(pixel[1]) << 8 | UInt32(pixel[0]) << 16
                    | 0xFF00_0000
            case 32:
                let pixel = unsafe from + x * 4
                color =
                    unsafe UInt32(pixel[2]) | UInt32(pixel[1]) << 8 | UInt32(pixel[0]) << 16
                    | UInt32(pixel[3]) << 24
            case 16:
                let pixel = unsafe UnsafeRawPointer(from + x * 2).loadUnaligned(as: UInt16.self)
                let packed = UInt32(UInt16(littleEndian: pixel))
                color =
                    Self.level(packed >> 10) | Self.level(packed >> 5) << 8
                    | Self.level(packed) << 16 | 0xFF00_0000
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

    /// Returns the 8-bit level of the lowest five bits.
    private static func level(_ value: UInt32) -> UInt32 { ((value & 31) * 255 + 15) / 31 }
}

extension BMPRows {
    /// Returns all rows; the data must be whole.
    func pixels() -> PixelBuffer {
        var buffer = PixelBuffer(unwritten: layout.size)
        let stride = buffer.bytesPerRow
        unsafe buffer.withUnsafeMutablePixels { pixels in
            for y in 0..<layout.size.height { unsafe read(y, into: pixels + y * stride) }
        }
        return buffer
    }

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
