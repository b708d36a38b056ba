import Raster

package enum ColorModel: String, CaseIterable, Hashable, Sendable {
    case grey, rgb, cmyk, palette
}

/// The properties of an image, known before any pixel is decoded.
package struct ImageHeader: Sendable {
    package var format: ImageFormat
    /// The size of the stored pixels, before orientation.
    package var codedSize: PixelSize
    package var orientation: Orientation
    package var hasAlpha: Bool
    package var bitsPerChannel: Int
    package var colorModel: ColorModel
    /// Whether the file has a complete colour profile within the size limit.
    package var hasProfile: Bool
    /// The text of the profile's description tag.
    package var profileName: String?
    package var isProgressive: Bool
    package var isAnimated: Bool
    /// The most bytes that decoding holds at once, if the other fields do not determine it; else 0.
    package var decodingBytes: Int
    /// The size after orientation, not rounded; differs from `size` only for vectors.
    package var exactSize: (width: Double, height: Double)

    package init(
        format: ImageFormat, codedSize: PixelSize, orientation: Orientation = .up,
        hasAlpha: Bool = false, bitsPerChannel: Int = 8, colorModel: ColorModel = .rgb,
        hasProfile: Bool = false, profileName: String? = nil, isProgressive: Bool = false,
        isAnimated: Bool = false, decodingBytes: Int = 0,
        exactSize: (width: Double, height: Double)? = nil
    ) {
        self.format = format
        self.codedSize = codedSize
        self.orientation = orientation
        self.hasAlpha = hasAlpha
        self.bitsPerChannel = bitsPerChannel
        self.colorModel = colorModel
        self.hasProfile = hasProfile
        self.profileName = profileName
        self.isProgressive = isProgressive
        self.isAnimated = isAnimated
        self.decodingBytes = decodingBytes
        let turned = orientation.transposes ? codedSize.transposed : codedSize
        self.exactSize = exactSize ?? (Double(turned.width), Double(turned.height))
    }

    package var size: PixelSize { orientation.transposes ? codedSize.transposed : codedSize }
}

extension DecodeLimits {
    /// Limits that accept every size, for describing an image that would be rejected.
    package static let headerOnly = DecodeLimits(
        pixels: .max, progressivePixels: .max, edge: .max)
}

extension ImageHeader {
    /// Checks the declared size. A vector always passes; it is rendered at the requested size.
    package func check(_ limits: DecodeLimits) throws(DecodeError) {
        guard !format.isVector else { return }
        try limits.check(codedSize, progressive: format == .jpeg && isProgressive)
    }
}
