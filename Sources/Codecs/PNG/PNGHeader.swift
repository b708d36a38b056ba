import Raster

/// The image header chunk (IHDR): size, samples and row order.
package struct PNGHeader: Hashable, Sendable {
    package enum ColorType: UInt8, Sendable, CaseIterable {
        case grey = 0
        case rgb = 2
        case palette = 3
        case greyAlpha = 4
        case rgba = 6

        package var channels: Int {
            switch self {
            case .grey, .palette: 1
            case .greyAlpha: 2
            case .rgb: 3
            case .rgba: 4
            }
        }

        package var depths: [Int] {
            switch self {
            case .grey: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            case .rgb, .greyAlpha, .rgba: [8, 16]
            }
        }

        package var hasAlphaSample: Bool { self == .greyAlpha || self == .rgba }
    }

    package let size: PixelSize
    package let bitDepth: Int
    package let colorType: ColorType
    package let isInterlaced: Bool

    package init(size: PixelSize, bitDepth: Int, colorType: ColorType, isInterlaced: Bool) {
        self.size = size
        self.bitDepth = bitDepth
        self.colorType = colorType
        self.isInterlaced = isInterlaced
    }

    /// Creates a header for a palette of `count` colours, with the smallest bit depth.
    init(indexed size: PixelSize, colors count: Int) {
        self.init(
            size: size, bitDepth: count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8,
            colorType: .palette, isInterlaced: false)
    }

    /// Reads the 13 bytes of IHDR. Rejects invalid values and sizes beyond `limits`.
    init(body: Span<UInt8>, limits: DecodeLimits) throws(DecodeError) {
        guard body.count == 13 else { throw .corrupt("the image header has a wrong length") }
        let width = body.bigEndian32(at: 0)
        let height = body.bigEndian32(at: 4)
        guard width > 0, height > 0 else { throw .corrupt("width or height is zero") }
        guard let colorType = ColorType(rawValue: body[9]) else {
            throw .corrupt("colour type \(body[9]) does not exist")
        }
        guard colorType.depths.contains(Int(body[8])) else {
            throw .corrupt("bit depth \(body[8]) is not allowed for the colour type")
        }
        guard body[10] == 0, body[11] == 0 else {
            throw .corrupt("unknown compression or filter method")
        }
        guard body[12] <= 1 else { throw .corrupt("unknown interlace method") }
        size = PixelSize(width: width, height: height)
        bitDepth = Int(body[8])
        self.colorType = colorType
        isInterlaced = body[12] == 1
        try limits.check(size)
    }

    var bitsPerPixel: Int { bitDepth * colorType.channels }

    /// The distance in bytes to the left neighbour that filters use.
    var filterStep: Int { max(1, bitsPerPixel / 8) }

    /// Returns the bytes in a row of `width` pixels, without the filter byte.
    func rowBytes(width: Int) -> Int { (width * bitsPerPixel + 7) / 8 }

    /// The size of the inflated image data, or `Int.max` on overflow.
    var rawByteCount: Int {
        var sum = 0
        for pass in PNGPass.all(of: self) {
            let row = rowBytes(width: pass.size.width) + 1
            let (bytes, overflow) = row.multipliedReportingOverflow(by: pass.size.height)
            let (total, overflowed) = sum.addingReportingOverflow(bytes)
            if overflow || overflowed { return .max }
            sum = total
        }
        return sum
    }
}

extension Span where Element == UInt8 {
    func bigEndian32(at offset: Int) -> Int {
        Int(self[offset]) << 24 | Int(self[offset + 1]) << 16 | Int(self[offset + 2]) << 8
            | Int(self[offset + 3])
    }

    func bigEndian16(at offset: Int) -> Int {
        Int(self[offset]) << 8 | Int(self[offset + 1])
    }
}
