/// A halved picture, stored with the picture it was made from.
package final class HalvedPicture: Sendable {
    let pixels: PixelBuffer
    /// The halvings relative to the picture that it was made from.
    let halvings: PyramidSteps

    init(_ pixels: consuming PixelBuffer, halvings: PyramidSteps) {
        self.pixels = pixels
        self.halvings = halvings
    }
}

extension PixelBuffer {
    /// The shrinkage of this picture; without one, a block of one pixel.
    var origin: Shrinkage { shrinkage ?? Shrinkage(whole: size, block: 1) }

    /// Returns the picture halved, in sRGB values, as often as all `targets` allow. A smaller copy
    /// that several targets need is kept in `halvedCopy`. Scaling to a target gives the same pixels
    /// as from the whole picture. The targets are sizes of the upright picture.
    package consuming func halved(for targets: [PixelSize]) -> PixelBuffer {
        let stored = targets.map { pendingOrientation.upright($0) }
        let wanted = stored.map { PyramidSteps(from: size, to: $0) }
        guard let first = wanted.first else { return self }
        var steps = 0
        while steps < first.steps,
            wanted.allSatisfy({ first.after(steps + 1).leads(to: $0) })
        {
            steps += 1
        }
        let common = first.after(steps)
        var result = self
        for step in 0..<steps {
            result = result.half(first.after(step + 1) - first.after(step))
        }
        let further = wanted.map { $0 - common }
        guard let next = further.first(where: { $0 != .none })?.after(1) else { return result }
        let few = targets.indices.filter { next.leads(to: further[$0]) }.map { targets[$0] }
        guard few.count > 1 else { return result }
        let before = result.origin.halvings
        let halves = result.half(next).halved(for: few)
        let done = halves.origin.halvings - before
        result.halvedCopy = HalvedPicture(halves, halvings: done)
        return result
    }

    /// Returns the picture halved by `step`: a copy of `halvedCopy` if that has the right size.
    private func half(_ step: PyramidSteps) -> PixelBuffer {
        guard let halvedCopy, halvedCopy.halvings == step else { return halved(step) }
        var result = halvedCopy.pixels.copy()
        result.halvedCopy = halvedCopy.pixels.halvedCopy
        return result
    }

    /// Returns the picture with the axes that `step` names halved once.
    func halved(_ step: PyramidSteps, kernel: KernelChoice = .best) -> PixelBuffer {
        #if arch(x86_64)
            if [.best, .usual].contains(kernel) && AVX2Kernel.isAvailable {
                return halved(step, AVX2Kernel.self)
            }
        #endif
        return kernel == .plain ? halved(step, PlainKernel.self) : halved(step, VectorKernel.self)
    }

    private func halved<Kernel: ResampleKernel>(
        _ step: PyramidSteps, _ kernel: Kernel.Type
    ) -> PixelBuffer {
        var origin = origin
        let axes = origin.axes
        origin.halvings = origin.halvings + step
        var result = PixelBuffer(unwritten: origin.size)
        result.isOpaque = isOpaque
        result.shrinkage = origin
        result.pendingOrientation = pendingOrientation
        let row = HalvedRow(
            axes.across, isHalvedAcross: step.across > 0, rows: result.height)
        let (count, stride) = (result.height, result.bytesPerRow)
        unsafe withUnsafePixels { source in
            unsafe result.withUnsafeMutablePixels { target in
                unsafe withUnsafeTemporaryAllocation(
                    of: UnsafePointer<UInt8>.self, capacity: 4
                ) { lines in
                    guard let first = lines.baseAddress else { return }
                    for index in 0..<count {
                        for line in 0..<4 {
                            // On an axis that is not halved, four copies of the row are mixed.
                            let y = step.down > 0 ? 2 * index - 1 + line : index
                            unsafe (first + line).initialize(
                                to: source + axes.down.pixel(y) * bytesPerRow)
                        }
                        unsafe row.make(
                            kernel, index, of: first, into: target + index * stride)
                    }
                }
            }
        }
        return result
    }
}

/// The number of times that each axis of a picture is halved.
package struct PyramidSteps: Hashable, Sendable {
    package var across: Int
    package var down: Int

    package static let none = PyramidSteps(across: 0, down: 0)

    /// An axis is halved while it is at least this many times longer than its target. With a ratio
    /// of 4, fine stripes reach a signal-to-noise ratio of 36 dB; the goal is 48 dB.
    static let leastRatio = 8

    package init(across: Int, down: Int) {
        self.across = across
        self.down = down
    }

    /// The halvings of a picture of `source` stored pixels on its way to `target`.
    package init(from source: PixelSize, to target: PixelSize) {
        across = PyramidSteps.count(source.width, target.width)
        down = PyramidSteps.count(source.height, target.height)
    }

    private static func count(_ source: Int, _ target: Int) -> Int {
        var (length, count) = (source, 0)
        while length / leastRatio >= target {
            length = (length + 1) / 2
            count += 1
        }
        return count
    }

    /// Returns the part of these halvings that is done after `steps` passes, each of which halves
    /// every axis that still needs it.
    func after(_ steps: Int) -> PyramidSteps {
        PyramidSteps(across: min(across, steps), down: min(down, steps))
    }

    var steps: Int { max(across, down) }

    /// Returns whether further halvings can lead from these to `others`.
    func leads(to others: PyramidSteps) -> Bool { others.after(steps) == self }

    static func + (first: PyramidSteps, second: PyramidSteps) -> PyramidSteps {
        PyramidSteps(across: first.across + second.across, down: first.down + second.down)
    }

    static func - (first: PyramidSteps, second: PyramidSteps) -> PyramidSteps {
        PyramidSteps(across: first.across - second.across, down: first.down - second.down)
    }

    var transposed: PyramidSteps { PyramidSteps(across: down, down: across) }
}
