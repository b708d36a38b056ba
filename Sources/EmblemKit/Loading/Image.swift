import Artwork
import Codecs
import Raster
import Render

/// A picture that can be shared: bytes of a picture file, or pixels in memory.
///
/// It stands where `UIImage`, `NSImage` or SwiftUI's `Image` stand on Apple's systems: a value
/// that any number of tasks may hold, not a view. A picture made from bytes keeps the bytes and is
/// decoded at the size in which it is drawn, so that an SVG stays sharp and a photograph of many
/// megapixels costs little.
public struct Image: Sendable {
    /// What the picture is made of.
    enum Content: Sendable {
        case encoded([UInt8])
        case pixels(SharedPixels)
        case icon(BuiltInIcon)
    }

    /// How far the bytes were looked at.
    enum Trust: Sendable {
        /// Not at all: the size is not known either. No such picture leaves the library.
        case none
        /// Everything decodes.
        case whole
        /// The PNG is our own.
        case ours
    }

    let content: Content
    let trust: Trust
    /// Pixels from left to right, as a viewer shows it; of an SVG the size that it declares.
    public let width: Int
    /// Pixels from top to bottom, as a viewer shows it; of an SVG the size that it declares.
    public let height: Int

    /// A picture from the bytes of a file: JPEG, PNG, WebP, GIF, SVG, ICO, BMP, AVIF, HEIC or
    /// JPEG XL.
    ///
    /// Decodes the picture once, to know that it can be shown, where ``DesignSystem/decoding`` says;
    /// holds its thread meanwhile, and needs no other of the program's.
    /// - Throws: ``EmblemError/failedToDecode(_:)`` when the bytes are no picture, when they are
    ///   damaged or end early, when decoding takes too long, and when the picture has more than 50
    ///   million pixels.
    public init(data: some Sequence<UInt8>) throws(EmblemError) {
        let image = Image(unlooked: Array(data))
        self = try Blocking.wait { try await image.checked() }
    }

    /// The same without a thread that waits; where `await` can be said this is the one that is meant.
    ///
    /// - Throws: ``EmblemError/failedToDecode(_:)`` as the other; `CancellationError` when the task is
    ///   cancelled.
    public init(data: some Sequence<UInt8> & Sendable) async throws {
        self = try await Image(unlooked: Array(data)).checked()
    }

    /// A picture from pixels: red, green, blue and alpha, a byte each, row by row without gaps.
    ///
    /// - Parameters:
    ///   - width: pixels in a row.
    ///   - height: rows.
    ///   - rgba: `width * height * 4` bytes in sRGB.
    ///   - isPremultiplied: the colours have been multiplied by alpha already.
    /// - Throws: ``EmblemError/failedToDecode(_:)`` when there are not exactly
    ///   `width * height * 4` bytes, or too many pixels.
    public init(
        width: Int, height: Int, rgba: [UInt8], isPremultiplied: Bool = false
    ) throws(EmblemError) {
        let size = PixelSize(width: width, height: height)
        do throws(DecodeError) {
            try DecodeLimits().check(size)
        } catch {
            throw EmblemError(error)
        }
        guard rgba.count == size.byteCount else {
            throw .failedToDecode(
                "A picture of \(size) pixels has \(size.byteCount) bytes, not \(rgba.count).")
        }
        self.width = width
        self.height = height
        content = .pixels(SharedPixels(size, rgba, isPremultiplied: isPremultiplied))
        trust = .whole
    }

    /// Bytes that nobody has looked at.
    init(unlooked bytes: [UInt8]) {
        self.init(bytes, PixelSize(width: 0, height: 0), .none)
    }

    init(_ bytes: [UInt8], _ size: PixelSize, _ trust: Trust) {
        content = .encoded(bytes)
        self.trust = trust
        width = size.width
        height = size.height
    }

    /// Pixels of ours.
    init(_ pixels: consuming PixelBuffer) {
        let size = pixels.size
        content = .pixels(SharedPixels(pixels))
        trust = .whole
        width = size.width
        height = size.height
    }

    /// A built-in icon.
    public init(icon: Emblem.Icon) {
        content = .icon(icon.value)
        trust = .whole
        width = 24
        height = 24
    }

    var size: PixelSize { PixelSize(width: width, height: height) }

    /// The bytes it can be decoded from; `nil` where there are only pixels.
    var encoded: [UInt8]? {
        switch content {
        case .encoded(let bytes): bytes
        case .icon(let icon): Array(icon.svg.utf8)
        case .pixels: nil
        }
    }
}

extension Image: Hashable {
    /// Equal pictures have equal bytes or equal pixels.
    public static func == (one: Image, other: Image) -> Bool {
        switch (one.content, other.content) {
        case (.encoded(let bytes), .encoded(let others)): bytes == others
        case (.pixels(let pixels), .pixels(let others)): pixels == others
        case (.icon(let icon), .icon(let other)): icon == other
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(width)
        hasher.combine(height)
        if case .encoded(let bytes) = content { hasher.combine(bytes) }
    }
}

extension Image: CustomStringConvertible {
    public var description: String { "a picture of \(size) pixels" }
}
