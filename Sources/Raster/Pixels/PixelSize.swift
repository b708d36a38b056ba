/// A width and a height in pixels; points are another matter.
package struct PixelSize: Hashable, Sendable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The number of pixels, or `Int.max` where the product overflows.
    package var area: Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : product
    }

    /// The bytes of a buffer of this size, four a pixel, or `Int.max` where the product overflows.
    package var byteCount: Int {
        let (product, overflow) = area.multipliedReportingOverflow(by: 4)
        return overflow ? .max : product
    }

    /// Width and height exchanged, as a quarter turn does.
    package var transposed: PixelSize { PixelSize(width: height, height: width) }
}

extension PixelSize: CustomStringConvertible {
    package var description: String { "\(width)x\(height)" }
}
