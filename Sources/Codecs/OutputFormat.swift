import Raster

/// A writable image format, defined next to the readable one.
package final class OutputFormat: Sendable {
    package enum Compression: Sendable {
        /// Always lossy.
        case lossy
        /// Lossless at every quality.
        case lossless
        /// Lossy or lossless, as requested.
        case both
    }

    package let name: String
    package let fileExtension: String
    package let defaultQuality: EncodeQuality
    private let compression: Compression
    /// Whether transparency is supported; otherwise the image is composed over the matte.
    package let hasAlpha: Bool
    package let edgeLimit: Int
    package let writer: CodecName

    /// The bytes that encoding takes per pixel, in addition to the pixels. Measured on images of 17
    /// million pixels and rounded up.
    private let lossyPixelBytes: Int
    private let losslessPixelBytes: Int

    let available: @Sendable () -> Bool
    let encode: @Sendable (borrowing PixelBuffer, EncodeSettings) throws(EncodeError) -> [UInt8]
    let animate:
        (@Sendable (AnimationEncoder.Frames, EncodeQuality) throws(EncodeError) -> [UInt8])?
    let isComplete: @Sendable (Span<UInt8>, PixelSize) -> Bool

    /// - Parameters:
    ///   - fileExtension: `nil` means the name.
    ///   - pixelBytes: the most bytes that `encode` holds per pixel, in addition to the pixels.
    ///   - available: returns whether the format can be written on this machine.
    ///   - encode: encodes premultiplied sRGB pixels; must be deterministic.
    ///   - animate: encodes frames; `nil` if animations are not supported.
    ///   - isComplete: returns whether bytes are a complete file of this size, judged by its
    ///     structure.
    init(
        _ name: String, fileExtension: String? = nil, defaultQuality: EncodeQuality,
        compression: Compression = .both, hasAlpha: Bool = true, edgeLimit: Int, writer: CodecName,
        pixelBytes: (lossy: Int, lossless: Int),
        available: @escaping @Sendable () -> Bool = { true },
        encode:
            @escaping @Sendable (borrowing PixelBuffer, EncodeSettings) throws(EncodeError) ->
            [UInt8],
        animate: (
            @Sendable (AnimationEncoder.Frames, EncodeQuality) throws(EncodeError) -> [UInt8]
        )? = nil,
        isComplete: @escaping @Sendable (Span<UInt8>, PixelSize) -> Bool
    ) {
        self.name = name
        self.fileExtension = fileExtension ?? name
        self.defaultQuality = defaultQuality
        self.compression = compression
        self.hasAlpha = hasAlpha
        self.edgeLimit = edgeLimit
        self.writer = writer
        lossyPixelBytes = pixelBytes.lossy
        losslessPixelBytes = pixelBytes.lossless
        self.available = available
        self.encode = encode
        self.animate = animate
        self.isComplete = isComplete
    }
}

extension OutputFormat {
    package var canBeLossless: Bool { compression != .lossy }

    /// Returns the most bytes held at once by composing and encoding an image of this size.
    package func memoryCost(of size: PixelSize, _ settings: EncodeSettings) -> Int {
        // The scaled image is held in addition to its canvas.
        let canvases = size.byteCount.saturating(times: 2)
        let bytes = settings.quality == .lossless ? losslessPixelBytes : lossyPixelBytes
        let compressor =
            self === Self.png && settings.effort == .small ? PNGDeflate.exhaustiveBytes : 0
        return canvases.saturating(plus: size.area.saturating(times: bytes))
            .saturating(plus: compressor)
    }

    package var canBeLossy: Bool { compression != .lossless }

    /// Whether `EncodeEffort` can change a file.
    package var hasEffort: Bool { self === Self.png || self === Self.webp }

    package var supportsAnimation: Bool { animate != nil }

    package var isWritable: Bool { available() }

    /// Whether a library of the format is opened on first use and not in every worker.
    package var needsOpening: Bool { ImageFormat.named(name)?.needsOpening ?? false }
}

extension OutputFormat: CaseIterable {
    package static let allCases: [OutputFormat] = ImageFormat.allCases.compactMap(\.output)

    /// Returns the format with that name or extension.
    package static func named(_ name: String) -> OutputFormat? {
        allCases.first { $0.name == name || $0.fileExtension == name }
    }

    /// Returns the output format for a file name, by its extension.
    package static func ofFile(_ path: String) -> OutputFormat? {
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return allCases.first { $0.fileExtension == ending || $0.name == ending }
    }
}

extension OutputFormat: Hashable {
    package static func == (one: OutputFormat, other: OutputFormat) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension OutputFormat: CustomStringConvertible {
    package var description: String { name }
}
