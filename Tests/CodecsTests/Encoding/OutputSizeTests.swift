import Codecs
import Raster
import Testing

@Suite("Output sizes")
struct OutputSizeTests {
    /// Sides around multiples of the block size and the limit of the small encoder.
    private static let sides = [
        1, 2, 7, 8, 15, 16, 17, 64, 255, 256, 257, 1025, 2047, 2048, 2049, 8192,
    ]

    /// Thin sizes in both orientations, so that thousands of them cost little.
    static let sizes = sides.flatMap { side in
        [1, 2, 3, 16, 17].flatMap { thin in
            [PixelSize(width: side, height: thin), PixelSize(width: thin, height: side)]
        }
    }

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
}
