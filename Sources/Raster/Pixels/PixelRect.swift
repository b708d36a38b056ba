/// A rectangle of whole pixels, its corner at the top left.
package struct PixelRect: Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// All of a picture of this size.
    package init(_ size: PixelSize) {
        self.init(x: 0, y: 0, width: size.width, height: size.height)
    }

    package var size: PixelSize { PixelSize(width: width, height: height) }

    /// The rectangle has at least one pixel and lies inside a picture of `size`.
    package func isInside(_ size: PixelSize) -> Bool {
        width > 0 && height > 0 && x >= 0 && y >= 0
            && width <= size.width && height <= size.height
            && x <= size.width - width && y <= size.height - height
    }
}
