import Artwork
import Codecs
import FoundationEssentials
import Raster

extension Image {
    /// The picture as a PNG, at its own size and without metadata.
    ///
    /// The counterpart of `UIImage.pngData()`. An emblem's is the very file that was drawn.
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
        if case .pixels(let shared) = content { return shared.buffer.copy() }
        let bytes = encoded ?? []
        do throws(DecodeError) {
            let header = try ImageDecoder.header(of: bytes.span)
            let picture = try ImageDecoder.decode(
                bytes.span, header: header, request: DecodeRequest())
            switch consume picture {
            case .raster(let pixels): return pixels
            case .vector(let drawing): return try drawing.render(at: size)
            }
        } catch {
            throw EmblemError(error)
        }
    }

    /// The bytes that ``drawingContent()`` works in.
    var drawingCost: Int {
        guard let bytes = encoded, let header = try? ImageDecoder.header(of: bytes.span) else {
            return 0
        }
        return ImageDecoder.memoryCost(of: header, request: DecodeRequest())
    }

    /// The picture as a part of a drawing: what is a drawing itself stays one.
    func drawingContent() throws(EmblemError) -> EmblemContent {
        switch content {
        case .icon(let icon): return .icon(icon)
        case .pixels(let shared): return .picture(SketchPicture(shared.buffer.copy()))
        case .encoded(let bytes):
            let graphic = try EmblemError.drawing { () throws(ArtworkError) in
                try StateGraphic(bytes)
            }
            switch graphic {
            case .icon(let icon): return .icon(icon)
            case .drawing(let drawing): return .drawing(drawing)
            case .picture(let picture): return .picture(picture)
            }
        }
    }

    /// What the check of a whole picture needs: as few pixels as the format can give.
    private static let checking = DecodeRequest(neededSize: PixelSize(width: 1, height: 1))

    /// The bytes that ``checked()`` works in.
    var checkingCost: Int {
        guard trust == .header, let bytes = encoded,
            let header = try? ImageDecoder.header(of: bytes.span)
        else { return 0 }
        return ImageDecoder.memoryCost(of: header, request: Self.checking)
    }

    /// The same picture, every part of which has been decoded once.
    func checked() throws(EmblemError) -> Image {
        guard trust == .header, case .encoded(let bytes) = content else { return self }
        do throws(DecodeError) {
            let header = try ImageDecoder.header(of: bytes.span)
            _ = try ImageDecoder.decode(bytes.span, header: header, request: Self.checking)
        } catch {
            throw EmblemError(error)
        }
        return Image(bytes, size, .whole)
    }
}
