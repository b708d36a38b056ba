/// How a picture came to have fewer pixels than it was coded with: each pixel kept stands for a
/// square block of the whole one, or for a half of a half of them.
///
/// The last blocks of a row or column may be cut off by the picture's edge. A resampler that knows
/// this puts every pixel where it belongs, instead of stretching the kept ones over the whole.
package struct Shrinkage: Hashable, Sendable {
    /// The size before shrinking.
    package let whole: PixelSize
    /// The side of a block.
    package let block: Int
    /// How often the picture of blocks was halved.
    package var halvings: PyramidSteps

    package init(whole: PixelSize, block: Int, halvings: PyramidSteps = .none) {
        self.whole = whole
        self.block = block
        self.halvings = halvings
    }

    /// The size after shrinking.
    package var size: PixelSize {
        let across = block << halvings.across
        let down = block << halvings.down
        return PixelSize(
            width: whole.width.saturating(plus: across - 1) / across,
            height: whole.height.saturating(plus: down - 1) / down)
    }

    /// The kept pixels from left to right, and from top to bottom.
    var axes: (across: HalvedAxis, down: HalvedAxis) {
        (
            HalvedAxis(whole: whole.width, unit: block << halvings.across),
            HalvedAxis(whole: whole.height, unit: block << halvings.down)
        )
    }

    /// Every block is whole, so that the picture can be mirrored as it is.
    package var isEven: Bool {
        whole.width % (block << halvings.across) == 0
            && whole.height % (block << halvings.down) == 0
    }

    /// Rows and columns exchanged.
    package var transposed: Shrinkage {
        Shrinkage(whole: whole.transposed, block: block, halvings: halvings.transposed)
    }
}
