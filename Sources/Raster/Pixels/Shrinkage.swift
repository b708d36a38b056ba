/// The relation of a picture to the larger one it was decoded from: each pixel represents a square
/// block, which may have been halved further.
///
/// The picture's edge may cut the last block of a row or column. A resampler needs this to place
/// every pixel exactly.
package struct Shrinkage: Hashable, Sendable {
    package let whole: PixelSize
    package let block: Int
    package var halvings: PyramidSteps

    package init(whole: PixelSize, block: Int, halvings: PyramidSteps = .none) {
        self.whole = whole
        self.block = block
        self.halvings = halvings
    }

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
