/// Where a picture lies on a canvas: to what size it is scaled, which part of it shows, and where.
package struct Placement: Hashable, Sendable {
    /// The size of the whole scaled picture, which nobody has to hold in memory.
    package let scaled: PixelSize
    /// The part of the scaled picture that lies on the canvas.
    package let visible: PixelRect
    /// The column of the canvas at which `visible` begins.
    package let x: Int
    /// The row of the canvas at which `visible` begins.
    package let y: Int

    /// Scaled sizes end here: far above any canvas, far below where a product could overflow.
    package static let edgeLimit = 1 << 30

    /// Places a picture of exact size `source`, by the factor k = min (fit) or max (fill) of the
    /// two quotients, and no larger than `largestFactor`.
    ///
    /// A source without a positive, finite size counts as one unit wide or high.
    package init(
        source: (width: Double, height: Double), canvas: PixelSize, mode: ContentMode,
        largestFactor: Double = .infinity
    ) {
        precondition(canvas.width > 0 && canvas.height > 0, "A canvas has at least one pixel.")
        let width = Placement.usable(source.width)
        let height = Placement.usable(source.height)
        let factor = min(Placement.factor(of: source, canvas: canvas, mode: mode), largestFactor)

        scaled = PixelSize(
            width: Placement.rounded(width * factor), height: Placement.rounded(height * factor))
        let horizontal = Placement.centred(scaled.width, on: canvas.width)
        let vertical = Placement.centred(scaled.height, on: canvas.height)
        visible = PixelRect(
            x: horizontal.skipped, y: vertical.skipped,
            width: horizontal.length, height: vertical.length)
        x = horizontal.start
        y = vertical.start
    }

    init(scaled: PixelSize, visible: PixelRect, x: Int, y: Int) {
        self.scaled = scaled
        self.visible = visible
        self.x = x
        self.y = y
    }

    /// By how much a picture of this exact size is scaled for a canvas.
    package static func factor(
        of source: (width: Double, height: Double), canvas: PixelSize, mode: ContentMode
    ) -> Double {
        let across = Double(canvas.width) / usable(source.width)
        let down = Double(canvas.height) / usable(source.height)
        return mode == .fit ? min(across, down) : max(across, down)
    }

    static func usable(_ length: Double) -> Double {
        length > 0 && length.isFinite ? length : 1
    }

    static func rounded(_ length: Double) -> Int {
        guard length < Double(edgeLimit) else { return edgeLimit }
        return max(1, Int((length + 0.5).rounded(.down)))
    }

    /// A stretch of `length` centred on `room`: where it starts there, what is cut off before it.
    private static func centred(
        _ length: Int, on room: Int
    ) -> (start: Int, skipped: Int, length: Int) {
        // An arithmetic shift rounds towards minus infinity, as the formula wants.
        let offset = (room - length) >> 1
        return offset >= 0 ? (offset, 0, length) : (0, -offset, room)
    }
}

/// How a picture takes its place on a canvas of another shape.
package enum ContentMode: String, CaseIterable, Sendable {
    /// The whole picture is visible.
    case fit
    /// The canvas is covered, the picture cropped around its centre.
    case fill
}
