import CDrawing
import Raster

/// A document loaded in librsvg, after `SVGRewriter` has rewritten it if necessary.
@safe
final class SVGDocument {
    /// The fonts that its text needs; nil if it has no text.
    let fonts: FontSet?
    /// Whether the drawing's colour is chosen by the viewer; see `TemplateScan`.
    let isTemplate: Bool
    let size: SVGSize
    /// The number of nested surfaces that drawing needs, with the margin for blurs.
    let surfaces: Int
    let blur: BlurReach
    let root: DrawingRoot
    /// The document's text if it has at most `shortBytes` bytes; nil for a longer document.
    let shortText: [UInt8]?
    /// Whether a feature other than a filter is drawn differently from browsers; see
    /// `FeatureCensus`.
    let hasUnsupportedFeature: Bool
    private let handle: OpaquePointer
    /// The document with a margin for its blurs; nil if it needs none.
    private var framedHandle: OpaquePointer?

    /// Loads `text`, with the style of `scheme` if it depends on the colour scheme.
    static func load(
        _ text: Span<UInt8>, _ needs: SVGNeeds, _ scheme: DrawingScheme, limits: DecodeLimits
    ) throws(DecodeError) -> SVGDocument {
        guard needs.mustBeRewritten else { return try load(text, needs) }
        var rewriter = SVGRewriter(
            text, needs, scheme, bytesLimit: bytesLimit(text.count, limits))
        let written = try rewriter.run()
        return try load(written.span, needs)
    }

    /// Returns the length limit for a rewritten document of `count` bytes. Rewritten drop shadows
    /// and custom properties make it longer.
    static func bytesLimit(_ count: Int, _ limits: DecodeLimits) -> Int {
        let (twice, overflow) = limits.svgBytes.multipliedReportingOverflow(by: 2)
        return min(8 * count + (1 << 20), overflow ? .max : twice)
    }

    private static func load(
        _ text: Span<UInt8>, _ needs: SVGNeeds
    ) throws(DecodeError) -> SVGDocument {
        guard needs.mayHaveFontSizes else { return try SVGDocument(text, needs) }
        let sizes = FontSizeClamp.findings(in: text)
        if let clamped = sizes.clamped {
            if sizes.grows { try FontSizeClamp.check(clamped.span) }
            return try SVGDocument(clamped.span, needs)
        }
        if sizes.grows { try FontSizeClamp.check(text) }
        return try SVGDocument(text, needs)
    }

    private init(_ text: Span<UInt8>, _ needs: SVGNeeds) throws(DecodeError) {
        let depth = needs.mayNeedSurfaces ? try SurfaceDepth.count(text) : 0
        root = needs.root
        shortText = text.count <= Self.shortBytes ? text.array(0..<text.count) : nil
        let fontSet = Self.mayDrawText(text) ? FontSet(ofDocument: text) : nil
        unsafe handle = try unsafe Self.load(text, fontSet)
        fonts = fontSet
        isTemplate = !needs.hadEntities && root.background == nil && TemplateScan.isTemplate(text)
        size = unsafe SVGSize(of: handle)
        blur =
            unsafe needs.hasFilters && (fontSet != nil || Self.isLarger(handle, than: size))
            ? BlurReach(text, root, surfaces: depth) : BlurReach()
        surfaces = blur.surfaces(of: depth)
        hasUnsupportedFeature =
            needs.mayHaveUnsupportedFeature && FeatureCensus.findsUnsupported(text)
        if let framed = blur.framed(text, size) {
            unsafe framedHandle = try unsafe Self.load(framed.span, fontSet)
        }
    }

    /// The longest text that is kept, in bytes.
    private static let shortBytes = 64 << 10

    deinit {
        unsafe g_object_unref(UnsafeMutableRawPointer(handle))
        if let framedHandle = unsafe framedHandle {
            unsafe g_object_unref(UnsafeMutableRawPointer(framedHandle))
        }
    }

    /// Returns a loaded document; the caller releases it.
    @unsafe
    private static func load(
        _ text: Span<UInt8>, _ fonts: FontSet?
    ) throws(DecodeError) -> OpaquePointer {
        try SVGHazards.check(text)
        guard DrawingLibraries.areFound else {
            throw .unsupported(DrawingLibraries.whatIsMissing)
        }
        try VectorPicture.prepare(fonts)
        var failure: UnsafeMutablePointer<GError>?
        let loaded = unsafe text.withUnsafeBufferPointer {
            unsafe rsvg_handle_new_from_data($0.baseAddress, gsize($0.count), &failure)
        }
        guard let handle = unsafe loaded else {
            if let written = NamespaceRepairs.write(text) {
                unsafe SVGFailure.discard(failure)
                return unsafe try load(written.span, fonts)
            }
            throw unsafe SVGFailure.loading(failure, text)
        }
        unsafe rsvg_handle_set_dpi(handle, 96)
        return unsafe handle
    }

    /// Returns whether the document draws beyond its own edges.
    @unsafe
    private static func isLarger(_ handle: OpaquePointer, than size: SVGSize) -> Bool {
        var viewport = RsvgRectangle(x: 0, y: 0, width: size.width, height: size.height)
        var ink = RsvgRectangle()
        guard
            unsafe rsvg_handle_get_geometry_for_layer(handle, nil, &viewport, &ink, nil, nil) != 0
        else { return true }
        let least = min(size.width, size.height) / 1000
        return ink.x < -least || ink.y < -least || ink.x + ink.width > size.width + least
            || ink.y + ink.height > size.height + least
    }

    /// Passes the handle of librsvg to `body`.
    ///
    /// - Parameter framed: Whether to pass `framedHandle`, if there is one.
    @unsafe
    func withHandle<Result: ~Copyable, Failure: Error>(
        framed: Bool = false, _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(framed ? framedHandle ?? handle : handle)
    }

    /// Returns whether text might be drawn; may return true without need. Setting up fonts takes
    /// ten milliseconds, which a typical logo of paths does not need.
    private static func mayDrawText(_ text: Span<UInt8>) -> Bool {
        // In UTF-16 the words below would not be found.
        if text.count > 1, text[0] == 0 || text[1] == 0 || text[0] >= 0xFE { return true }
        // Entities may contain anything, and a data URL may contain a document.
        for index in 0..<text.count {
            switch text[index] {
            case UInt8(ascii: "t") where text.hasWord("text", at: index): return true
            case UInt8(ascii: "E") where text.hasWord("ENTITY", at: index): return true
            case UInt8(ascii: "d") where text.hasWord("data:", at: index):
                if !text.hasWord("data:image/png", at: index),
                    !text.hasWord("data:image/jp", at: index)
                {
                    return true
                }
            default: continue
            }
        }
        return false
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
