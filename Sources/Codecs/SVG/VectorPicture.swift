import CLibRsvg
import Raster

/// An SVG document, loaded once and drawn at any size.
///
/// Nothing outside the document is ever read: it is loaded without a base address, so librsvg has
/// no place from which a reference to a file or host could be resolved. What librsvg bounds by
/// itself (elements, references, nesting, entities) keeps its bounds; time and memory it does not
/// bound, so documents from strangers belong in a process with a deadline.
@safe
package struct VectorPicture: ~Copyable {
    /// The width that the document gives itself, or that its view box gives it.
    package let exactWidth: Double
    /// The height that the document gives itself, or that its view box gives it.
    package let exactHeight: Double
    /// The drawing leaves its colour to whoever shows it; `TemplateScan` says when.
    package let isTemplate: Bool
    /// The fonts that its text asks for; nil where it has none.
    let fonts: FontReach?
    private let handle: UnsafeMutablePointer<RsvgHandle>

    /// Loads a document, packed or not.
    package init(svg: Span<UInt8>, limits: DecodeLimits) throws(DecodeError) {
        if SVGText.isPacked(svg) {
            let text = try SVGText.inflate(svg, limits: limits)
            let reach = Self.fonts(of: text.span)
            unsafe handle = try unsafe Self.load(text.span, reach, limits)
            fonts = reach
            isTemplate = TemplateScan.isTemplate(text.span)
        } else {
            let reach = Self.fonts(of: svg)
            unsafe handle = try unsafe Self.load(svg, reach, limits)
            fonts = reach
            isTemplate = TemplateScan.isTemplate(svg)
        }
        let size = unsafe SVGSize(of: handle)
        exactWidth = size.width
        exactHeight = size.height
    }

    deinit {
        unsafe g_object_unref(handle)
    }

    /// What a document says of itself; loads it, which costs about as much as `init`.
    package static func header(
        of svg: Span<UInt8>, limits: DecodeLimits
    ) throws(DecodeError) -> ImageHeader {
        let picture = try VectorPicture(svg: svg, limits: limits)
        return picture.header
    }

    /// The header of a document that is loaded already.
    package var header: ImageHeader {
        ImageHeader(
            format: .svg,
            codedSize: PixelSize(
                width: Int(exactWidth.rounded(.up)), height: Int(exactHeight.rounded(.up))),
            hasAlpha: true, exactSize: (exactWidth, exactHeight))
    }

    /// The bytes that loading a document and drawing it at `target` are expected to hold.
    ///
    /// The tree of a document cannot be known from its header; eight megabytes cover those that
    /// people draw, and a document made to need more meets the limits of its process.
    package static func memoryCost(rendering target: PixelSize?) -> Int {
        let base = 8 << 20
        guard let target else { return base }
        // Filters and groups with opacity draw on surfaces of the same size.
        let (surfaces, overflow) = target.byteCount.multipliedReportingOverflow(by: 3)
        let (sum, overflowToo) = surfaces.addingReportingOverflow(base)
        return overflow || overflowToo ? .max : sum
    }

    /// A loaded document, to be released by the caller.
    @unsafe
    private static func load(
        _ text: Span<UInt8>, _ fonts: FontReach?, _ limits: DecodeLimits
    ) throws(DecodeError) -> UnsafeMutablePointer<RsvgHandle> {
        guard text.count <= limits.svgBytes else { throw SVGText.tooLong(limits) }
        let text = trimmed(text)
        guard text.count > 0 else { throw .notImage }
        try SVGHazards.check(text)
        LibraryLog.silence()
        try prepare(fonts)
        var failure: UnsafeMutablePointer<GError>?
        let loaded = unsafe text.withUnsafeBufferPointer {
            unsafe rsvg_handle_new_from_data($0.baseAddress, gsize($0.count), &failure)
        }
        guard let handle = unsafe loaded else { throw unsafe SVGFailure.loading(failure, text) }
        unsafe rsvg_handle_set_dpi(handle, 96)
        return unsafe handle
    }

    /// Puts the fonts in place that a document asks for.
    static func prepare(_ fonts: FontReach?) throws(DecodeError) {
        guard let fonts else { return }
        do throws(FontError) {
            try FontStock.prepare(fonts)
        } catch {
            throw .unsupported("an SVG with text without its fonts. \(error)")
        }
    }

    private static func fonts(of text: Span<UInt8>) -> FontReach? {
        mayDrawText(text) ? FontReach(ofDocument: text) : nil
    }

    /// Lends the document to the drawing code in this folder.
    @unsafe
    func withHandle<Result: ~Copyable>(
        _ body: (UnsafeMutablePointer<RsvgHandle>) throws(DecodeError) -> Result
    ) throws(DecodeError) -> Result {
        try unsafe body(handle)
    }

    /// The text from its first tag on: a blank before the XML declaration is against the rules, and
    /// common all the same.
    @_lifetime(copy text)
    private static func trimmed(_ text: Span<UInt8>) -> Span<UInt8> {
        var start = 0
        while start < text.count, [0x20, 0x09, 0x0A, 0x0D].contains(text[start]) { start += 1 }
        return text.extracting(start..<text.count)
    }

    /// Whether text might be drawn, judged generously: setting up fonts costs ten milliseconds,
    /// which the usual logo of paths need not pay.
    private static func mayDrawText(_ text: Span<UInt8>) -> Bool {
        // Two bytes a character: the words below would not be found.
        if text.count > 1, text[0] == 0 || text[1] == 0 || text[0] >= 0xFE { return true }
        // Entities may spell anything, and a data address may hold a document of its own.
        let walker = XMLWalker(text)
        for index in 0..<text.count {
            switch text[index] {
            case UInt8(ascii: "t") where walker.matches("text", at: index): return true
            case UInt8(ascii: "E") where walker.matches("ENTITY", at: index): return true
            case UInt8(ascii: "d") where walker.matches("data:", at: index):
                if !walker.matches("data:image/png", at: index),
                    !walker.matches("data:image/jp", at: index)
                {
                    return true
                }
            default: continue
            }
        }
        return false
    }
}
