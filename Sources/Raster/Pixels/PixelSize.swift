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

    /// The bytes of a buffer of this size, or `Int.max` where the product overflows.
    package var byteCount: Int {
        let (product, overflow) = area.multipliedReportingOverflow(by: 4)
        return overflow ? .max : product
    }

    package var transposed: PixelSize { PixelSize(width: height, height: width) }
}

extension PixelSize: CustomStringConvertible {
    package var description: String { "\(width)x\(height)" }
}

/// A rectangle of whole pixels, given by its top left corner and its size.
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

    package init(_ size: PixelSize) {
        self.init(x: 0, y: 0, width: size.width, height: size.height)
    }

    package var size: PixelSize { PixelSize(width: width, height: height) }

    /// Whether the rectangle has at least one pixel and lies inside a picture of `size`.
    package func isInside(_ size: PixelSize) -> Bool {
        width > 0 && height > 0 && x >= 0 && y >= 0
            && width <= size.width && height <= size.height
            && x <= size.width - width && y <= size.height - height
    }
}

/// Sums and products of untrusted sizes. An overflow gives `Int.max`, which every limit refuses.
extension Int {
    /// Returns the sum, or `Int.max`; both numbers must be non-negative.
    package func saturating(plus other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    /// Returns the product, or `Int.max`; both numbers must be non-negative.
    package func saturating(times other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
