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
