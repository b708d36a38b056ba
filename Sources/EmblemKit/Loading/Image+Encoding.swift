import Artwork
import Codecs
import FoundationEssentials
import Raster
import Render
import System
import Transport

extension Image {
    /// Encodes the image at its own size and without metadata. In a JPEG, transparent parts become
    /// white.
    ///
    /// The work runs on threads of the library, so a server continues with other requests.
    ///
    /// - Parameters:
    ///   - format: The format of the file.
    ///   - quality: The quality; `nil` means the default of the format. PNG is always lossless.
    /// - Throws: ``EmblemError/failedToDecode(_:)``; ``EmblemError/failedToEncode(_:)``, also if
    ///   the encoder is not installed or JPEG is to be lossless; ``EmblemError/busy(_:)`` and
    ///   ``EmblemError/unavailable(_:)``, because an image file is decoded first;
    ///   `CancellationError` if the task is cancelled.
    public func data(
        as format: FileFormat, quality: FileFormat.Quality? = nil
    ) async throws -> Data {
        // A finished emblem is already a PNG.
        if format == .png, trust == .ownPNG, case .encoded(let bytes) = content {
            return Data(bytes)
        }
        let settings = EncodeSettings(format: format.value, quality: quality)
        return try await withTaskExecutorPreference(Executors.encoding) {
            let pixels = try await pixels()
            try Task.checkCancellation()
            do throws(EncodeError) {
                return Data(try ImageEncoder.encode(pixels, settings))
            } catch {
                throw EmblemError.failedToEncode("\(error)")
            }
        }
    }

    /// Returns the image as PNG, at its own size and without metadata.
    ///
    /// Corresponds to `UIImage.pngData()`. For a finished emblem this is the file as it was drawn.
    /// Any other image is decoded and encoded, which blocks the calling thread; prefer
    /// ``data(as:quality:)`` for such images.
    ///
    /// - Throws: ``EmblemError/failedToDecode(_:)``; ``EmblemError/failedToEncode(_:)``.
    public func pngData() throws(EmblemError) -> Data {
        if trust == .ownPNG, case .encoded(let bytes) = content { return Data(bytes) }
        return try Blocking.wait { try await data(as: .png) }
    }

    /// Decodes all pixels. They are oriented, in sRGB and premultiplied.
    private func pixels() async throws -> PixelBuffer {
        switch content {
        case .pixels(let shared): return shared.buffer.copy()
        case .icon(let icon):
            return try rethrowing(as: EmblemError.init) { () throws(DecodeError) in
                try VectorPicture(svg: Array(icon.svg.utf8).span, limits: DecodeLimits())
                    .render(at: size)
            }
        case .encoded(let bytes):
            var pixels = try await Decoding.current.pixels(bytes).buffer()
            pixels.refreshOpacity()
            return pixels
        case .missing(let error): throw error
        }
    }
}
