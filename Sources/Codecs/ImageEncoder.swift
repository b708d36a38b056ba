import Raster

/// Pixels to bytes, in any of the formats that are written.
package enum ImageEncoder {
    /// Encodes premultiplied sRGB pixels; the same pixels and settings give the same bytes.
    package static func encode(
        _ buffer: borrowing PixelBuffer, _ settings: EncodeSettings
    ) throws(EncodeError) -> [UInt8] {
        try settings.format.encode(buffer, settings)
    }
}

/// How much may be lost in writing.
package enum EncodeQuality: Hashable, Sendable {
    /// From 1, smallest, to 100, best; values outside are clamped.
    case lossy(Int)
    case lossless
}

/// How a picture is written.
package struct EncodeSettings: Hashable, Sendable {
    package var format: OutputFormat
    /// PNG is lossless whatever stands here.
    package var quality: EncodeQuality
    /// PNG only: at most 256 colours.
    package var palette: Bool
    /// The colour that shows through where the format has no transparency; its alpha is ignored.
    package var matte: Color
    /// Whose code encodes.
    package var codecs: CodecChoice

    package init(
        format: OutputFormat, quality: EncodeQuality? = nil, palette: Bool = false,
        matte: Color = .white, codecs: CodecChoice = .fast
    ) {
        self.format = format
        self.quality = quality ?? format.defaultQuality
        self.palette = palette
        self.matte = matte
        self.codecs = codecs
    }
}

/// Why pixels did not become a file.
package enum EncodeError: Error, Hashable, Sendable {
    /// A side is longer than the format can hold.
    case tooLarge(OutputFormat, PixelSize)
    /// The installed libraries, or the format itself, cannot do what was asked; the text says what.
    case unavailable(OutputFormat, String)
    /// The encoder gave up; the text is its reason.
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
