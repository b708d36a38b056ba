import Raster

/// A readable image format and everything the rest of the program knows about it.
///
/// Each format is defined in the folder of its codec and listed in `allCases`, and named nowhere
/// else. A format is a class so that a header holds only a reference.
package final class ImageFormat: Sendable {
    package let name: String
    /// The lower-case file extensions, without the dot.
    package let fileExtensions: [String]
    package let mediaType: String
    /// The libraries that the format needs, in the order in which the program lists them.
    package let libraries: [CodecLibrary]
    package let reader: CodecName
    /// Whether the image is rendered at the requested size, independent of its declared size.
    package let isVector: Bool
    /// Whether headers of the format state the decoding cost in `decodingBytes`, because size and
    /// colour model do not determine it.
    package let declaresCost: Bool
    /// The writer of the format; `nil` if it is read-only.
    package let output: OutputFormat?

    let recognizes: @Sendable (Span<UInt8>) -> Bool
    let header: @Sendable (Span<UInt8>, DecodeLimits) throws(DecodeError) -> ImageHeader
    let headerBytes: @Sendable (Span<UInt8>, DecodeLimits) -> Int
    let memoryCost: @Sendable (ImageHeader, DecodeRequest) -> Int
    let storedSize: @Sendable (ImageHeader, DecodeRequest) -> PixelSize
    let decode: @Sendable (Span<UInt8>, ImageHeader, DecodeRequest) throws(DecodeError) -> Picture

    /// - Parameters:
    ///   - mediaType: `nil` means `image/` and the name.
    ///   - recognizes: returns whether the bytes begin like a file of the format, or like a damaged
    ///     file of it.
    ///   - header: reads the header and checks it against the limits.
    ///   - headerBytes: returns the most bytes that `header` allocates; 0 if they are negligible.
    ///   - memoryCost: returns the most bytes that `decode` holds at once, its result included.
    ///   - storedSize: returns the size of the result before orientation; `nil` means the coded
    ///     size.
    ///   - decode: decodes to pixels as stored, before orientation, or to a drawing.
    init(
        _ name: String, fileExtensions: [String], mediaType: String? = nil,
        libraries: [CodecLibrary] = [], reader: CodecName, isVector: Bool = false,
        declaresCost: Bool = false, output: OutputFormat? = nil,
        recognizes: @escaping @Sendable (Span<UInt8>) -> Bool,
        header:
            @escaping @Sendable (Span<UInt8>, DecodeLimits) throws(DecodeError) -> ImageHeader,
        headerBytes: @escaping @Sendable (Span<UInt8>, DecodeLimits) -> Int = { _, _ in 0 },
        memoryCost: @escaping @Sendable (ImageHeader, DecodeRequest) -> Int,
        storedSize: (@Sendable (ImageHeader, DecodeRequest) -> PixelSize)? = nil,
        decode:
            @escaping @Sendable (Span<UInt8>, ImageHeader, DecodeRequest) throws(DecodeError) ->
            Picture
    ) {
        self.name = name
        self.fileExtensions = fileExtensions
        self.mediaType = mediaType ?? "image/\(name)"
        self.libraries = libraries
        self.reader = reader
        self.isVector = isVector
        self.declaresCost = declaresCost
        self.output = output
        self.recognizes = recognizes
        self.header = header
        self.headerBytes = headerBytes
        self.memoryCost = memoryCost
        self.storedSize = storedSize ?? { header, _ in header.codedSize }
        self.decode = decode
    }
}

extension ImageFormat: CaseIterable {
    /// All readable formats, writable formats first, in the order in which lists show them. SVG is
    /// last because its root element may follow comments and so cannot be recognised by the first
    /// bytes alone.
    package static let allCases: [ImageFormat] = [
        .png, .webp, .jpeg, .avif, .gif, .ico, .bmp, .heic, .svg,
    ]

    package static func named(_ name: String) -> ImageFormat? {
        allCases.first { $0.name == name }
    }

    /// Whether all libraries are installed; opens the libraries that are opened on demand.
    package var isReadable: Bool { libraries.allSatisfy(\.isFound) }

    /// Whether a library of the format is opened on first use and not in every worker.
    package var needsOpening: Bool {
        libraries.contains { $0.opening.map { !$0.isInAllWorkers } ?? false }
    }
}

extension ImageFormat: Hashable {
    package static func == (one: ImageFormat, other: ImageFormat) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ImageFormat: CustomStringConvertible {
    package var description: String { name }
}

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
