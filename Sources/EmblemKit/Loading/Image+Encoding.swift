import Artwork
import Codecs
import FoundationEssentials
import Raster
import Render

extension Image {
    /// The picture as a PNG, at its own size and without metadata.
    ///
    /// The counterpart of `UIImage.pngData()`. An emblem's is the very file that was drawn; any other
    /// picture is decoded for it, as by `Image(data:)`.
    /// - Throws: ``EmblemError/failedToDecode(_:)`` or ``EmblemError/failedToEncode(_:)``.
    public func pngData() throws(EmblemError) -> Data {
        if trust == .ours, case .encoded(let bytes) = content { return Data(bytes) }
        return try data(EncodeSettings(format: .png))
    }

    /// The picture as a WebP, at its own size and without metadata.
    ///
    /// - Parameter quality: from 1, smallest, to 100, best; `nil` loses nothing.
    /// - Throws: ``EmblemError/failedToDecode(_:)`` or ``EmblemError/failedToEncode(_:)``.
    public func webpData(quality: Int? = 82) throws(EmblemError) -> Data {
        let quality = quality.map { EncodeQuality.lossy($0) } ?? .lossless
        return try data(EncodeSettings(format: .webp, quality: quality))
    }

    /// The picture as a JPEG, at its own size and without metadata.
    ///
    /// - Parameters:
    ///   - quality: from 1, smallest, to 100, best; the counterpart of `compressionQuality`.
    ///   - matte: what shows through where the picture is transparent, as a JPEG is not.
    /// - Throws: ``EmblemError/failedToDecode(_:)`` or ``EmblemError/failedToEncode(_:)``.
    public func jpegData(
        quality: Int = 85,
        matte: ThemeColor.Shade = ThemeColor.Shade(red: 255, green: 255, blue: 255)
    ) throws(EmblemError) -> Data {
        try data(EncodeSettings(format: .jpeg, quality: .lossy(quality), matte: matte.color))
    }

    /// The picture as an AVIF, at its own size and without metadata.
    ///
    /// - Parameter quality: from 1, smallest, to 100, best; `nil` loses nothing.
    /// - Throws: ``EmblemError/failedToDecode(_:)`` or ``EmblemError/failedToEncode(_:)``, the latter
    ///   also where libheif or its encoder is missing.
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

    /// Every pixel, oriented, in sRGB and premultiplied.
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

    /// The picture as a part of a drawing that shows it in `box`: what is a drawing itself stays
    /// one.
    func drawingContent(in box: PixelSize) async throws -> EmblemContent {
        switch content {
        case .icon(let icon): return .icon(icon)
        case .pixels(let shared): return .picture(SketchPicture(shared.buffer.copy()))
        case .encoded(let bytes):
            return EmblemContent(
                try await DesignSystem.shared.decoding.graphic(bytes, in: box).graphic)
        }
    }

    /// The same picture, every part of which has been decoded once.
    func checked() async throws -> Image {
        guard trust == .none, case .encoded(let bytes) = content else { return self }
        return Image(bytes, try await DesignSystem.shared.decoding.check(bytes).size, .whole)
    }
}
