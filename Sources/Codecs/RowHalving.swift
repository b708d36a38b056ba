import Raster

/// The halving of a large image while its rows are decoded.
///
/// A caller requests it if it halves the decoded image for `neededSize` in any case. The decoder
/// then returns the halves, which have the same bytes, and holds a few rows instead of the image.
package struct RowHalving: Hashable, Sendable {
    /// The largest size, after orientation, to which the image will be resampled.
    package var neededSize: PixelSize
    /// The number of pixels from which rows are halved. Smaller images are decoded whole, which is
    /// faster.
    package var leastPixels: Int

    package static let usualPixels = 8 << 20

    package init(neededSize: PixelSize, leastPixels: Int = usualPixels) {
        self.neededSize = neededSize
        self.leastPixels = leastPixels
    }
}

extension DecodeRequest {
    /// Returns the number of times that a decoder of rows halves an image.
    func halvings(of header: ImageHeader) -> Int {
        let (size, orientation) = (header.codedSize, header.orientation)
        // A pixel that covers a partial block must stay last, which a turn would change.
        guard let halving, size.area >= halving.leastPixels, orientation == .up || leavesTurn
        else { return 0 }
        let needed = halving.neededSize
        let steps = PyramidSteps(
            from: size, to: orientation.transposes ? needed.transposed : needed)
        return min(steps.across, steps.down)
    }
}
