/// Scales pictures with a Lanczos kernel of three lobes, widened by the scale when it shrinks.
///
/// Values are premultiplied, so what hides under zero alpha never shows. The arithmetic is in
/// whole numbers: the same pixels come from every processor.
package struct Resampler: Sendable {
    /// Resamples light instead of sRGB values.
    package let linear: Bool
    package let kernel: KernelChoice

    /// Where a source is at least twice this many times larger than its target, blocks of its
    /// pixels are averaged first, and the kernel shrinks the rest by at least this much.
    ///
    /// An edge is then off by less than half a step, wherever it lies in its block.
    static let shareOfKernel = 8

    /// Where a source is at least this many times larger than its target, it is halved first: a
    /// quarter of the pixels is then left for the kernel, which makes up for the halving. At less
    /// fine stripes come out wrong: at four 36 dB from the exact picture, where 48 are asked for.
    static let shareOfHalves = 8

    package init(linear: Bool, kernel: KernelChoice = .best) {
        self.linear = linear
        self.kernel = kernel
    }

    /// The part `visible` (nil: all) of `source` scaled to `size`; no other part is computed.
    ///
    /// Both are meant upright: a source that is still to be turned is turned when it is small.
    /// A picture of the same size comes back unchanged. Needs, besides the result, a few rows of
    /// the source's width.
    package func resample(
        _ source: borrowing PixelBuffer, to size: PixelSize, visible: PixelRect? = nil
    ) -> PixelBuffer {
        precondition(size.width > 0 && size.height > 0, "A target has at least one pixel.")
        let window = visible ?? PixelRect(size)
        precondition(window.isInside(size), "The visible part lies inside the target.")
        let turn = source.turn
        if turn == .up { return resampleStored(source, to: size, window: window) }
        var result = resampleStored(
            source, to: turn.upright(size), window: turn.stored(window, of: size))
        result.turn = .up
        return result.oriented(by: turn)
    }

    private func resampleStored(
        _ source: borrowing PixelBuffer, to size: PixelSize, window: PixelRect
    ) -> PixelBuffer {
        let origin = source.shrinkage ?? Shrinkage(whole: source.size, block: 1)
        precondition(origin.size == source.size, "A shrunk picture has a pixel for each block.")
        if size == origin.whole && origin.block == 1 { return source.part(window) }

        let pass = ResamplePass(source: origin, target: size, window: window, linear: linear)
        var result = PixelBuffer(unwritten: window.size)
        result.isOpaque = source.isOpaque
        #if arch(x86_64)
            if kernel == .best && AVX2Kernel.isThere {
                pass.run(AVX2Kernel.self, from: source, into: &result)
                return result
            }
            if kernel != .plain {
                pass.run(SSE2Kernel.self, from: source, into: &result)
                return result
            }
        #endif
        pass.run(PlainKernel.self, from: source, into: &result)
        return result
    }
}

extension PixelBuffer {
    /// The pixels of `window` as a buffer of their own.
    package func part(_ window: PixelRect) -> PixelBuffer {
        precondition(window.isInside(size), "The part lies inside the picture.")
        if window == PixelRect(size) { return copy() }
        var result = PixelBuffer(size: window.size)
        result.draw(self, x: -window.x, y: -window.y)
        result.isOpaque = isOpaque
        return result
    }
}
