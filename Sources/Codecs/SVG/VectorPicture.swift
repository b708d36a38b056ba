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
    /// The drawing in light surroundings leaves its colour to whoever shows it.
    package var isTemplate: Bool { light.isTemplate }
    /// Something in a filter is not drawn as browsers draw it; `FilterCensus` says what.
    package let hasUnsupportedFilter: Bool
    private let light: SVGDocument
    /// The document in dark surroundings, where it looks different there.
    private let dark: SVGDocument?

    /// Loads a document, packed or not.
    package init(svg: Span<UInt8>, limits: DecodeLimits) throws(DecodeError) {
        if SVGText.isPacked(svg) {
            let text = try SVGText.inflate(svg, limits: limits)
            (light, dark, hasUnsupportedFilter) = try Self.load(text.span, limits)
        } else {
            (light, dark, hasUnsupportedFilter) = try Self.load(svg, limits)
        }
        exactWidth = light.size.width
        exactHeight = light.size.height
    }

    private static func load(
        _ text: Span<UInt8>, _ limits: DecodeLimits
    ) throws(DecodeError) -> (SVGDocument, SVGDocument?, Bool) {
        guard text.count <= limits.svgBytes else { throw SVGText.tooLong(limits) }
        let text = trimmed(text)
        guard text.count > 0 else { throw .notImage }
        try XMLEncoding.check(text)
        try RootSize.check(text)
        let needs = SVGNeeds(text)
        // A header alone is read without drawing anything.
        if needs.embedded, limits.pixels < .max {
            try EmbeddedPictures.check(text, limits: limits)
        }
        return (
            try SVGDocument.load(text, needs, .light, limits: limits),
            needs.schemes ? try SVGDocument.load(text, needs, .dark, limits: limits) : nil,
            needs.filters && FilterCensus.findsUnsupported(text)
        )
    }

    /// The drawing leaves its colour to whoever shows it; `TemplateScan` says when.
    package func isTemplate(in scheme: DrawingScheme) -> Bool {
        document(in: scheme).isTemplate
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

    /// The bytes that the tree of a document is expected to hold, before it is loaded.
    ///
    /// An element of librsvg takes about 1.7 KB with its first attributes, and long path data
    /// twenty times its length, in the tree and again in Cairo while it is drawn. Reckoned is what
    /// is left of that beside the hundred megabytes that a process may take for a drawing unasked.
    package static func documentBytes(of svg: Span<UInt8>, limits: DecodeLimits) -> Int {
        guard SVGText.isPacked(svg) else { return treeBytes(of: svg) }
        do throws(DecodeError) {
            let text = try SVGText.inflate(svg, limits: limits)
            return treeBytes(of: text.span) + text.count
        } catch {
            // Loading it will say so again, to somebody who listens.
            return 0
        }
    }

    /// The tree of a text no longer than this is one of those that people draw.
    private static let smallBytes = 32 << 10

    private static func treeBytes(of text: Span<UInt8>) -> Int {
        guard text.count > smallBytes else { return 0 }
        let needs = SVGNeeds(text)
        let tree = 24 * max(0, text.count - 48 * needs.elements) + 1150 * needs.elements
        return needs.schemes ? 2 * tree : tree
    }

    /// The bytes that drawing a document at `target` is expected to hold beside a small tree.
    ///
    /// Eight megabytes cover the trees that people draw; what larger ones take is known before they
    /// are loaded, from `documentBytes`.
    package static func memoryCost(rendering target: PixelSize?) -> Int {
        let base = 8 << 20
        guard let target else { return base }
        // Filters and groups with opacity draw on surfaces of the same size.
        let (surfaces, overflow) = target.byteCount.multipliedReportingOverflow(by: 3)
        let (sum, overflowToo) = surfaces.addingReportingOverflow(base)
        return overflow || overflowToo ? .max : sum
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

    /// The document as it looks in `scheme`.
    func document(in scheme: DrawingScheme) -> SVGDocument {
        scheme == .dark ? dark ?? light : light
    }

    /// The text from its first tag on: a blank before the XML declaration is against the rules, and
    /// common all the same.
    @_lifetime(copy text)
    private static func trimmed(_ text: Span<UInt8>) -> Span<UInt8> {
        var start = 0
        while start < text.count, [0x20, 0x09, 0x0A, 0x0D].contains(text[start]) { start += 1 }
        return text.extracting(start..<text.count)
    }
}
