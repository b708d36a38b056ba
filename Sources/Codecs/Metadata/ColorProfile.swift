import CLibLCMS

/// An embedded colour profile that was found sound.
package struct ColorProfile: Sendable {
    /// The kind of pixels the profile describes: `grey`, `rgb` or `cmyk`.
    package let model: ColorModel
    /// The profile's own description.
    package let name: String?
    /// Pixels under this profile are sRGB already.
    package let isSRGB: Bool
    private let bytes: [UInt8]
    /// The curve of samples that are brighter than sRGB; the profile then describes their light.
    private let curve: BrightCurve?

    /// Reads a profile; `nil` when it is broken, longer than the limit, or of no use for pixels.
    package init?(_ bytes: Span<UInt8>, bytesLimit: Int = DecodeLimits().profileBytes) {
        self.init(bytes, bytesLimit: bytesLimit, curve: nil)
    }

    init?(_ bytes: Span<UInt8>, bytesLimit: Int, curve: BrightCurve?) {
        guard bytes.count >= 128, bytes.count <= bytesLimit else { return nil }
        let copy = bytes.copied()
        guard let handle = ProfileHandle(copy) else { return nil }
        guard let model = handle.model else { return nil }
        self.model = model
        name = handle.name
        isSRGB = handle.isSRGB
        self.bytes = copy
        self.curve = curve
    }

    /// The way into sRGB for pixels of the profile's own model; `nil` when nothing is to be done
    /// or when the profile cannot be used that way.
    package func transform() -> ColorTransform? {
        guard !isSRGB || curve != nil else { return nil }
        return TransformCache.transform(for: bytes, model: model, curve: curve)
    }
}
