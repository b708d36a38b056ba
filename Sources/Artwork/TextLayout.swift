import CLibPango
import Codecs
import Raster

/// A line of text laid out by Pango, with the measures of what it would blacken.
@safe
struct TextLayout: ~Copyable {
    /// A rectangle in pixels; `y` counts down from the baseline.
    struct Ink {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    /// What the glyphs cover, from the start of the line on its baseline.
    let ink: Ink
    /// The height of a capital H of the first font.
    let capHeight: Double
    /// Characters that none of the fonts has.
    let missingGlyphs: Int
    private let layout: OpaquePointer

    /// Lays out `text` in semi-bold Inter of `size` pixels, other fonts where it lacks a glyph.
    /// The fonts have been prepared.
    init(_ text: String, size: Double) {
        let layout = unsafe Self.layout(text, size: size)
        unsafe self.layout = layout
        ink = unsafe Self.ink(of: layout)
        missingGlyphs = Int(unsafe pango_layout_get_unknown_glyphs_count(layout))
        let capital = unsafe Self.layout("H", size: size)
        capHeight = unsafe Self.ink(of: capital).height
        unsafe g_object_unref(UnsafeMutableRawPointer(capital))
    }

    deinit {
        unsafe g_object_unref(UnsafeMutableRawPointer(layout))
    }

    /// Draws the outlines in white.
    func draw(on pixels: inout PixelBuffer, x: Double, baseline: Double) {
        let size = pixels.size
        unsafe pixels.withUnsafeMutablePixels { base in
            let surface = unsafe cairo_image_surface_create_for_data(
                base, CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height),
                Int32(size.width * 4))
            let context = unsafe cairo_create(surface)
            unsafe cairo_set_source_rgb(context, 1, 1, 1)
            unsafe cairo_move_to(context, x, baseline)
            unsafe pango_cairo_layout_line_path(context, pango_layout_get_line_readonly(layout, 0))
            unsafe cairo_fill(context)
            unsafe cairo_surface_flush(surface)
            unsafe cairo_destroy(context)
            unsafe cairo_surface_destroy(surface)
        }
        pixels.swizzleFromCairo()
    }

    @unsafe
    private static func layout(_ text: String, size: Double) -> OpaquePointer {
        // The map and its fonts belong to the thread, and need no lock.
        let map = unsafe pango_cairo_font_map_get_default()
        let context = unsafe pango_font_map_create_context(map)
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(context)) }
        unsafe pango_cairo_context_set_resolution(context, 72)
        let options = unsafe cairo_font_options_create()
        unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        unsafe pango_cairo_context_set_font_options(context, options)
        unsafe cairo_font_options_destroy(options)
        unsafe pango_context_set_language(context, pango_language_from_string("en"))
        unsafe pango_context_set_round_glyph_positions(context, 0)

        let font = unsafe pango_font_description_from_string("Inter, DejaVu Sans")
        unsafe pango_font_description_set_weight(font, PANGO_WEIGHT_SEMIBOLD)
        unsafe pango_font_description_set_absolute_size(font, size * Double(PANGO_SCALE))
        let layout = unsafe pango_layout_new(context)
        unsafe pango_layout_set_font_description(layout, font)
        unsafe pango_font_description_free(font)
        unsafe pango_layout_set_single_paragraph_mode(layout, 1)
        var text = text
        text.withUTF8 { unsafe pango_layout_set_text(layout, $0.baseAddress, Int32($0.count)) }
        guard let layout = unsafe layout else {
            preconditionFailure("GLib ends the process where it has no memory.")
        }
        return unsafe layout
    }

    @unsafe
    private static func ink(of layout: OpaquePointer) -> Ink {
        var rectangle = PangoRectangle()
        unsafe pango_layout_line_get_extents(
            pango_layout_get_line_readonly(layout, 0), &rectangle, nil)
        let unit = Double(PANGO_SCALE)
        return Ink(
            x: Double(rectangle.x) / unit, y: Double(rectangle.y) / unit,
            width: Double(rectangle.width) / unit, height: Double(rectangle.height) / unit)
    }
}
