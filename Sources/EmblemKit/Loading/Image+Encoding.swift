import Artwork
import Codecs
import FoundationEssentials
import Raster
import Render

extension Image {
    /// Returns the image as PNG, at its own size and without metadata.
    ///
    /// Corresponds to `UIImage.pngData()`. For a finished emblem this is the file as it was drawn;
    /// any other image is decoded first, as with `Image(data:)`.
    ///
    /// - Throws: ``EmblemError/failedToDecode(_:)``; ``EmblemError/failedToEncode(_:)``.
    public func pngData() throws(EmblemError) -> Data {
        if trust == .ours, case .encoded(let bytes) = content { return Data(bytes) }
        return try data(EncodeSettings(format: .png))
    }

    /// Returns the image as WebP, at its own size and without metadata.
    ///
    /// - Parameter quality: The quality from 1 (smallest) to 100 (best); `nil` is lossless.
    /// - Throws: ``EmblemError/failedToDecode(_:)``; ``EmblemError/failedToEncode(_:)``.
    public func webpData(quality: Int? = 82) throws(EmblemError) -> Data {
        let quality = quality.map { EncodeQuality.lossy($0) } ?? .lossless
        return try data(EncodeSettings(format: .webp, quality: quality))
    }

    /// Returns the image as JPEG, at its own size and without metadata.
    ///
    /// - Parameters:
    ///   - quality: The quality from 1 (smallest) to 100 (best). Corresponds to
    ///     `compressionQuality`.
    ///   - matte: The colour behind transparent parts, because JPEG has no transparency.
    /// - Throws: ``EmblemError/failedToDecode(_:)``; ``EmblemError/failedToEncode(_:)``.
    public func jpegData(
        quality: Int = 85,
        matte: ThemeColor.Shade = ThemeColor.Shade(red: 255, green: 255, blue: 255)
    ) throws(EmblemError) -> Data {
        try data(EncodeSettings(format: .jpeg, quality: .lossy(quality), matte: matte.color))
    }

    /// Returns the image as AVIF, at its own size and without metadata.
    ///
    /// - Parameter quality: The quality from 1 (smallest) to 100 (best); `nil` is lossless.
    /// - Throws: ``EmblemError/failedToDecode(_:)``; ``EmblemError/failedToEncode(_:)``, also if
    ///   libheif or its encoder is missing.
    public func avifData(quality: Int? = 60) throws(EmblemError) -> Data {
        let quality = quality.map { EncodeQuality.lossy($0) } ?? .lossless
        return try data(EncodeSettings(format: .avif, quality: quality))
    }

    private func data(_ settings: EncodeSettings) throws(EmblemError) -> Data {
        let pixels = try pixels()
        do throws(EncodeError) {
            return Data(try ImageEncoder.encode(pixels, settings))
        } catch {
            throw .failedToEncode("\(error)")
        }
    }

    /// Decodes every pixel: oriented, in sRGB, premultiplied.
    func pixels() throws(EmblemError) -> PixelBuffer {
        switch content {
        case .pixels(let shared): return shared.buffer.copy()
        case .icon(let icon):
            return try EmblemError.decoding { () throws(DecodeError) in
                try VectorPicture(svg: Array(icon.svg.utf8).span, limits: DecodeLimits())
                    .render(at: size)
            }
        case .encoded(let bytes):
            let graphic = try Blocking.wait {
                try await DesignSystem.shared.decoding.pixels(bytes)
            }
            var pixels = graphic.buffer()
            pixels.refreshOpacity()
            return pixels
        }
    }

    /// Returns the image as a part of a drawing that shows it in `box`. Vector drawings stay vector
    /// drawings.
    func drawingContent(in box: PixelSize) async throws -> EmblemContent {
        switch content {
        case .icon(let icon): return .icon(icon)
        case .pixels(let shared): return .picture(SketchPicture(shared.buffer.copy()))
        case .encoded(let bytes):
            return EmblemContent(
                try await DesignSystem.shared.decoding.graphic(bytes, in: box).graphic)
        }
    }

    /// Returns the image after decoding every part of it once.
    func checked() async throws -> Image {
        guard trust == .none, case .encoded(let bytes) = content else { return self }
        return Image(bytes, try await DesignSystem.shared.decoding.check(bytes).size, .whole)
    }
}
