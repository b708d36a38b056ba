/// Scales pictures: shrinks with a three-lobed Lanczos kernel, widened by the scale, and enlarges
/// with a cubic kernel. Each axis chooses its kernel separately.
///
/// Values are premultiplied, so colours under zero alpha never show. All arithmetic is in integers,
/// so every processor gives the same pixels.
package struct Resampler: Sendable {
    /// Whether to mix pixels in linear light instead of in sRGB values.
    package let linear: Bool
    package let kernel: KernelChoice

    package init(linear: Bool, kernel: KernelChoice = .best) {
        self.linear = linear
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
    /// times larger, halved copies: at most a third of its bytes, in linear light two thirds.
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
        if linear { return mixed(source, to: size, window: window) }

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
        guard linear else {
            let pass = ResamplePass(
                source: source.origin, target: size, window: window, linear: false)
            pass.run(kernel, from: source, into: &result)
            return
        }
        var origin = source.origin
        let wanted = PyramidSteps(from: source.size, to: size)
        unsafe source.withUnsafePixels { pixels in
            var rows = unsafe LinearRows(pixels: pixels, size: source.size)
            var halves: LinearHalves?
            for step in 0..<wanted.steps {
                let step = wanted.after(step + 1) - wanted.after(step)
                let next = LinearHalves(of: rows, origin, step)
                origin.halvings = origin.halvings + step
                rows = next.rows
                halves = next
            }
            let pass = ResamplePass(source: origin, target: size, window: window, linear: true)
            pass.run(kernel, from: rows, into: &result)
            withExtendedLifetime(halves) {}
        }
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
        return Resampler(linear: false).resample(self, to: placement.scaled)
    }
}
