import Raster

/// How the pixels of a picture name their colours.
package enum ColorModel: String, CaseIterable, Hashable, Sendable {
    case grey, rgb, cmyk, palette
}

/// What a picture says of itself before any pixel is decoded.
package struct ImageHeader: Sendable {
    package var format: ImageFormat
    /// The size in which the pixels are stored, before orientation.
    package var codedSize: PixelSize
    /// The turn that decoding applies.
    package var orientation: Orientation
    package var hasAlpha: Bool
    package var bitsPerChannel: Int
    package var colorModel: ColorModel
    /// An embedded colour profile was found whole and within its limit.
    package var hasProfile: Bool
    /// The profile's own description.
    package var profileName: String?
    package var isProgressive: Bool
    package var isAnimated: Bool
    /// The most bytes that decoding holds at once, where the other fields do not tell; else 0.
    package var decodingBytes: Int
    /// The size after orientation without rounding; differs from `size` for vectors only.
    package var exactSize: (width: Double, height: Double)
    /// The surfaces in each other that drawing a vector takes; else 0.
    package var surfaces: Int

    package init(
        format: ImageFormat, codedSize: PixelSize, orientation: Orientation = .up,
        hasAlpha: Bool = false, bitsPerChannel: Int = 8, colorModel: ColorModel = .rgb,
        hasProfile: Bool = false, profileName: String? = nil, isProgressive: Bool = false,
        isAnimated: Bool = false, decodingBytes: Int = 0,
        exactSize: (width: Double, height: Double)? = nil, surfaces: Int = 0
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
        self.surfaces = surfaces
        let turned = orientation.transposes ? codedSize.transposed : codedSize
        self.exactSize = exactSize ?? (Double(turned.width), Double(turned.height))
    }

    /// The size after orientation, as a viewer would report it.
    package var size: PixelSize { orientation.transposes ? codedSize.transposed : codedSize }
}

extension DecodeLimits {
    /// Lets every header through, so that a picture which is refused can still be described.
    package static let headerOnly = DecodeLimits(
        pixels: .max, progressivePixels: .max, edge: .max)
}

extension ImageHeader {
    /// Holds what the header declares against `limits`. A vector is rendered at the size it is
    /// needed in, whatever size it declares.
    package func check(_ limits: DecodeLimits) throws(DecodeError) {
        guard !format.isVector else { return }
        try limits.check(codedSize, progressive: format == .jpeg && isProgressive)
    }
}
