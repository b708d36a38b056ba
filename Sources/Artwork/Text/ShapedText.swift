import CDrawing
import Codecs
import System

/// A text shaped by Pango, valid until the closure that draws with `FontCache` returns.
///
/// Glyphs are at exact positions, without hinting or rounding to pixels, so every scale shows the
/// same letters at the same distances.
@safe
struct ShapedText: ~Copyable {
    /// A rectangle; `y` counts down from the baseline.
    struct Ink {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    private let layout: OpaquePointer

    /// Shapes `text`, wraps it at `maxWidth` points, and passes it to `body`. With a direction of
    /// nil each paragraph takes that of its first letter. All steps are repeated if a font turns
    /// out to be broken.
    static func use<Result: ~Copyable>(
        _ text: String, style: TextStyle, maxWidth: Double? = nil,
        direction: TextDirection? = nil,
        _ body: (borrowing ShapedText) throws(ArtworkError) -> Result
    ) throws(ArtworkError) -> Result {
        try use(
            text, font: (style.size, style.weight), maxWidth: maxWidth, direction: direction, body)
    }

    /// Shapes a text with a size in any unit; results have the same unit.
    static func use<Result: ~Copyable>(
        _ text: String, font: (size: Double, weight: TextWeight), maxWidth: Double? = nil,
        direction: TextDirection? = nil,
        _ body: (borrowing ShapedText) throws(ArtworkError) -> Result
    ) throws(ArtworkError) -> Result {
        let reach = FontSet(of: text.unicodeScalars)
        return try FontCache.draw(with: reach) { () throws(ArtworkError) in
            let shaped = try ShapedText(
                text, reach, font: font, maxWidth: maxWidth, direction: direction)
            let result = try body(shaped)
            try shaped.check()
            return result
        }
    }

    /// Shapes a text inside of `FontCache.draw`, which must not return before the text is measured
    /// or drawn, and checked.
    init(
        _ text: String, _ reach: FontSet, font: (size: Double, weight: TextWeight),
        maxWidth: Double? = nil, direction: TextDirection? = nil
    ) throws(ArtworkError) {
        let context = try unsafe Self.context(reach, direction)
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(context)) }
        guard let layout = unsafe pango_layout_new(context) else {
            preconditionFailure("GLib ends the process where it has no memory.")
        }
        unsafe self.layout = layout
        let description = unsafe pango_font_description_from_string("Inter")
        unsafe pango_font_description_set_weight(
            description, PangoWeight(rawValue: UInt32(font.weight.rawValue)))
        unsafe pango_font_description_set_absolute_size(
            description, font.size * Double(PANGO_SCALE))
        unsafe pango_layout_set_font_description(layout, description)
        unsafe pango_font_description_free(description)
        unsafe pango_layout_set_auto_dir(layout, direction == nil ? 1 : 0)
        if let maxWidth {
            // A line is at least as wide as a letter. Two million points are beyond any picture and
            // within Pango's range.
            let least = max(1, font.size)
            let units = (maxWidth >= least ? min(maxWidth, 2e6) : least) * Double(PANGO_SCALE)
            unsafe pango_layout_set_width(layout, Int32(units.rounded(.up)))
            unsafe pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        }
        var text = text
        text.withUTF8 {
            unsafe pango_layout_set_text(layout, $0.baseAddress, Int32(clamping: $0.count))
        }
    }

    deinit {
        unsafe g_object_unref(UnsafeMutableRawPointer(layout))
    }

    /// Throws if a font of the text is broken, which makes all measures and drawings invalid.
    func check() throws(ArtworkError) {
        guard isSound else { throw .cairoFailed }
    }

    /// Whether cairo can draw with all fonts of the text. For a font that cairo rejected, Pango
    /// draws boxes without an error.
    private var isSound: Bool {
        for index in 0..<lineCount {
            let line = unsafe pango_layout_get_line_readonly(layout, Int32(clamping: index))
            var next = unsafe line?.pointee.runs
            while let link = unsafe next {
                let run = unsafe link.pointee.data.assumingMemoryBound(to: PangoGlyphItem.self)
                if let font = unsafe run.pointee.item?.pointee.analysis.font {
                    guard let scaled = unsafe pango_cairo_font_get_scaled_font(font),
                        unsafe cairo_scaled_font_status(scaled) == CAIRO_STATUS_SUCCESS
                    else { return false }
                }
                unsafe next = unsafe link.pointee.next
            }
        }
        return true
    }

    var missingGlyphs: Int { Int(unsafe pango_layout_get_unknown_glyphs_count(layout)) }

    var lineCount: Int { Int(unsafe pango_layout_get_line_count(layout)) }

    /// Returns a line's byte range in the text, its width and its direction.
    func line(_ index: Int) -> (bytes: Range<Int>, width: Double, direction: TextDirection) {
        let line = unsafe pango_layout_get_line_readonly(layout, Int32(clamping: index))
        let start = Int(unsafe pango_layout_line_get_start_index(line))
        let length = Int(unsafe pango_layout_line_get_length(line))
        var rectangle = PangoRectangle()
        unsafe pango_layout_line_get_extents(line, nil, &rectangle)
        let isLeft =
            unsafe pango_layout_line_get_resolved_direction(line) == PANGO_DIRECTION_RTL
        return (
            start..<start + max(0, length), max(0, Double(rectangle.width) / Double(PANGO_SCALE)),
            isLeft ? .rightToLeft : .leftToRight
        )
    }

    /// The ink of the first line's glyphs, relative to its start on the baseline.
    var ink: Ink {
        var rectangle = PangoRectangle()
        unsafe pango_layout_line_get_extents(
            pango_layout_get_line_readonly(layout, 0), &rectangle, nil)
        let unit = Double(PANGO_SCALE)
        return Ink(
            x: Double(rectangle.x) / unit, y: Double(rectangle.y) / unit,
            width: Double(rectangle.width) / unit, height: Double(rectangle.height) / unit)
    }

    /// Draws the first line with its start on the baseline at `x`, `y`, in the context's colour.
    /// Letters are drawn as outlines, emoji as pictures.
    @unsafe
    func draw(on context: OpaquePointer, x: Double, y: Double) {
        let line = unsafe pango_layout_get_line_readonly(layout, 0)
        var pen = x
        var next = unsafe line?.pointee.runs
        unsafe cairo_new_path(context)
        while let link = unsafe next {
            let run = unsafe link.pointee.data.assumingMemoryBound(to: PangoGlyphItem.self)
            let (item, glyphs) = unsafe (run.pointee.item, run.pointee.glyphs)
            let rise = Double(unsafe run.pointee.y_offset) / Double(PANGO_SCALE)
            let font = unsafe item?.pointee.analysis.font
            unsafe cairo_move_to(context, pen, y - rise)
            if unsafe Self.isEmoji(font) {
                unsafe pango_cairo_show_glyph_string(context, font, glyphs)
            } else {
                unsafe pango_cairo_glyph_string_path(context, font, glyphs)
                unsafe cairo_fill(context)
            }
            pen += Double(unsafe pango_glyph_string_get_width(glyphs)) / Double(PANGO_SCALE)
            unsafe next = unsafe link.pointee.next
        }
    }

    @unsafe
    private static func isEmoji(_ font: OpaquePointer?) -> Bool {
        guard let font = unsafe font, let description = unsafe pango_font_describe(font) else {
            return false
        }
        defer { unsafe pango_font_description_free(description) }
        guard let family = unsafe pango_font_description_get_family(description) else {
            return false
        }
        return unsafe String(cString: family) == FontFile.emojiFamily
    }

    /// Makes a context without hinting; the caller must release it.
    @unsafe
    private static func context(
        _ reach: FontSet, _ direction: TextDirection?
    ) throws(ArtworkError) -> OpaquePointer {
        let map = unsafe try rethrowing(FontCache.map(reach), as: ArtworkError.fonts)
        guard let context = unsafe pango_font_map_create_context(map) else {
            preconditionFailure("GLib ends the process where it has no memory.")
        }
        unsafe pango_cairo_context_set_resolution(context, 72)
        let options = unsafe cairo_font_options_create()
        unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        unsafe pango_cairo_context_set_font_options(context, options)
        unsafe cairo_font_options_destroy(options)
        unsafe pango_context_set_language(context, pango_language_from_string("en"))
        unsafe pango_context_set_round_glyph_positions(context, 0)
        let base = direction == .rightToLeft ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR
        unsafe pango_context_set_base_dir(context, base)
        return unsafe context
    }
}
