import Raster

package enum ImageEncoder {
    /// Encodes premultiplied sRGB pixels; the same pixels and settings give the same bytes.
    package static func encode(
        _ buffer: borrowing PixelBuffer, _ settings: EncodeSettings
    ) throws(EncodeError) -> [UInt8] {
        try settings.format.encode(buffer, settings)
    }
}

public enum EncodeQuality: Hashable, Sendable {
    /// A quality from 1 (smallest) to 100 (best); values outside are clamped.
    case lossy(Int)
    /// The exact pixels.
    case lossless
}

/// The time spent on a smaller file. Only for lossy WebP written by libwebp does it change the
/// pixels, too.
package enum EncodeEffort: String, CaseIterable, Hashable, Sendable {
    case fast
    case standard = "default"
    case small
}

package struct EncodeSettings: Hashable, Sendable {
    package var format: OutputFormat
    /// Ignored for PNG, which is always lossless.
    package var quality: EncodeQuality
    /// Limits a PNG to 256 colours; ignored by other formats.
    package var palette: Bool
    /// Affects PNG and WebP; ignored by other formats.
    package var effort: EncodeEffort
    /// The background colour for formats without transparency; its alpha is ignored.
    package var matte: Color
    package var codecs: CodecChoice

    package init(
        format: OutputFormat, quality: EncodeQuality? = nil, palette: Bool = false,
        effort: EncodeEffort = .standard, matte: Color = .white, codecs: CodecChoice = .fast
    ) {
        self.format = format
        self.quality = quality ?? format.defaultQuality
        self.palette = palette
        self.effort = effort
        self.matte = matte
        self.codecs = codecs
    }
}

package enum EncodeError: Error, Hashable, Sendable {
    case tooLarge(OutputFormat, PixelSize)
    /// The installed libraries or the format do not support the request; the text says what.
    case unavailable(OutputFormat, String)
    /// The encoder failed; the text is its reason.
    case failed(OutputFormat, String)
}

extension EncodeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLarge(let format, let size):
            "\(size) pixels are too large for \(format.name), which allows \(format.edgeLimit) per "
                + "side."
        case .unavailable(let format, let what):
            "Cannot write \(format.name): \(what)."
        case .failed(let format, let why):
            "Writing \(format.name) failed: \(why)."
        }
    }
}
