import Raster

/// A picture format that can be read: all that the rest of the program knows of one.
///
/// Each stands in the folder of its codec and in the table `allCases`, and nowhere else by name: how
/// bytes are told apart, what is listed, offered, walked through and kept in memory comes from here.
/// There is one object of each, so that a header carries no more than a reference.
package final class ImageFormat: Sendable {
    /// What options, records and people call it.
    package let name: String
    /// The extensions, without the dot and in lower case, under which files of it go.
    package let fileExtensions: [String]
    /// What a page calls it.
    package let mediaType: String
    /// The libraries behind it, in the order in which they are listed.
    package let libraries: [CodecLibrary]
    /// Whose code turns its files into pixels.
    package let reader: CodecName
    /// It is drawn at the size it is needed in, whatever size it declares.
    package let isVector: Bool
    /// What decoding takes is told by `ImageHeader.decodingBytes`, as the other fields cannot.
    package let declaresCost: Bool
    /// How it is written; `nil` where it is only read.
    package let output: OutputFormat?

    let recognizes: @Sendable (Span<UInt8>) -> Bool
    let header: @Sendable (Span<UInt8>, DecodeLimits) throws(DecodeError) -> ImageHeader
    let headerBytes: @Sendable (Span<UInt8>, DecodeLimits) -> Int
    let memoryCost: @Sendable (ImageHeader, DecodeRequest) -> Int
    let storedSize: @Sendable (ImageHeader, DecodeRequest) -> PixelSize
    let decode: @Sendable (Span<UInt8>, ImageHeader, DecodeRequest) throws(DecodeError) -> Picture

    /// - Parameters:
    ///   - mediaType: `nil` stands for `image/` and the name.
    ///   - recognizes: whether bytes begin as its files do, or as those do that are damaged.
    ///   - header: what the file says of itself, after the limits were held against it.
    ///   - headerBytes: what `header` holds at once, where that is more than a little.
    ///   - memoryCost: the most bytes that `decode` holds at once, its result included.
    ///   - storedSize: the size that `decode` gives, before orientation; `nil` is the coded one.
    ///   - decode: the pixels as they lie in the file, or a drawing.
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
    /// The table: every format that is read, those that are written first, in the order in which all
    /// lists name them. Drawings come last among those told by their first bytes, since their root
    /// may stand behind comments.
    package static let allCases: [ImageFormat] = [
        .png, .webp, .jpeg, .avif, .jxl, .gif, .ico, .bmp, .heic, .svg,
    ]

    /// The format of that name.
    package static func named(_ name: String) -> ImageFormat? {
        allCases.first { $0.name == name }
    }

    /// All of its libraries are installed; opens those that are opened late.
    package var isReadable: Bool { libraries.allSatisfy(\.isFound) }

    /// One of its libraries is opened when it is first needed, and not in every process.
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
