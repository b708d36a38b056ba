/// Scales pictures: shrinks with a three-lobed Lanczos kernel, widened by the scale, and enlarges
/// with a cubic kernel. Each axis chooses its kernel separately.
///
/// Values are premultiplied, so colours under zero alpha never show. All arithmetic is in integers,
/// so every processor gives the same pixels.
package struct Resampler: Sendable {
    package let kernel: KernelChoice

    package init(kernel: KernelChoice = .best) {
        self.kernel = kernel
    }

    /// Returns the part `visible` (nil: all) of `source` scaled to `size`; no other part is
    /// computed.
    ///
    /// `visible` and `size` refer to the upright picture: the `pendingOrientation` of the source is
    /// applied to the scaled picture.
    package func resample(
        _ source: borrowing PixelBuffer, to size: PixelSize, visible: PixelRect? = nil
    ) -> PixelBuffer {
        var result = scale(source, to: size, visible: visible)
        result.applyPendingOrientation()
        return result
    }

    /// Scales like `resample` but leaves the `pendingOrientation` of the source to the caller.
    ///
    /// A picture of the same size comes back unchanged. Besides the result this needs a few rows of
    /// the source's width, at most two megabytes of interleaved rows, and, for a source many
    /// times larger, halved copies: at most a third of its bytes.
    package func scale(
        _ source: borrowing PixelBuffer, to size: PixelSize, visible: PixelRect? = nil
    ) -> PixelBuffer {
        precondition(size.width > 0 && size.height > 0, "A target has at least one pixel.")
        let window = visible ?? PixelRect(size)
        precondition(window.isInside(size), "The visible part lies inside the target.")
        let orientation = source.pendingOrientation
        if orientation == .up { return resampleStored(source, to: size, window: window) }
        var result = resampleStored(
            source, to: orientation.upright(size), window: orientation.stored(window, of: size))
        result.pendingOrientation = orientation
        return result
    }

    /// Scales the stored rows, from a halved copy if the source is many times larger.
    private func resampleStored(
        _ source: borrowing PixelBuffer, to size: PixelSize, window: PixelRect
    ) -> PixelBuffer {
        let origin = source.origin
        precondition(origin.size == source.size, "A shrunk picture has a pixel for each block.")
        if size == origin.whole && size == origin.size { return source.part(window) }
        let wanted = PyramidSteps(from: source.size, to: size)
        if wanted == .none { return mixed(source, to: size, window: window) }
        if let halves = source.halvedCopy, halves.halvings.leads(to: wanted) {
            return resampleStored(halves.pixels, to: size, window: window)
        }
        let halves = source.halved(wanted.after(1), kernel: kernel)
        return resampleStored(halves, to: size, window: window)
    }

    /// Returns the part `window` of the scaled picture, resampled with the chosen kernel.
    private func mixed(
        _ source: borrowing PixelBuffer, to size: PixelSize, window: PixelRect
    ) -> PixelBuffer {
        var result = PixelBuffer(unwritten: window.size)
        result.isOpaque = source.isOpaque
        #if arch(x86_64)
            if kernel == .best && AVX512Kernel.isAvailable {
                mix(AVX512Kernel.self, source, size, window, into: &result)
                return result
            }
            if [.best, .usual].contains(kernel) && AVX2Kernel.isAvailable {
                mix(AVX2Kernel.self, source, size, window, into: &result)
                return result
            }
        #endif
        if kernel == .plain {
            mix(PlainKernel.self, source, size, window, into: &result)
        } else {
            mix(VectorKernel.self, source, size, window, into: &result)
        }
        return result
    }

    private func mix<Kernel: ResampleKernel>(
        _ kernel: Kernel.Type, _ source: borrowing PixelBuffer, _ size: PixelSize,
        _ window: PixelRect, into result: inout PixelBuffer
    ) {
        ResamplePass(source: source.origin, target: size, window: window)
            .run(kernel, from: source, into: &result)
    }
}

extension PixelBuffer {
    package func part(_ window: PixelRect) -> PixelBuffer {
        precondition(window.isInside(size), "The part lies inside the picture.")
        if window == PixelRect(size) { return copy() }
        var result = PixelBuffer(unwritten: window.size)
        result.isOpaque = isOpaque
        let (stride, count) = (bytesPerRow, result.bytesPerRow)
        unsafe withUnsafePixels { source in
            unsafe result.withUnsafeMutablePixels { target in
                let first = unsafe source + window.y * stride + window.x * 4
                for row in 0..<window.height {
                    unsafe (target + row * count).update(
                        from: first + row * stride, count: count)
                }
            }
        }
        return result
    }
}

extension PixelBuffer {
    /// Returns the picture shrunk so that neither side exceeds `edge`; it is never enlarged.
    package func reduced(to edge: Int) -> PixelBuffer {
        let upright = pendingOrientation.upright(size)
        let placement = Placement(
            source: (Double(upright.width), Double(upright.height)),
            canvas: PixelSize(width: edge, height: edge), mode: .fit, largestFactor: 1)
        return Resampler().resample(self, to: placement.scaled)
    }
}
