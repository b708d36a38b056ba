import Artwork
import Codecs
import Engine
import FoundationEssentials
import Raster
import Render
import System
import Transport

/// An image that tasks can share: the bytes of an image file, or pixels in memory.
///
/// It replaces `UIImage`, `NSImage` and SwiftUI's `Image` of Apple platforms, but is a value and
/// not a view. An image made from bytes keeps them and is decoded at the size at which it is drawn.
/// An SVG therefore stays sharp, and a large photograph costs little.
public struct Image: Sendable {
    enum Content: Sendable {
        case encoded([UInt8])
        case pixels(SharedPixels)
        case icon(BuiltInIcon)
        /// An image that could not be found; drawing it fails with this error.
        case missing(EmblemError)
    }

    /// The extent to which the bytes have been checked.
    enum Trust: Sendable {
        /// Not checked; the size is unknown.
        case none
        /// Decoded completely without errors.
        case whole
        /// Encoded as PNG by the library.
        case ownPNG
    }

    let content: Content
    let trust: Trust
    /// The width in pixels after orientation. For an SVG, the declared width; 0 before an image
    /// from ``init(encoded:)`` is checked.
    public let width: Int
    /// The height in pixels after orientation. For an SVG, the declared height; 0 before an image
    /// from ``init(encoded:)`` is checked.
    public let height: Int

    /// Creates an image from the bytes of a file: JPEG, PNG, WebP, GIF, SVG, ICO, BMP, AVIF or
    /// HEIC.
    ///
    /// Decodes the image once to check it, where ``Decoding/current`` specifies.
    ///
    /// - Throws: ``EmblemError/failedToDecode(_:)`` if the bytes are not an image, are damaged or
    ///   truncated, take too long to decode, or exceed a limit of ``Decoding``;
    ///   ``EmblemError/busy(_:)`` and ``EmblemError/unavailable(_:)``; `CancellationError` if the
    ///   task is cancelled.
    public init(data: some Sequence<UInt8> & Sendable) async throws {
        self = try await Image(encoded: data).checked()
    }

    /// Creates an image like ``init(data:)`` and blocks the calling thread meanwhile. It needs no
    /// other thread of the program.
    ///
    /// - Throws: ``EmblemError/failedToDecode(_:)``; ``EmblemError/busy(_:)``;
    ///   ``EmblemError/unavailable(_:)``.
    public init(blockingData data: some Sequence<UInt8>) throws(EmblemError) {
        let image = Image(encoded: data)
        self = try Blocking.wait { try await image.checked() }
    }

    /// Creates an image from the bytes of a file without checking them.
    ///
    /// The image is checked when it is drawn, so that it is decoded once. Until then its width and
    /// height are 0. A loader returns such images.
    public init(encoded bytes: some Sequence<UInt8>) {
        self.init(Array(bytes), PixelSize(width: 0, height: 0), .none)
    }

    /// Creates an image from pixels: red, green, blue and alpha, one byte each, in rows without
    /// padding.
    ///
    /// - Parameters:
    ///   - width: The number of pixels in a row.
    ///   - height: The number of rows.
    ///   - rgba: The pixels in sRGB, `width * height * 4` bytes.
    ///   - isPremultiplied: Whether the colours are already multiplied by alpha.
    /// - Throws: ``EmblemError/failedToDecode(_:)`` if the number of bytes is not `width * height *
    ///   4`, or if there are too many pixels.
    public init(
        width: Int, height: Int, rgba: [UInt8], isPremultiplied: Bool = false
    ) throws(EmblemError) {
        let size = PixelSize(width: width, height: height)
        try rethrowing(as: EmblemError.init) { () throws(DecodeError) in
            try DecodeLimits().check(size)
        }
        guard rgba.count == size.byteCount else {
            throw .failedToDecode(
                "A picture of \(size) pixels has \(size.byteCount) bytes, not \(rgba.count).",
                .notImage)
        }
        self.width = width
        self.height = height
        content = .pixels(SharedPixels(size, rgba, isPremultiplied: isPremultiplied))
        trust = .whole
    }

    init(_ bytes: [UInt8], _ size: PixelSize, _ trust: Trust) {
        content = .encoded(bytes)
        self.trust = trust
        width = size.width
        height = size.height
    }

    init(_ pixels: consuming PixelBuffer) {
        let size = pixels.size
        content = .pixels(SharedPixels(pixels))
        trust = .whole
        width = size.width
        height = size.height
    }

    /// Creates an image from a built-in icon.
    public init(icon: Emblem.Icon) {
        content = .icon(icon)
        trust = .whole
        width = 24
        height = 24
    }

    init(_ drawn: RenderedImage) { self.init(drawn.bytes, drawn.size, .ownPNG) }

    init(missing error: EmblemError) {
        content = .missing(error)
        trust = .none
        width = 0
        height = 0
    }

    var size: PixelSize { PixelSize(width: width, height: height) }

    /// The bytes to decode; `nil` if there are only pixels.
    var encoded: [UInt8]? {
        switch content {
        case .encoded(let bytes): bytes
        case .icon(let icon): Array(icon.svg.utf8)
        case .pixels, .missing: nil
        }
    }
}

extension Image: Hashable {
    /// Compares the bytes or the pixels of two images.
    public static func == (one: Image, other: Image) -> Bool {
        switch (one.content, other.content) {
        case (.encoded(let bytes), .encoded(let others)): bytes == others
        case (.pixels(let pixels), .pixels(let others)): pixels == others
        case (.icon(let icon), .icon(let other)): icon == other
        case (.missing(let error), .missing(let other)): error == other
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        // The size of an encoded image is unknown before its check.
        if case .encoded(let bytes) = content {
            hasher.combine(bytes)
        } else {
            hasher.combine(size)
        }
    }
}

extension Image: CustomStringConvertible {
    public var description: String { "a picture of \(size) pixels" }
}

extension Image {
    /// Returns the image as a part of a drawing that shows it in `box`. Vector drawings stay
    /// vectors.
    func drawingContent(
        in box: PixelSize, _ decoding: Decoding = .current
    ) async throws -> EmblemContent {
        switch content {
        case .icon(let icon): return .icon(icon)
        case .pixels(let shared): return .picture(SketchPicture(shared.buffer.copy()))
        case .encoded(let bytes):
            return EmblemContent(try await decoding.graphic(bytes, in: box).graphic)
        case .missing(let error): throw error
        }
    }

    /// Returns the image after decoding every part of it once.
    func checked(_ decoding: Decoding = .current) async throws -> Image {
        if case .missing(let error) = content { throw error }
        guard trust == .none, case .encoded(let bytes) = content else { return self }
        return Image(bytes, try await decoding.check(bytes).size, .whole)
    }
}
