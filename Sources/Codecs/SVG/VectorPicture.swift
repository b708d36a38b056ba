import CDrawing
import Raster
import System

/// An SVG document, loaded once and drawn at any size.
///
/// librsvg draws the document as it is. Nothing outside the document is read: it is loaded without
/// a base URL, so librsvg cannot resolve a reference to a file or host. librsvg limits elements,
/// references and nesting, but neither time nor memory nor its stack. Untrusted documents must
/// therefore be drawn in a worker process.
@safe
package struct VectorPicture: ~Copyable {
    /// The width of the document or of its view box.
    package let exactWidth: Double
    /// The height of the document or of its view box.
    package let exactHeight: Double
    /// Whether the viewer chooses the drawing's colour; see `TemplateScan`.
    package let isTemplate: Bool
    /// Whether librsvg leaves out or changes a part of the drawing; see `FeatureSearch`.
    package let hasUnsupportedFeature: Bool
    /// The visible part of the document, in its own units; nil means all of it.
    var window: Window?
    /// The fonts that its text needs; nil if it has no text.
    let fonts: FontSet?
    let handle: OpaquePointer
    /// Whether the document may have embedded images, which are not read with the header.
    fileprivate let mayHavePictures: Bool

    /// Loads a document, compressed or not.
    package init(svg: Span<UInt8>, limits: DecodeLimits) throws(DecodeError) {
        var pictures = EmbeddedPictures()
        try self.init(svg: svg, limits: limits, pictures: &pictures)
    }

    /// - Parameter pictures: The images of all enclosing documents.
    init(
        svg: Span<UInt8>, limits: DecodeLimits, pictures: inout EmbeddedPictures
    ) throws(DecodeError) {
        guard PackedText.isPacked(svg) else {
            try self.init(text: svg, limits, &pictures)
            return
        }
        let text = try SVGText.inflate(svg, limits: limits)
        try self.init(text: text.span, limits, &pictures)
    }

    private init(
        text: Span<UInt8>, _ limits: DecodeLimits, _ pictures: inout EmbeddedPictures
    ) throws(DecodeError) {
        guard text.count <= limits.svgBytes else { throw SVGText.tooLong(limits) }
        let text = text.trimmed
        guard text.count > 0 else { throw .notImage }
        try SVGText.checkEncoding(of: text)
        try SVGText.checkEntities(of: text, limits)
        // Nothing is drawn if only the header is read.
        if limits.pixels < .max, let replaced = try pictures.replace(in: text, limits) {
            try self.init(loading: replaced.span)
        } else {
            try self.init(loading: text)
        }
    }

    private init(loading text: Span<UInt8>) throws(DecodeError) {
        guard DrawingLibraries.areFound else {
            throw .unsupported(DrawingLibraries.whatIsMissing)
        }
        var failure: UnsafeMutablePointer<GError>?
        let loaded = unsafe text.withUnsafeBufferPointer {
            unsafe rsvg_handle_new_from_data($0.baseAddress, gsize($0.count), &failure)
        }
        guard let loaded = unsafe loaded else { throw unsafe SVGFailure.loading(failure, text) }
        unsafe rsvg_handle_set_dpi(loaded, 96)
        let size: SVGSize
        do throws(DecodeError) {
            size = try unsafe SVGSize(of: loaded, text)
        } catch {
            unsafe g_object_unref(UnsafeMutableRawPointer(loaded))
            throw error
        }
        unsafe handle = loaded
        exactWidth = size.width
        exactHeight = size.height
        mayHavePictures = text.contains("data:", in: 0..<text.count)
        fonts = text.mayHaveText ? FontSet(ofDocument: text) : nil
        isTemplate = TemplateScan.isTemplate(text)
        hasUnsupportedFeature = FeatureSearch.findsUnsupported(in: text)
    }

    deinit { unsafe g_object_unref(UnsafeMutableRawPointer(handle)) }

    /// Reads the header of a document. Loads the document, which costs about as much as `init`.
    package static func header(
        of svg: Span<UInt8>, limits: DecodeLimits
    ) throws(DecodeError) -> ImageHeader {
        try VectorPicture(svg: svg, limits: limits).header
    }

    package var header: ImageHeader {
        ImageHeader(
            format: .svg,
            codedSize: PixelSize(
                width: Int(exactWidth.rounded(.up)), height: Int(exactHeight.rounded(.up))),
            hasAlpha: true, exactSize: (exactWidth, exactHeight))
    }

    /// Estimates the size of a document's tree before it is loaded, in bytes.
    ///
    /// An element in librsvg takes about 1.7 KB with its first attributes. Long path data takes
    /// twenty times its length, in the tree and again in cairo while it is drawn. The estimate
    /// excludes the hundred megabytes that every process may use. Embedded images count by their
    /// headers.
    package static func documentBytes(of svg: Span<UInt8>, limits: DecodeLimits) -> Int {
        // Errors are ignored here, because loading the document reports them.
        guard PackedText.isPacked(svg) else { return treeBytes(of: svg, limits) }
        guard let text = try? SVGText.inflate(svg, limits: limits) else { return 0 }
        let bytes = treeBytes(of: text.span, limits)
        return bytes == 0 && text.count <= smallBytes ? 0 : bytes.saturating(plus: text.count)
    }

    /// Estimates `documentBytes` without inflating the document or reading its embedded images;
    /// `Int.max` if it is compressed or has any.
    static func outlineBytes(of svg: Span<UInt8>) -> Int {
        guard !PackedText.isPacked(svg), EmbeddedPictures.address(in: svg, from: 0) == nil else {
            return .max
        }
        return treeBytes(of: svg, DecodeLimits())
    }

    /// The text length in bytes up to which a tree has a typical size.
    private static let smallBytes = 32 << 10

    private static func treeBytes(of text: Span<UInt8>, _ limits: DecodeLimits) -> Int {
        guard text.count <= limits.svgBytes else { return 0 }
        let pictures = EmbeddedPictures(measuring: text, limits)
        guard text.count > smallBytes else { return pictures.bytes }
        var elements = 0
        for index in 1..<text.count
        where text[index - 1] == UInt8(ascii: "<") && SVGCharacter.isNamePart(text[index]) {
            elements += 1
        }
        let tree = 24 * max(0, text.count - pictures.textBytes - 48 * elements) + 1150 * elements
        return tree.saturating(plus: pictures.bytes)
    }

    /// Estimates the bytes that drawing at `target` needs in addition to a small tree.
    ///
    /// Eight megabytes cover typical trees; `documentBytes` covers larger ones before they are
    /// loaded.
    package static func memoryCost(rendering target: PixelSize?) -> Int {
        let base = 8 << 20
        guard let target else { return base }
        // Filters and groups with opacity draw on surfaces of the same size.
        return target.byteCount.saturating(times: 3).saturating(plus: base)
    }
}

/// A drawing that was loaded to read its header, kept until it is decoded.
///
/// An SVG must be loaded whole for its header, which takes half of the time of decoding.
@safe
package final class OpenedDrawing {
    private var drawing: VectorPicture?
    private let textBytes: Int

    /// Nil for a drawing with embedded images, which reading a header skips.
    init?(_ drawing: consuming VectorPicture, _ limits: DecodeLimits) {
        guard !drawing.mayHavePictures else { return nil }
        self.drawing = consume drawing
        textBytes = limits.svgBytes
    }

    /// Returns the drawing on the first call; nil if it was loaded with another limit.
    func take(for limits: DecodeLimits) -> VectorPicture? {
        guard limits.svgBytes == textBytes else { return nil }
        return drawing.take()
    }
}

extension ImageFormat {
    /// SVG, plain or compressed with gzip.
    package static let svg = ImageFormat(
        "svg", fileExtensions: ["svg", "svgz"], mediaType: "image/svg+xml",
        libraries: DrawingLibraries.svg,
        reader: CodecName("librsvg"), isVector: true,
        recognizes: { bytes in
            guard PackedText.isPacked(bytes) else { return XMLRoot.isSVG(bytes) }
            return XMLRoot.isSVG(PackedText.beginning(of: bytes).span)
        },
        header: VectorPicture.header, headerBytes: VectorPicture.documentBytes,
        memoryCost: { _, request in
            VectorPicture.memoryCost(rendering: request.neededSize)
        },
        decode: { bytes, _, request throws(DecodeError) in
            .vector(try VectorPicture(svg: bytes, limits: request.limits))
        })
}

extension VectorPicture {
    /// Draws the document stretched to exactly `target` pixels, and returns the part `visible` of
    /// it, or all; only that part is allocated.
    ///
    /// The document applies its own aspect rules inside its exact size, and that size is stretched.
    /// A target with the same aspect, up to rounding, is therefore not distorted. For a trimmed
    /// drawing, `target` is the size of the trimmed part.
    package func render(
        at target: PixelSize, visible: PixelRect? = nil
    ) throws(DecodeError) -> PixelBuffer {
        let part = visible ?? PixelRect(target)
        precondition(part.isInside(target), "The visible part lies inside the target.")
        // Cairo's limit for an image.
        guard part.width <= 32_767, part.height <= 32_767 else {
            throw .limitDecode("a drawing with more than 32767 pixels per side")
        }
        return try rethrowing(as: \.error) { () throws(SVGFailure.Drawing) in
            guard let fonts else { return try draw(part, of: target) }
            return try FontCache.draw(with: fonts) { () throws(SVGFailure.Drawing) in
                try draw(part, of: target)
            }
        }
    }

    private func draw(
        _ part: PixelRect, of target: PixelSize
    ) throws(SVGFailure.Drawing) -> PixelBuffer {
        var buffer = PixelBuffer(size: PixelSize(width: part.width, height: part.height))
        try unsafe buffer.withUnsafeMutablePixels { base throws(SVGFailure.Drawing) in
            let surface = unsafe cairo_image_surface_create_for_data(
                base, CAIRO_FORMAT_ARGB32, Int32(part.width), Int32(part.height),
                Int32(part.width * 4))
            defer { unsafe cairo_surface_destroy(surface) }
            let context = unsafe cairo_create(surface)
            defer { unsafe cairo_destroy(context) }
            unsafe cairo_translate(context, -Double(part.x), -Double(part.y))
            unsafe cairo_scale(
                context, Double(target.width) / shownSize.width,
                Double(target.height) / shownSize.height)
            if let window { unsafe cairo_translate(context, -window.x, -window.y) }
            var viewport = RsvgRectangle(x: 0, y: 0, width: exactWidth, height: exactHeight)
            var failure: UnsafeMutablePointer<GError>?
            guard unsafe rsvg_handle_render_document(handle, context, &viewport, &failure) != 0
            else { throw unsafe SVGFailure.drawing(failure) }
            guard unsafe cairo_status(context) == CAIRO_STATUS_SUCCESS else {
                throw SVGFailure.Drawing(
                    error: .limitDecode("the size of a drawing for cairo"), isCairoFailure: true)
            }
            unsafe cairo_surface_flush(surface)
        }
        buffer.swizzleFromCairo()
        return buffer
    }
}

extension VectorPicture {
    /// A part of a document in its own units.
    struct Window {
        let x: Double
        let y: Double
        let width: Double
        let height: Double
    }

    /// The longer side, in pixels, of the rendering in which margins are measured. The precision is
    /// therefore 1/512 of that side.
    private static let trimSide = 512.0

    /// The size of the visible part in the document's units: all of the document, unless its
    /// margins were trimmed.
    package var shownSize: (width: Double, height: Double) {
        window.map { ($0.width, $0.height) } ?? (exactWidth, exactHeight)
    }

    /// Trims transparent margins.
    package mutating func trim() throws(DecodeError) {
        let longer = max(exactWidth, exactHeight)
        func pixels(_ length: Double) -> Int {
            max(1, Int((length / longer * Self.trimSide).rounded()))
        }
        let size = PixelSize(width: pixels(exactWidth), height: pixels(exactHeight))
        let drawn = try render(at: size)
        guard let bounds = drawn.contentBounds else { return }
        show(bounds, of: size)
    }

    /// Reduces the visible part to `bounds`, given in pixels of a rendering at `size`.
    package mutating func show(_ bounds: PixelRect, of size: PixelSize) {
        let shown = window ?? Window(x: 0, y: 0, width: exactWidth, height: exactHeight)
        let (across, down) = (
            shown.width / Double(size.width), shown.height / Double(size.height)
        )
        window = Window(
            x: shown.x + Double(bounds.x) * across, y: shown.y + Double(bounds.y) * down,
            width: Double(bounds.width) * across, height: Double(bounds.height) * down)
    }
}

extension PixelBuffer {
    /// Converts cairo's pixels, native words of alpha, red, green and blue, to RGBA in place, and
    /// records whether all are opaque.
    package mutating func swizzleFromCairo() {
        let count = size.area
        let least = unsafe withUnsafeMutablePixels { base in
            unsafe base.withMemoryRebound(to: UInt32.self, capacity: count) { words in
                var alphas = UInt32.max
                for index in 0..<count {
                    let word = unsafe words[index]
                    alphas &= word
                    #if _endian(little)
                        let swapped = word & 0x00FF_00FF
                        unsafe words[index] =
                            word & 0xFF00_FF00 | swapped << 16 | swapped >> 16
                    #else
                        unsafe words[index] = word << 8 | word >> 24
                    #endif
                }
                return alphas
            }
        }
        isOpaque = least >> 24 == 0xFF
    }
}
