import CDrawing
import Raster
import System

/// An SVG document, loaded once and drawn at any size.
///
/// Nothing outside the document is read: it is loaded without a base URL, so librsvg cannot resolve
/// a reference to a file or host. librsvg limits elements, references, nesting and entities, but
/// neither time nor memory. Untrusted documents must therefore be drawn in a process with a
/// deadline.
@safe
package struct VectorPicture: ~Copyable {
    /// The width of the document or of its view box.
    package let exactWidth: Double
    /// The height of the document or of its view box.
    package let exactHeight: Double
    /// Whether the viewer chooses the drawing's colour in the light scheme.
    package var isTemplate: Bool { light.isTemplate }
    /// Whether a filter is drawn differently from browsers; see `FilterCensus`.
    package let hasUnsupportedFilter: Bool
    /// Whether the document has embedded images, which are not decoded when only the header is
    /// read.
    let hasPictures: Bool
    /// Whether the drawing looks different in the dark scheme.
    package var changesWithScheme: Bool { dark != nil }
    /// Whether a feature other than a filter is drawn differently from browsers; see
    /// `FeatureCensus`.
    package var hasUnsupportedFeature: Bool {
        light.hasUnsupportedFeature || dark?.hasUnsupportedFeature ?? false
    }
    /// The visible part of the document, in its own units; nil means all of it.
    var window: Window?
    private let light: SVGDocument
    /// The document in the dark scheme, if it looks different there.
    private let dark: SVGDocument?

    /// The depth of nested surfaces that drawing needs.
    private let surfaces: Int

    /// Loads a document, compressed or not.
    package init(svg: Span<UInt8>, limits: DecodeLimits) throws(DecodeError) {
        var tally = PictureTally()
        try self.init(svg: svg, limits: limits, depth: 0, tally: &tally)
    }

    /// - Parameter depth: The number of enclosing documents, whose images are in `tally`.
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

    /// Loads a text after all changes that librsvg needs.
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
        // Skips embedded images if only the header is read, because nothing is drawn then.
        let readsPictures = needs.mayHavePictures && limits.pixels < .max
        if readsPictures {
            let written = try EmbeddedPictures.write(
                text.span, limits: limits, depth: depth, tally: &tally,
                bytesLimit: SVGDocument.bytesLimit(text.count, limits))
            if let written { text = written }
        }
        if needs.mayNeedGradientRepairs { text = GradientRepairs.write(text.span, root) }
        let parts = Parts(
            light: try SVGDocument.load(text.span, needs, .light, limits: limits),
            dark: needs.testsScheme
                ? try SVGDocument.load(text.span, needs, .dark, limits: limits) : nil,
            hasUnsupportedFilter: needs.hasFilters && FilterCensus.findsUnsupported(text.span),
            hasPictures: needs.mayHavePictures)
        if readsPictures { try AddressSpace.check(tally.bytes) }
        return parts
    }

    /// Returns whether the viewer chooses the drawing's colour; see `TemplateScan`.
    package func isTemplate(in scheme: DrawingScheme) -> Bool {
        document(in: scheme).isTemplate
    }

    /// Reads the header of a document. Loads the document, which costs about as much as `init`.
    package static func header(
        of svg: Span<UInt8>, limits: DecodeLimits
    ) throws(DecodeError) -> ImageHeader {
        let picture = try VectorPicture(svg: svg, limits: limits)
        return picture.header
    }

    package var header: ImageHeader {
        ImageHeader(
            format: .svg,
            codedSize: PixelSize(
                width: Int(exactWidth.rounded(.up)), height: Int(exactHeight.rounded(.up))),
            hasAlpha: true, exactSize: (exactWidth, exactHeight), surfaces: surfaces)
    }

    /// The largest surface count in a header.
    package static var surfacesLimit: Int { SurfaceDepth.limit }

    /// Estimates the size of a document's tree before it is loaded, in bytes.
    ///
    /// An element in librsvg takes about 1.7 KB with its first attributes. Long path data takes
    /// twenty times its length, in the tree and again in cairo while it is drawn. The estimate
    /// excludes the hundred megabytes that every process may use. Embedded images count by their
    /// headers.
    package static func documentBytes(of svg: Span<UInt8>, limits: DecodeLimits) -> Int {
        // Errors are ignored here, because loading the document reports them.
        guard SVGText.isPacked(svg) else { return (try? textBytes(of: svg, limits)) ?? 0 }
        guard let text = try? SVGText.inflate(svg, limits: limits),
            let bytes = try? textBytes(of: text.span, limits)
        else { return 0 }
        return bytes == 0 && text.count <= smallBytes ? 0 : bytes.saturating(plus: text.count)
    }

    /// The text length in bytes up to which a tree has a typical size.
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
        let pictures =
            needs.mayHavePictures ? EmbeddedPictures.measure(text, limits: limits) : .init()
        guard text.count > smallBytes else { return pictures.bytes }
        let rest = text.count - pictures.textBytes
        let tree = 24 * max(0, rest - 48 * needs.elementCountBound) + 1150 * needs.elementCountBound
        // A document with blurs is loaded a second time, with a margin.
        let trees = (needs.testsScheme ? 2 : 1) * (needs.hasFilters ? 2 : 1)
        return tree.saturating(times: trees).saturating(
            plus: needs.testsScheme ? 2 * pictures.bytes : pictures.bytes)
    }

    /// Estimates the bytes that drawing at `target` needs in addition to a small tree.
    ///
    /// Eight megabytes cover typical trees; `documentBytes` covers larger ones before they are
    /// loaded.
    ///
    /// - Parameter surfaces: The number of nested surfaces, as `SurfaceDepth` counts them.
    package static func memoryCost(rendering target: PixelSize?, surfaces: Int = 0) -> Int {
        let base = 8 << 20
        guard let target else { return base }
        // Filters and groups with opacity draw on surfaces of the same size.
        let (bytes, overflow) = target.byteCount.multipliedReportingOverflow(
            by: max(3, surfaces.saturating(plus: 2)))
        let (sum, overflowToo) = bytes.addingReportingOverflow(base)
        return overflow || overflowToo ? .max : sum
    }

    /// Makes the fonts available that a document needs.
    static func prepare(_ fonts: FontSet?) throws(DecodeError) {
        guard let fonts else { return }
        try rethrowing(FontCache.prepare(fonts)) { (error: FontError) in
            SVGFailure.Drawing(error).error
        }
    }

    func document(in scheme: DrawingScheme) -> SVGDocument {
        scheme == .dark ? dark ?? light : light
    }

    /// Returns the text from its first tag on. Leading white space is invalid XML but common.
    @_lifetime(copy text)
    private static func trimmed(_ text: Span<UInt8>) -> Span<UInt8> {
        var start = 0
        while start < text.count, [0x20, 0x09, 0x0A, 0x0D].contains(text[start]) { start += 1 }
        return text.extracting(start..<text.count)
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
        guard !drawing.hasPictures else { return nil }
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
        memoryCost: { header, request in
            VectorPicture.memoryCost(rendering: request.neededSize, surfaces: header.surfaces)
        },
        decode: { bytes, _, request throws(DecodeError) in
            .vector(try VectorPicture(svg: bytes, limits: request.limits))
        })
}
