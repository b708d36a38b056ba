import Raster

/// A format that can be written.
package enum OutputFormat: String, CaseIterable, Hashable, Sendable {
    case png, webp, jpeg, avif
}

extension OutputFormat {
    /// The extension of its files, without the dot.
    package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// The quality used where none is asked for.
    package var defaultQuality: EncodeQuality {
        switch self {
        case .png: .lossless
        case .webp: .lossy(82)
        case .jpeg: .lossy(85)
        case .avif: .lossy(60)
        }
    }

    /// The format can keep every pixel as it is; JPEG cannot.
    package var canBeLossless: Bool { self != .jpeg }

    /// Transparency survives; where it does not, the matte is laid under the picture.
    package var hasAlpha: Bool { self != .jpeg }

    /// The longest side the format can hold.
    package var edgeLimit: Int {
        switch self {
        case .png: 0x7FFF_FFFF
        case .webp: 16_383
        case .jpeg: 65_500
        case .avif: 65_536
        }
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
            "\(size) pixels do not fit \(format.rawValue), which ends at \(format.edgeLimit) a side."
        case .unavailable(let format, let what):
            "\(format.rawValue) cannot be written that way here: \(what)."
        case .failed(let format, let why):
            "Writing \(format.rawValue) failed: \(why)."
        }
    }
}
