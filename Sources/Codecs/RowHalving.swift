import Raster

/// A request to halve a large image, once or several times, while its rows are decoded.
///
/// The resampler starts by halving an image that is many times larger than `neededSize`. A decoder
/// that does this earlier returns the same pixels, and holds a few rows instead of the whole image.
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
    /// Returns the number of times that a decoder halves both sides of an image; 0 if the image is
    /// too small.
    func halvings(of header: ImageHeader) -> Int {
        let (size, orientation) = (header.codedSize, header.orientation)
        // A pixel that represents a partial block must stay at the right or bottom edge. A rotation
        // by the decoder would move it.
        guard let halving, size.area >= halving.leastPixels, orientation == .up || leavesTurn
        else { return 0 }
        let needed = halving.neededSize
        let steps = PyramidSteps(
            from: size, to: orientation.transposes ? needed.transposed : needed)
        return min(steps.across, steps.down)
    }
}
