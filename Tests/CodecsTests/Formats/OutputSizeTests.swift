import Codecs
import Raster
import Testing

@Suite("Output sizes")
struct OutputSizeTests {
    /// Sides around multiples of the block size, the limit of the small encoder, and whole
    /// megapixels.
    private static let sides = [
        1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 64, 127, 128, 129, 255, 256, 257, 511, 512, 1023, 1024,
        1025, 2047, 2048, 2049, 4095, 4096, 4097, 8191, 8192,
    ]

    /// Thin sizes in both orientations, so that thousands of them cost little.
    static let sizes = sides.flatMap { side in
        [1, 2, 3, 16, 17].flatMap { thin in
            [PixelSize(width: side, height: thin), PixelSize(width: thin, height: side)]
        }
    }

    /// Sizes above 2^20 pixels, where a lossless WebP copy cannot encode every offset.
    static let megapixels = [
        PixelSize(width: 1028, height: 1028), PixelSize(width: 1024, height: 1025),
        PixelSize(width: 2048, height: 520), PixelSize(width: 517, height: 2048),
        PixelSize(width: 2049, height: 514), PixelSize(width: 8192, height: 130),
    ]

    static let settings: [EncodeSettings] = [
        EncodeSettings(format: .webp), EncodeSettings(format: .webp, quality: .lossless),
        EncodeSettings(format: .png), EncodeSettings(format: .png, palette: true),
        EncodeSettings(format: .png, effort: .small),
        EncodeSettings(format: .webp, quality: .lossless, effort: .fast),
        EncodeSettings(format: .webp, quality: .lossless, effort: .small),
        EncodeSettings(format: .jpeg),
    ]

    enum Mask: CaseIterable, Sendable {
        /// Opaque, with rounded corners, or with rounded corners except at the last pixel.
        case none, mirrored, uneven
    }

    static func picture(_ size: PixelSize, _ mask: Mask) -> PixelBuffer {
        var picture = PixelBuffer(size: size)
        picture.fill(Color(red: 200, green: 90, blue: 30))
        guard mask != .none else {
            picture.isOpaque = true
            return picture
        }
        let radius = Double(min(size.width, size.height)) / 3
        picture.mask(by: CornerMask(size: size, radius: radius, style: .circular))
        if mask == .uneven {
            let end = size.area * 4
            var pixels = picture.mutablePixels
            for offset in end - 4..<end { pixels[offset] = 3 }
        }
        return picture
    }

    private func check(
        _ size: PixelSize, _ mask: Mask, _ settings: EncodeSettings
    ) throws {
        let picture = Self.picture(size, mask)
        let bytes = try ImageEncoder.encode(picture, settings)
        let decoded = try decode(bytes)
        #expect(decoded.size == size)
        guard settings.format.hasAlpha, !settings.palette, decoded.size == size else { return }
        let (found, wanted) = (decoded.pixels, picture.pixels)
        var wrong = 0
        for index in 0..<size.area where found[index * 4 + 3] != wanted[index * 4 + 3] {
            wrong += 1
        }
        #expect(wrong == 0, "\(size), \(mask), \(settings.format)")
    }

    @Test(
        "thin pictures of every length are encoded with exact alpha",
        arguments: settings)
    func thin(settings: EncodeSettings) throws {
        for size in Self.sizes {
            for mask in Mask.allCases { try check(size, mask, settings) }
        }
    }

    @Test(
        "pictures over a megapixel are encoded with exact alpha",
        arguments: megapixels, Mask.allCases)
    func large(size: PixelSize, mask: Mask) throws {
        for settings in Self.settings where !settings.palette {
            try check(size, mask, settings)
        }
    }

    @Test("AVIF encodes each size or reports that it cannot")
    func avif() throws {
        var written = 0
        for size in Self.sizes where min(size.width, size.height) == 3 {
            for mask in Mask.allCases {
                var bytes: [UInt8] = []
                do {
                    bytes = try ImageEncoder.encode(
                        Self.picture(size, mask), EncodeSettings(format: .avif))
                } catch {
                    #expect(!error.description.isEmpty)
                    continue
                }
                #expect(try readHeader(bytes).size == size)
                written += 1
            }
        }
        #expect(written > 0)
    }
}
