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
        #if arch(x86_64)
            if [.best, .usual].contains(kernel) && AVX2Kernel.isAvailable {
                return halved(AVX2PlaneKernel.self)
            }
        #endif
        return halved(PlainPlaneKernel.self)
    }

    private consuming func halved<Kernel: PlaneKernel>(_ kernel: Kernel.Type) -> PixelBuffer {
        let once = PyramidSteps(across: 1, down: 1)
        let origin = Shrinkage(whole: size, block: 1, halvings: once)
        var result = PixelBuffer(unwritten: origin.size)
        result.shrinkage = origin
        result.isOpaque = !hasAlpha
        var rows = HalvedPlaneRows(self)
        let (count, stride) = (result.height, result.bytesPerRow)
        unsafe result.withUnsafeMutablePixels { pixels in
            for row in 0..<count { unsafe rows.make(kernel, row, into: pixels + row * stride) }
        }
        return result
    }
}

/// The rows of a halved picture, made from planes in order from the top.
@safe
private struct HalvedPlaneRows: ~Copyable {
    private let planes: ColorPlanes
    private let down: HalvedAxis
    private let across: HalvedAxis
    private let width: Int
    /// The number of luma and of chroma rows that are already multiplied by alpha.
    private var weighed = (lumaRows: 0, chromaRows: 0)
    /// The averages of alpha at the positions of the chroma samples.
    private let means: UnsafeMutablePointer<UInt8>?
    private let roundings: UnsafeMutablePointer<Int16>
    /// The sum of four rows, with one value before the first and room for a vector's reads past the
    /// last.
    private let sums: UnsafeMutablePointer<Int16>
    /// One row each of luma, alpha, both chroma planes and the averages of alpha.
    private let lines: UnsafeMutablePointer<UInt8>

    /// Rounding terms in 64ths, by the parity of row and column as counted from the nearer edge.
    private static let roundingTerms: [[Int16]] = [[8, 40], [56, 24]]

    init(_ planes: consuming ColorPlanes) {
        let origin = Shrinkage(whole: planes.size, block: 1)
        (across, down) = origin.axes
        width = across.halvedCount
        unsafe means = planes.hasAlpha ? .allocate(capacity: planes.chromaSize.area) : nil
        let count = planes.size.width + 24
        unsafe sums = .allocate(capacity: count)
        unsafe sums.initialize(repeating: 0, count: count)
        unsafe lines = .allocate(capacity: width * 5)
        unsafe lines.initialize(repeating: 0, count: width * 5)
        unsafe roundings = .allocate(capacity: width * 2)
        for parity in 0..<2 {
            for x in 0..<width {
                let step = Self.roundingTerms[parity][min(x, width - 1 - x) & 1]
                unsafe (roundings + parity * width + x).initialize(to: step)
            }
        }
        self.planes = planes
    }

    deinit {
        unsafe means?.deallocate()
        unsafe roundings.deallocate()
        unsafe sums.deallocate()
        unsafe lines.deallocate()
    }

    mutating func make<Kernel: PlaneKernel>(
        _ kernel: Kernel.Type, _ row: Int, into pixels: UnsafeMutablePointer<UInt8>
    ) {
        let (luma, alpha) = unsafe (lines, lines + width)
        let (blue, red, mean) = unsafe (lines + width * 2, lines + width * 3, lines + width * 4)
        weigh(kernel, upTo: row)
        unsafe halve(kernel, planes.luma, row, into: luma)
        unsafe smooth(kernel, planes.blue, row, into: blue)
        unsafe smooth(kernel, planes.red, row, into: red)
        guard let alphas = unsafe planes.alpha, let means = unsafe means else {
            unsafe kernel.mix(luma, blue, red, alpha: nil, into: pixels, count: width)
            return
        }
        unsafe halve(kernel, alphas, row, into: alpha)
        unsafe smooth(kernel, means, row, into: mean)
        unsafe kernel.straighten(luma, by: alpha, count: width)
        unsafe kernel.straighten(blue, by: mean, count: width)
        unsafe kernel.straighten(red, by: mean, count: width)
        unsafe kernel.mix(luma, blue, red, alpha: alpha, into: pixels, count: width)
    }

    /// Multiplies the rows that output row `row` reads by alpha.
    private mutating func weigh<Kernel: PlaneKernel>(_ kernel: Kernel.Type, upTo row: Int) {
        guard let alphas = unsafe planes.alpha, let means = unsafe means else { return }
        let size = planes.size
        while weighed.lumaRows < min(2 * row + 3, size.height) {
            let offset = weighed.lumaRows * size.width
            let line = unsafe planes.luma + offset
            unsafe kernel.weigh(line, by: alphas + offset, count: size.width)
            weighed.lumaRows += 1
        }
        while weighed.chromaRows < min(row + 2, planes.chromaSize.height) {
            let offset = weighed.chromaRows * width
            let upper = unsafe alphas + 2 * weighed.chromaRows * size.width
            let isLast = 2 * weighed.chromaRows + 1 == size.height
            let lower = unsafe isLast ? upper : upper + size.width
            unsafe kernel.mean(upper, lower, into: means + offset, count: size.width / 2)
            if size.width % 2 == 1 {
                let sum = unsafe Int(upper[size.width - 1]) + Int(lower[size.width - 1])
                unsafe means[offset + width - 1] = UInt8(truncatingIfNeeded: (sum + 1) / 2)
            }
            unsafe kernel.weigh(planes.blue + offset, by: means + offset, count: width)
            unsafe kernel.weigh(planes.red + offset, by: means + offset, count: width)
            weighed.chromaRows += 1
        }
    }

    /// Halves a luma or alpha plane into row `row` of the result.
    private func halve<Kernel: PlaneKernel>(
        _ kernel: Kernel.Type, _ plane: UnsafeMutablePointer<UInt8>, _ row: Int,
        into target: UnsafeMutablePointer<UInt8>
    ) {
        let (first, count) = unsafe (sums + 1, across.count)
        unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>.self, capacity: 4) { taken in
            guard let start = taken.baseAddress else { return }
            for line in 0..<4 {
                let y = down.pixel(2 * row - 1 + line)
                unsafe (start + line).initialize(to: UnsafePointer(plane + y * count))
            }
            unsafe kernel.weigh(rows: start, into: first, count: count)
        }
        unsafe sums[0] = first[0]
        for past in count...(count + 1) { unsafe first[past] = first[across.pixel(past)] }
        let parity = min(row, down.halvedCount - 1 - row) & 1
        unsafe kernel.halve(
            sums: sums, roundings: roundings + parity * width, into: target, count: width)
    }

    /// Filters a plane of chroma size into row `row` of the result.
    private func smooth<Kernel: PlaneKernel>(
        _ kernel: Kernel.Type, _ plane: UnsafeMutablePointer<UInt8>, _ row: Int,
        into target: UnsafeMutablePointer<UInt8>
    ) {
        let here = unsafe plane + row * width
        let above = unsafe row > 0 ? here - width : here
        let below = unsafe row + 1 < down.halvedCount ? here + width : here
        unsafe sums.withMemoryRebound(to: UInt16.self, capacity: width + 2) { sums in
            unsafe kernel.smoothDown(above, here, below, into: sums + 1, count: width)
            unsafe sums[0] = sums[1]
            unsafe sums[width + 1] = sums[width]
            unsafe kernel.smoothAcross(sums, into: target, count: width)
        }
    }
}
