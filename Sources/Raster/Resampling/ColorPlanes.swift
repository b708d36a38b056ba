import CKernels

/// A picture as lossy WebP stores it: full-size luma, two chroma planes of half the width and
/// height, and optional alpha. Colours are straight.
///
/// Luma is 16 to 235 and grey has a chroma of 128 (BT.601). Shrinking planes takes fewer steps than
/// shrinking pixels, since the chroma planes have a quarter of the size already.
@safe
package struct ColorPlanes: ~Copyable {
    package let size: PixelSize
    package let hasAlpha: Bool
    /// Luma, alpha, then both chroma planes.
    private let base: UnsafeMutablePointer<UInt8>

    /// Allocates planes without initial values. The caller has compared `size` with the limits and
    /// writes every value before it is read.
    package init(unwritten size: PixelSize, hasAlpha: Bool) {
        self.size = size
        self.hasAlpha = hasAlpha
        unsafe base = .allocate(capacity: Self.byteCount(size, hasAlpha: hasAlpha))
    }

    deinit {
        unsafe base.deallocate()
    }

    package static func byteCount(_ size: PixelSize, hasAlpha: Bool) -> Int {
        let differences = chromaSize(of: size).area.saturating(times: 2)
        return size.area.saturating(times: hasAlpha ? 2 : 1).saturating(plus: differences)
    }

    /// The size of a chroma plane: half of each side of the picture, rounded up.
    package var chromaSize: PixelSize { Self.chromaSize(of: size) }

    private static func chromaSize(of size: PixelSize) -> PixelSize {
        PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    }

    @unsafe package var luma: UnsafeMutablePointer<UInt8> { unsafe base }
    @unsafe package var alpha: UnsafeMutablePointer<UInt8>? {
        unsafe hasAlpha ? base + size.area : nil
    }
    /// Chroma blue (Cb).
    @unsafe package var blue: UnsafeMutablePointer<UInt8> {
        unsafe base + size.area * (hasAlpha ? 2 : 1)
    }
    /// Chroma red (Cr).
    @unsafe package var red: UnsafeMutablePointer<UInt8> { unsafe blue + chromaSize.area }
}

extension ColorPlanes {
    /// Returns the picture halved both ways, in straight pixels, and consumes the planes.
    ///
    /// Luma is weighted as in `HalvedRow`. Chroma already has the target size; the filter (3 10 3)
    /// / 16 replaces upsampling followed by halving. All planes are weighted by alpha, so that
    /// invisible colours have no effect.
    package consuming func halved(kernel: KernelChoice = .best) -> PixelBuffer {
        let once = PyramidSteps(across: 1, down: 1)
        let origin = Shrinkage(whole: size, block: 1, halvings: once)
        var result = PixelBuffer(unwritten: origin.size)
        result.shrinkage = origin
        result.isOpaque = !hasAlpha
        var rows = HalvedPlaneRows(self, kernel)
        let (count, stride) = (result.height, result.bytesPerRow)
        unsafe result.withUnsafeMutablePixels { pixels in
            for row in 0..<count { unsafe rows.make(row, into: pixels + row * stride) }
        }
        return result
    }
}

/// The rows of a halved picture, made from planes in order from the top.
@safe
private struct HalvedPlaneRows: ~Copyable {
    private let planes: ColorPlanes
    private let kernel: KernelChoice
    /// Halves rows of luma and of alpha.
    private let halvedRow: HalvedRow
    /// The size of the halved picture and of a chroma plane.
    private let width: Int
    private let height: Int
    /// The number of luma and of chroma rows that are already multiplied by alpha.
    private var weighed = (lumaRows: 0, chromaRows: 0)
    /// The averages of alpha at the positions of the chroma samples.
    private let means: UnsafeMutablePointer<UInt8>?
    /// The sum of three chroma rows, with one value before the first and one past the last.
    private let sums: UnsafeMutablePointer<UInt16>
    /// One row each of luma, alpha, both chroma planes and the averages of alpha.
    private let lines: UnsafeMutablePointer<UInt8>

    init(_ planes: consuming ColorPlanes, _ kernel: KernelChoice) {
        self.kernel = kernel
        halvedRow = HalvedRow(
            Shrinkage(whole: planes.size, block: 1).axes, PyramidSteps(across: 1, down: 1),
            channels: 1)
        (width, height) = (planes.chromaSize.width, planes.chromaSize.height)
        unsafe means = planes.hasAlpha ? .allocate(capacity: planes.chromaSize.area) : nil
        unsafe sums = .allocate(capacity: width + 2)
        unsafe sums.initialize(repeating: 0, count: width + 2)
        unsafe lines = .allocate(capacity: width * 5)
        unsafe lines.initialize(repeating: 0, count: width * 5)
        self.planes = planes
    }

    deinit {
        unsafe means?.deallocate()
        unsafe sums.deallocate()
        unsafe lines.deallocate()
    }

    mutating func make(_ row: Int, into pixels: UnsafeMutablePointer<UInt8>) {
        let loops = unsafe kernel.loops
        let (luma, alpha) = unsafe (lines, lines + width)
        let (blue, red, mean) = unsafe (lines + width * 2, lines + width * 3, lines + width * 4)
        weigh(upTo: row)
        unsafe halve(planes.luma, row, into: luma)
        unsafe smooth(planes.blue, row, into: blue)
        unsafe smooth(planes.red, row, into: red)
        guard let alphas = unsafe planes.alpha, let means = unsafe means else {
            unsafe loops.pointee.yuv_to_rgba(luma, blue, red, nil, pixels, width)
            return
        }
        unsafe halve(alphas, row, into: alpha)
        unsafe smooth(means, row, into: mean)
        unsafe loops.pointee.unpremultiply_plane(luma, alpha, width)
        unsafe loops.pointee.unpremultiply_plane(blue, mean, width)
        unsafe loops.pointee.unpremultiply_plane(red, mean, width)
        unsafe loops.pointee.yuv_to_rgba(luma, blue, red, alpha, pixels, width)
    }

    /// Multiplies the rows that output row `row` reads by alpha.
    private mutating func weigh(upTo row: Int) {
        let loops = unsafe kernel.loops
        guard let alphas = unsafe planes.alpha, let means = unsafe means else { return }
        let size = planes.size
        while weighed.lumaRows < min(2 * row + 3, size.height) {
            let offset = weighed.lumaRows * size.width
            let line = unsafe planes.luma + offset
            unsafe loops.pointee.premultiply_plane(line, alphas + offset, size.width)
            weighed.lumaRows += 1
        }
        while weighed.chromaRows < min(row + 2, planes.chromaSize.height) {
            let offset = weighed.chromaRows * width
            let upper = unsafe alphas + 2 * weighed.chromaRows * size.width
            let isLast = 2 * weighed.chromaRows + 1 == size.height
            let lower = unsafe isLast ? upper : upper + size.width
            unsafe loops.pointee.average_plane(upper, lower, means + offset, size.width / 2)
            if size.width % 2 == 1 {
                let sum = unsafe Int(upper[size.width - 1]) + Int(lower[size.width - 1])
                unsafe means[offset + width - 1] = UInt8(truncatingIfNeeded: (sum + 1) / 2)
            }
            unsafe loops.pointee.premultiply_plane(planes.blue + offset, means + offset, width)
            unsafe loops.pointee.premultiply_plane(planes.red + offset, means + offset, width)
            weighed.chromaRows += 1
        }
    }

    /// Halves a luma or alpha plane into row `row` of the result.
    private func halve(
        _ plane: UnsafeMutablePointer<UInt8>, _ row: Int, into target: UnsafeMutablePointer<UInt8>
    ) {
        unsafe halvedRow.make(kernel, row, into: target) { y in
            unsafe UnsafePointer(plane + y * planes.size.width)
        }
    }

    /// Filters a plane of chroma size into row `row` of the result.
    private func smooth(
        _ plane: UnsafeMutablePointer<UInt8>, _ row: Int, into target: UnsafeMutablePointer<UInt8>
    ) {
        let here = unsafe plane + row * width
        let above = unsafe row > 0 ? here - width : here
        let below = unsafe row + 1 < height ? here + width : here
        unsafe kernel.loops.pointee.smooth_down(above, here, below, sums + 1, width)
        unsafe sums[0] = sums[1]
        unsafe sums[width + 1] = sums[width]
        unsafe kernel.loops.pointee.smooth_across(sums, target, width)
    }
}
