/// How a decoder shrank a picture: each pixel kept stands for a square block of the whole one.
///
/// The last blocks of a row or column may be cut off by the picture's edge. A resampler that knows
/// this puts every pixel where it belongs, instead of stretching the kept ones over the whole.
package struct Shrinkage: Hashable, Sendable {
    /// The size before shrinking.
    package let whole: PixelSize
    /// The side of a block.
    package let block: Int

    package init(whole: PixelSize, block: Int) {
        self.whole = whole
        self.block = block
    }

    /// The size after shrinking.
    package var size: PixelSize {
        PixelSize(
            width: (whole.width + block - 1) / block, height: (whole.height + block - 1) / block)
    }

    /// Every block is whole, so that the picture can be mirrored as it is.
    package var isEven: Bool { whole.width % block == 0 && whole.height % block == 0 }

    /// Rows and columns exchanged.
    package var transposed: Shrinkage { Shrinkage(whole: whole.transposed, block: block) }
}
