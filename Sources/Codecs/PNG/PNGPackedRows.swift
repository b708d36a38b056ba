import Raster

/// The rows of a picture in the samples of one colour type, ready to be filtered.
///
/// Each row is preceded by eight zeros and followed by zeros, a row of zeros stands before the
/// first, so that the kernels need no special case at any edge.
@safe
struct PNGPackedRows: ~Copyable {
    let rowBytes: Int
    let width: Int
    let height: Int
    let step: Int
    private let base: UnsafeMutableRawPointer
    /// Bytes from one row to the next.
    let stride: Int

    private static let margin = 8

    /// Packs straight pixels in the way of `header`; palettes take their indices from `colors`.
    init(_ pixels: borrowing PNGStraightPixels, header: PNGHeader, colors: PNGColors?) {
        rowBytes = header.rowBytes(width: header.size.width)
        width = header.size.width
        height = header.size.height
        step = header.filterStep
        stride = (rowBytes + Self.margin + PNGFilter.slack + 15) / 16 * 16
        unsafe base = .allocate(byteCount: stride * (height + 1), alignment: 16)
        unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: stride * (height + 1))
        for row in 0..<height {
            let source = unsafe pixels.base + row * width
            let target = unsafe UnsafeMutableRawPointer(mutating: self.row(row))
            if let colors {
                unsafe Self.packIndices(
                    source, target, width: width, depth: header.bitDepth, colors: colors)
            } else {
                unsafe Self.pack(source, target, width: width, type: header.colorType)
            }
        }
    }

    deinit {
        unsafe base.deallocate()
    }

    /// The bytes of a row; -1 is the row of zeros.
    @unsafe
    func row(_ index: Int) -> UnsafeRawPointer {
        unsafe UnsafeRawPointer(base + (index + 1) * stride + Self.margin)
    }

    private static func pack(
        _ source: UnsafePointer<UInt32>, _ target: UnsafeMutableRawPointer, width: Int,
        type: PNGHeader.ColorType
    ) {
        switch type {
        case .rgba:
            unsafe target.copyMemory(from: source, byteCount: width * 4)
        case .rgb:
            // The fourth byte is overwritten by the next pixel, the last one put right below.
            for column in 0..<width {
                unsafe target.storeBytes(
                    of: source[column], toByteOffset: column &* 3, as: UInt32.self)
            }
            unsafe target.storeBytes(of: 0, toByteOffset: width * 3, as: UInt8.self)
        case .greyAlpha:
            for column in 0..<width {
                let pixel = unsafe source[column]
                let packed = UInt16(truncatingIfNeeded: pixel &>> 16 & 0xFF00 | pixel & 0xFF)
                unsafe target.storeBytes(of: packed, toByteOffset: column &* 2, as: UInt16.self)
            }
        case .grey, .palette:
            for column in 0..<width {
                let grey = unsafe UInt8(truncatingIfNeeded: source[column])
                unsafe target.storeBytes(of: grey, toByteOffset: column, as: UInt8.self)
            }
        }
    }

    private static func packIndices(
        _ source: UnsafePointer<UInt32>, _ target: UnsafeMutableRawPointer, width: Int,
        depth: Int, colors: PNGColors
    ) {
        var last: UInt32 = 0
        var index = colors.index(of: last)
        for column in 0..<width {
            let color = unsafe source[column]
            if color != last {
                last = color
                index = colors.index(of: color)
            }
            let bit = column * depth
            let byte = unsafe target.load(fromByteOffset: bit >> 3, as: UInt8.self)
            let shifted = index << UInt8(8 - depth - bit & 7)
            unsafe target.storeBytes(
                of: byte | shifted, toByteOffset: bit >> 3, as: UInt8.self)
        }
    }
}
