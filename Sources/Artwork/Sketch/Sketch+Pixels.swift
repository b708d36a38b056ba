import CDrawing
import Codecs
import Raster
import System

extension Sketch {
    /// The maximum side in pixels.
    package static let longestSide = 16_384
    package static let largestArea = 64 << 20

    /// Returns the picture's size at a scale, at least one pixel; nil beyond the limits.
    package func pixelSize(scale: Double) -> PixelSize? {
        func pixels(_ points: Double) -> Int? {
            let value = (points * scale).rounded(.up)
            guard value.isFinite, value <= Double(Self.longestSide) else { return nil }
            return max(1, Int(max(0, value)))
        }
        guard let width = pixels(width), let height = pixels(height) else { return nil }
        let size = PixelSize(width: width, height: height)
        return size.area <= Self.largestArea ? size : nil
    }

    package func pixels(scale: Double) throws(ArtworkError) -> PixelBuffer {
        guard let size = pixelSize(scale: scale) else { throw .tooLarge(width, height) }
        guard DrawingLibraries.areFound else { throw .fonts(.missingLibraries) }
        guard marks.contains(where: \.hasText) else { return try draw(size, scale) }
        return try FontCache.draw(with: .usual) { () throws(ArtworkError) in
            try draw(size, scale)
        }
    }

    private func draw(_ size: PixelSize, _ scale: Double) throws(ArtworkError) -> PixelBuffer {
        var pixels = PixelBuffer(size: size)
        try unsafe pixels.drawWithCairo { context throws(ArtworkError) in
            unsafe cairo_scale(context, scale, scale)
            unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_BEST)
            let press = unsafe SketchPress(pen: CairoPen(context: context), scale: scale)
            for mark in marks { try unsafe press.draw(mark) }
            try unsafe press.pen.check()
        }
        return pixels
    }
}

extension Sketch.Mark {
    /// Whether the mark has text, apart from the text of embedded drawings.
    fileprivate var hasText: Bool {
        switch self {
        case .text: true
        case .clipped(_, let marks), .part(_, let marks): marks.contains(where: \.hasText)
        case .fill, .border, .drawing, .picture: false
        }
    }
}

/// Draws the marks of a sketch with cairo.
@unsafe
private struct SketchPress {
    let pen: CairoPen
    let scale: Double

    func draw(_ mark: Sketch.Mark) throws(ArtworkError) {
        switch mark {
        case .fill(let box, let color):
            unsafe pen.setColor(color)
            unsafe pen.trace(box)
            unsafe cairo_fill(pen.context)
        case .border(let box, let width, let color):
            let width = min(width, min(box.width, box.height) / 2)
            guard width > 0 else { return }
            unsafe pen.setColor(color)
            unsafe pen.trace(box.inset(by: width / 2))
            unsafe cairo_set_line_width(pen.context, width)
            unsafe cairo_stroke(pen.context)
        case .text(let block, let x, let y, let color):
            try unsafe draw(block, x: x, y: y, color)
        case .drawing(let drawing, let box, let tint):
            try unsafe draw(drawing, box, tint)
        case .picture(let picture, let box):
            guard let frame = unsafe frame(box) else { return }
            let scaled = Resampler().resample(
                picture.pixels, to: frame.size,
                visible: PixelRect(
                    x: 0, y: 0, width: frame.size.width, height: frame.size.height))
            unsafe pen.paint(scaled, x: frame.x, y: frame.y)
        case .part(_, let marks):
            for mark in marks { try unsafe draw(mark) }
        case .clipped(let box, let marks):
            unsafe cairo_save(pen.context)
            defer { unsafe cairo_restore(pen.context) }
            // A group with one mask: clipping each mark separately would show seams at antialiased
            // edges.
            unsafe cairo_push_group(pen.context)
            for mark in marks { try unsafe draw(mark) }
            unsafe cairo_pop_group_to_source(pen.context)
            unsafe pen.trace(box)
            unsafe cairo_fill(pen.context)
        }
    }

    private func draw(
        _ block: TextBlock, x: Double, y: Double, _ color: Color
    ) throws(ArtworkError) {
        unsafe pen.setColor(color)
        for line in block.lines where !line.text.isEmpty {
            try ShapedText.use(line.text, style: block.style, direction: line.direction) {
                unsafe $0.draw(on: pen.context, x: x + line.x, y: y + line.baseline)
            }
        }
    }

    private func draw(
        _ drawing: SketchDrawing, _ box: Box, _ tint: Color?
    ) throws(ArtworkError) {
        guard let frame = unsafe frame(box) else { return }
        var pixels = try unsafe pixels(of: drawing, at: frame.size)
        if let tint { pixels.tint(tint) }
        unsafe pen.paint(pixels, x: frame.x, y: frame.y)
    }

    private func pixels(
        of drawing: SketchDrawing, at size: PixelSize
    ) throws(ArtworkError) -> PixelBuffer {
        if let drawn = drawing.workerPixels {
            if drawn.pixels.size == size { return drawn.pixels.copy() }
            return Resampler().resample(
                drawn.pixels, to: size,
                visible: PixelRect(x: 0, y: 0, width: size.width, height: size.height))
        }
        return try rethrowing(as: ArtworkError.drawing) { () throws(DecodeError) in
            let picture = try VectorPicture(svg: drawing.svg.span, limits: DecodeLimits())
            return try picture.render(at: size)
        }
    }

    /// Returns the whole pixels of a box, or nil if it is empty.
    private func frame(_ box: Box) -> (x: Int, y: Int, size: PixelSize)? {
        func pixel(_ points: Double) -> Int? {
            let value = unsafe (points * scale + 0.5).rounded(.down)
            return abs(value) <= 1e6 ? Int(value) : nil
        }
        guard let x = pixel(box.x), let y = pixel(box.y), let width = pixel(box.width),
            let height = pixel(box.height), width > 0, height > 0,
            width <= Sketch.longestSide, height <= Sketch.longestSide
        else { return nil }
        return (x, y, PixelSize(width: width, height: height))
    }
}
