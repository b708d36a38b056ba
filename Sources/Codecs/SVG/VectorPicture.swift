import CDrawing
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
    /// Pictures stand inside, which a header leaves out.
    let hasPictures: Bool
    /// The drawing looks different in dark surroundings.
    package var changesWithScheme: Bool { dark != nil }
    /// Something else is not drawn as browsers draw it; `FeatureCensus` says what.
    package var hasUnsupportedFeature: Bool {
        light.hasUnsupportedFeature || dark?.hasUnsupportedFeature ?? false
    }
    /// The part of the document that is shown, in its own units; nil is all of it.
    var window: Window?
    private let light: SVGDocument
    /// The document in dark surroundings, where it looks different there.
    private let dark: SVGDocument?

    /// Surfaces in each other that drawing takes.
    private let surfaces: Int

    /// Loads a document, packed or not.
    package init(svg: Span<UInt8>, limits: DecodeLimits) throws(DecodeError) {
        var tally = PictureTally()
        try self.init(svg: svg, limits: limits, depth: 0, tally: &tally)
    }

    /// - Parameter depth: The documents around this one, whose pictures are in `tally`.
    init(
        svg: Span<UInt8>, limits: DecodeLimits, depth: Int, tally: inout PictureTally
    ) throws(DecodeError) {
        let parts: Parts
        if SVGText.isPacked(svg) {
            let text = try SVGText.inflate(svg, limits: limits)
            parts = try Self.load(text.span, limits, depth, &tally)
        } else {
            parts = try Self.load(svg, limits, depth, &tally)
        }
        light = parts.light
        dark = parts.dark
        hasUnsupportedFilter = parts.hasUnsupportedFilter
        hasPictures = parts.hasPictures
        exactWidth = light.size.width
        exactHeight = light.size.height
        surfaces = max(light.surfaces, dark?.surfaces ?? 0)
    }

    private struct Parts {
        let light: SVGDocument
        let dark: SVGDocument?
        let hasUnsupportedFilter: Bool
        let hasPictures: Bool
    }

    /// Loads a text after each change that librsvg needs.
    private static func load(
        _ svg: Span<UInt8>, _ limits: DecodeLimits, _ depth: Int, _ tally: inout PictureTally
    ) throws(DecodeError) -> Parts {
        guard svg.count <= limits.svgBytes else { throw SVGText.tooLong(limits) }
        let start = trimmed(svg)
        guard start.count > 0 else { throw .notImage }
        try XMLEncoding.check(start)
        let most = SVGDocument.bytesLimit(start.count, limits)
        var text: [UInt8]
        let plain = try XMLPlainText.write(start, bytesLimit: most)
        if let plain {
            text = trimmed(plain.text.span).copied()
        } else {
            text = start.copied()
        }
        let root = DrawingRoot(text.span, try RootSize.check(text.span))
        root.hide(in: &text)
        var needs = SVGNeeds(text.span, root)
        needs.hadEntities = plain?.hasEntities ?? false
        // A header alone is read without drawing anything.
        let readsPictures = needs.pictures && limits.pixels < .max
        if readsPictures {
            let written = try EmbeddedPictures.write(
                text.span, limits: limits, depth: depth, tally: &tally,
                bytesLimit: SVGDocument.bytesLimit(text.count, limits))
            if let written { text = written }
        }
        if needs.gradients { text = GradientRepairs.write(text.span, root) }
        let parts = Parts(
            light: try SVGDocument.load(text.span, needs, .light, limits: limits),
            dark: needs.schemes
                ? try SVGDocument.load(text.span, needs, .dark, limits: limits) : nil,
            hasUnsupportedFilter: needs.filters && FilterCensus.findsUnsupported(text.span),
            hasPictures: needs.pictures)
        if readsPictures { try AddressSpace.check(tally.bytes) }
        return parts
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
            hasAlpha: true, exactSize: (exactWidth, exactHeight), surfaces: surfaces)
    }

    /// The most surfaces that a header may speak of.
    package static var surfacesLimit: Int { SurfaceDepth.limit }

    /// The bytes that the tree of a document is expected to hold, before it is loaded.
    ///
    /// An element of librsvg takes about 1.7 KB with its first attributes, and long path data
    /// twenty times its length, in the tree and again in Cairo while it is drawn. Reckoned is what
    /// is left of that beside the hundred megabytes that a process may take for a drawing unasked.
    /// The pictures inside are reckoned from their headers.
    package static func documentBytes(of svg: Span<UInt8>, limits: DecodeLimits) -> Int {
        do throws(DecodeError) {
            guard SVGText.isPacked(svg) else { return try textBytes(of: svg, limits) }
            let text = try SVGText.inflate(svg, limits: limits)
            let bytes = try textBytes(of: text.span, limits)
            return bytes == 0 && text.count <= smallBytes ? 0 : bytes.saturating(plus: text.count)
        } catch {
            // Loading it will say so again, to somebody who listens.
            return 0
        }
    }

    /// The tree of a text no longer than this is one of those that people draw.
    private static let smallBytes = 32 << 10

    private static func textBytes(
        of text: Span<UInt8>, _ limits: DecodeLimits
    ) throws(DecodeError) -> Int {
        guard text.count <= limits.svgBytes else { return 0 }
        let text = trimmed(text)
        let most = SVGDocument.bytesLimit(text.count, limits)
        guard let plain = try XMLPlainText.write(text, bytesLimit: most) else {
            return treeBytes(of: text, limits)
        }
        return treeBytes(of: plain.text.span, limits).saturating(plus: plain.text.count)
    }

    private static func treeBytes(of text: Span<UInt8>, _ limits: DecodeLimits) -> Int {
        let needs = SVGNeeds(text, DrawingRoot(text, []))
        let pictures = needs.pictures ? EmbeddedPictures.weigh(text, limits: limits) : .init()
        guard text.count > smallBytes else { return pictures.bytes }
        let rest = text.count - pictures.textBytes
        let tree = 24 * max(0, rest - 48 * needs.elements) + 1150 * needs.elements
        // A document with blurs is held with a margin too.
        let trees = (needs.schemes ? 2 : 1) * (needs.filters ? 2 : 1)
        return tree.saturating(times: trees).saturating(
            plus: needs.schemes ? 2 * pictures.bytes : pictures.bytes)
    }

    /// The bytes that drawing a document at `target` is expected to hold beside a small tree.
    ///
    /// Eight megabytes cover the trees that people draw; what larger ones take is known before they
    /// are loaded, from `documentBytes`.
    ///
    /// - Parameter surfaces: How many are held in each other, as `SurfaceDepth` counts them.
    package static func memoryCost(rendering target: PixelSize?, surfaces: Int = 0) -> Int {
        let base = 8 << 20
        guard let target else { return base }
        // Filters and groups with opacity draw on surfaces of the same size.
        let (bytes, overflow) = target.byteCount.multipliedReportingOverflow(
            by: max(3, surfaces.saturating(plus: 2)))
        let (sum, overflowToo) = bytes.addingReportingOverflow(base)
        return overflow || overflowToo ? .max : sum
    }

    /// Puts the fonts in place that a document asks for.
    static func prepare(_ fonts: FontSet?) throws(DecodeError) {
        guard let fonts else { return }
        do throws(FontError) {
            try FontCache.prepare(fonts)
        } catch {
            throw SVGFailure.Drawing(error).error
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

/// A drawing that was loaded to read its header, kept until it is decoded.
///
/// An SVG has no header of its own: what it says of itself is known once it is loaded whole, which
/// is half of what decoding it takes.
@safe
package final class OpenedDrawing {
    private var drawing: VectorPicture?
    private let textBytes: Int

    /// Nil for a drawing with pictures inside, which are not looked at for a header.
    init?(_ drawing: consuming VectorPicture, _ limits: DecodeLimits) {
        guard !drawing.hasPictures else { return nil }
        self.drawing = consume drawing
        textBytes = limits.svgBytes
    }

    /// The drawing, once; nil where it was loaded under another limit.
    func take(for limits: DecodeLimits) -> VectorPicture? {
        guard limits.svgBytes == textBytes else { return nil }
        return drawing.take()
    }
}

extension ImageFormat {
    /// SVG, plain or packed by gzip.
    package static let svg = ImageFormat(
        "svg", fileExtensions: ["svg", "svgz"], mediaType: "image/svg+xml",
        libraries: DrawingLibraries.svg,
        reader: CodecName("librsvg"), isVector: true,
        recognizes: { bytes in
            guard PackedText.isPacked(bytes) else { return XMLRoot.isSVG(bytes) }
            return XMLRoot.isSVG(PackedText.beginning(of: bytes).span)
        },
        header: VectorPicture.header, headerBytes: VectorPicture.documentBytes,
        memoryCost: { header, request in
            VectorPicture.memoryCost(rendering: request.neededSize, surfaces: header.surfaces)
        },
        decode: { bytes, _, request throws(DecodeError) in
            .vector(try VectorPicture(svg: bytes, limits: request.limits))
        })
}
