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
