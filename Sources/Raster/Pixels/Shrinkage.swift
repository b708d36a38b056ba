/// The relation of a picture to the full-size picture that it was decoded from. A decoder averages
/// square blocks; the result may have been halved after that.
///
/// The last block of a row or column may be incomplete. A resampler needs these sizes to place
/// every pixel exactly.
package struct Shrinkage: Hashable, Sendable {
    /// The size of the full-size picture.
    package let whole: PixelSize
    /// The side of a block, in pixels.
    package let block: Int
    package var halvings: PyramidSteps

    package init(whole: PixelSize, block: Int, halvings: PyramidSteps = .none) {
        self.whole = whole
        self.block = block
        self.halvings = halvings
    }

    /// The size of the shrunken picture.
    package var size: PixelSize {
        let across = block << halvings.across
        let down = block << halvings.down
        return PixelSize(
            width: whole.width.saturating(plus: across - 1) / across,
            height: whole.height.saturating(plus: down - 1) / down)
    }

    var axes: (across: HalvedAxis, down: HalvedAxis) {
        (
            HalvedAxis(whole: whole.width, unit: block << halvings.across),
            HalvedAxis(whole: whole.height, unit: block << halvings.down)
        )
    }

    /// Whether every block is complete, so that the picture can be mirrored.
    package var isEven: Bool {
        whole.width % (block << halvings.across) == 0
            && whole.height % (block << halvings.down) == 0
    }

    package var transposed: Shrinkage {
        Shrinkage(whole: whole.transposed, block: block, halvings: halvings.transposed)
    }
}
