/// The scaled size, visible part and position of a picture on a canvas.
package struct Placement: Hashable, Sendable {
    /// The size of the whole scaled picture, which is never held in memory.
    package let scaled: PixelSize
    /// The part of the scaled picture that the canvas shows; its corner is at `x`, `y` of the
    /// canvas.
    package let visible: PixelRect
    package let x: Int
    package let y: Int

    /// The limit of scaled sizes: above every canvas, and small enough that no product overflows.
    package static let edgeLimit = 1 << 30

    /// Scales a picture of exact size `source` to fit or fill the canvas, by at most
    /// `largestFactor`.
    ///
    /// A source without a positive, finite size counts as one unit wide or high. On a side that is
    /// longer than the canvas, `focus` is as near to the canvas's middle as possible.
    package init(
        source: (width: Double, height: Double), canvas: PixelSize, mode: ContentMode,
        largestFactor: Double = .infinity, focus: FocusPoint = .center
    ) {
        precondition(canvas.width > 0 && canvas.height > 0, "A canvas has at least one pixel.")
        let width = Placement.usable(source.width)
        let height = Placement.usable(source.height)
        let factor = min(Placement.factor(of: source, canvas: canvas, mode: mode), largestFactor)

        scaled = PixelSize(
            width: Placement.rounded(width * factor), height: Placement.rounded(height * factor))
        let horizontal = Placement.placed(scaled.width, on: canvas.width, focus.x)
        let vertical = Placement.placed(scaled.height, on: canvas.height, focus.y)
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

    /// Returns the factor by which a picture of this exact size is scaled for a canvas.
    package static func factor(
        of source: (width: Double, height: Double), canvas: PixelSize, mode: ContentMode
    ) -> Double {
        let across = Double(canvas.width) / usable(source.width)
        let down = Double(canvas.height) / usable(source.height)
        return mode == .fit ? min(across, down) : max(across, down)
    }

    /// Returns `length`, or 1 if it is not positive and finite.
    static func usable(_ length: Double) -> Double {
        length > 0 && length.isFinite ? length : 1
    }

    static func rounded(_ length: Double) -> Int {
        guard length < Double(edgeLimit) else { return edgeLimit }
        return max(1, Int((length + 0.5).rounded(.down)))
    }

    /// Centres a side of `length` pixels on a side of `canvas` pixels. Of a longer side, the share
    /// `focus` is moved as near to the middle as its ends permit. Returns the start on the canvas,
    /// the length cut off before it, and the visible length.
    private static func placed(
        _ length: Int, on canvas: Int, _ focus: Double
    ) -> (start: Int, skipped: Int, length: Int) {
        // An arithmetic shift rounds towards minus infinity, so that odd differences round
        // consistently.
        let offset = (canvas - length) >> 1
        guard offset < 0 else { return (offset, 0, length) }
        guard focus != 0.5 else { return (0, -offset, canvas) }
        let skipped = Int((Double(length) * focus - Double(canvas) / 2).rounded())
        return (0, min(max(0, skipped), length - canvas), canvas)
    }
}

/// The rule for how an image fills its space. Corresponds to SwiftUI's `ContentMode`.
public enum ContentMode: String, CaseIterable, Hashable, Sendable {
    /// The whole image is visible.
    case fit
    /// The image covers the space; the parts outside are cropped equally on both sides.
    case fill
}

/// The place of a picture on a square, independent of the size of both.
package struct PicturePlace: Hashable, Sendable {
    /// The longer side of the picture, as a multiple of the square's side.
    package var size: Double
    /// The point of the picture that is placed in the middle of the square, as shares of the
    /// picture's width and height.
    package var centerX: Double
    package var centerY: Double
    /// The share of the picture that is cut off at each of its four edges.
    package var cropped: Double

    package init(
        size: Double, centerX: Double = 0.5, centerY: Double = 0.5, cropped: Double = 0
    ) {
        self.size = size
        self.centerX = centerX
        self.centerY = centerY
        self.cropped = cropped
    }
}

extension Placement {
    /// Places a picture of exact size `source` on a canvas, and enlarges it by at most
    /// `largestFactor`. The canvas is as high as the square of `place`.
    package init(
        source: (width: Double, height: Double), canvas: PixelSize, place: PicturePlace,
        largestFactor: Double
    ) {
        let (width, height) = (Placement.usable(source.width), Placement.usable(source.height))
        let factor = min(
            Double(canvas.height) * place.size / max(width, height), largestFactor)
        let scaled = PixelSize(
            width: Placement.rounded(width * factor), height: Placement.rounded(height * factor))
        let across = Placement.stretch(
            scaled.width, on: canvas.width, center: place.centerX, cropped: place.cropped)
        let down = Placement.stretch(
            scaled.height, on: canvas.height, center: place.centerY, cropped: place.cropped)
        self.init(
            scaled: scaled,
            visible: PixelRect(
                x: across.skipped, y: down.skipped, width: across.length, height: down.length),
            x: across.start, y: down.start)
    }

    /// Places a side of `length` pixels on a canvas side of `room` pixels so that its share
    /// `center` is in the middle. The share `cropped` is hidden at each end; at least one pixel
    /// stays visible.
    private static func stretch(
        _ length: Int, on room: Int, center: Double, cropped: Double
    ) -> (start: Int, skipped: Int, length: Int) {
        let offset = Int(
            (Double(room) / 2 - min(max(center, 0), 1) * Double(length) + 0.5).rounded(.down))
        let hidden = min(
            Int((Double(length) * min(max(cropped, 0), 0.25)).rounded(.up)), (length - 1) / 2)
        let first = min(max(hidden, -offset), length - 1)
        let last = max(min(length - hidden, room - offset), first + 1)
        return (min(max(offset + first, 0), room - 1), first, min(last - first, room))
    }
}
