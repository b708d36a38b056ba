import Raster

/// How pictures of one format are written; stands beside the description of the format.
package final class OutputFormat: Sendable {
    /// What may be lost in writing.
    package enum Range: Sendable {
        /// Something always is.
        case lossy
        /// Nothing ever is, whatever quality is asked for.
        case lossless
        /// What is asked for.
        case both
    }

    /// What options and records call it: the name of the format.
    package let name: String
    /// The extension of its files, without the dot.
    package let fileExtension: String
    /// The quality used where none is asked for.
    package let defaultQuality: EncodeQuality
    private let range: Range
    /// Transparency survives; where it does not, the matte is laid under the picture.
    package let hasAlpha: Bool
    /// The longest side the format can hold.
    package let edgeLimit: Int
    /// Whose code turns pixels into its files.
    package let writer: CodecName

    /// The bytes that writing takes for each pixel, beside the pixels: measured on pictures of 17
    /// million pixels, and rounded up.
    private let lossyPixelBytes: Int
    private let losslessPixelBytes: Int

    let available: @Sendable () -> Bool
    let encode: @Sendable (borrowing PixelBuffer, EncodeSettings) throws(EncodeError) -> [UInt8]
    let animate:
        (@Sendable (AnimationEncoder.Frames, EncodeQuality) throws(EncodeError) -> [UInt8])?
    let holds: @Sendable (Span<UInt8>, PixelSize) -> Bool

    /// - Parameters:
    ///   - fileExtension: `nil` stands for the name.
    ///   - pixelBytes: the most bytes that `encode` holds for a pixel, beside the pixels.
    ///   - available: whether it can be written on this machine.
    ///   - encode: premultiplied sRGB pixels to the same bytes each time.
    ///   - animate: the same for frames; `nil` where it holds no animation that we write.
    ///   - holds: whether bytes are a whole file of this size, as far as their frame tells.
    init(
        _ name: String, fileExtension: String? = nil, defaultQuality: EncodeQuality,
        range: Range = .both, hasAlpha: Bool = true, edgeLimit: Int, writer: CodecName,
        pixelBytes: (lossy: Int, lossless: Int),
        available: @escaping @Sendable () -> Bool = { true },
        encode:
            @escaping @Sendable (borrowing PixelBuffer, EncodeSettings) throws(EncodeError) ->
            [UInt8],
        animate: (
            @Sendable (AnimationEncoder.Frames, EncodeQuality) throws(EncodeError) -> [UInt8]
        )? = nil,
        holds: @escaping @Sendable (Span<UInt8>, PixelSize) -> Bool
    ) {
        self.name = name
        self.fileExtension = fileExtension ?? name
        self.defaultQuality = defaultQuality
        self.range = range
        self.hasAlpha = hasAlpha
        self.edgeLimit = edgeLimit
        self.writer = writer
        lossyPixelBytes = pixelBytes.lossy
        losslessPixelBytes = pixelBytes.lossless
        self.available = available
        self.encode = encode
        self.animate = animate
        self.holds = holds
    }
}

extension OutputFormat {
    /// The format can keep every pixel as it is.
    package var canBeLossless: Bool { range != .lossy }

    /// The most bytes held at once by composing and writing a picture of this size.
    package func memoryCost(of size: PixelSize, _ quality: EncodeQuality) -> Int {
        // What was scaled stands beside the canvas that it is laid on.
        let canvases = size.byteCount.saturating(times: 2)
        let bytes = quality == .lossless ? losslessPixelBytes : lossyPixelBytes
        return canvases.saturating(plus: size.area.saturating(times: bytes))
    }

    /// A quality asked for makes a difference.
    package var canBeLossy: Bool { range != .lossless }

    /// It holds an animation that we write.
    package var canMove: Bool { animate != nil }

    /// It can be written on this machine.
    package var isWritable: Bool { available() }

    /// A library of the format is opened when it is first needed, and not in every process.
    package var needsOpening: Bool { ImageFormat.named(name)?.needsOpening ?? false }
}

extension OutputFormat: CaseIterable {
    /// Every format that is written, in the order of the table.
    package static let allCases: [OutputFormat] = ImageFormat.allCases.compactMap(\.output)

    /// The format of that name, or with that extension.
    package static func named(_ name: String) -> OutputFormat? {
        allCases.first { $0.name == name || $0.fileExtension == name }
    }

    /// The format that a file with this name, the extension of which decides, is written in.
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
