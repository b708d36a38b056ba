/// Halves a picture repeatedly while its rows arrive from the top. Only the last four rows of each
/// size and the result are in memory.
///
/// The result has the same bytes as that of `PixelBuffer.halved` on the whole picture.
@safe
package final class RowHalver {
    private let levels: [Level]
    private let kernel: KernelChoice
    private var result: PixelBuffer
    private var written = 0

    private static let step = PyramidSteps(across: 1, down: 1)

    /// - Parameter halvings: the number of times that both sides are halved; at least 1.
    package init(_ size: PixelSize, halvings: Int, kernel: KernelChoice = .best) {
        precondition(halvings > 0, "A picture is halved at least once.")
        self.kernel = kernel
        var origin = Shrinkage(whole: size, block: 1)
        var levels: [Level] = []
        for _ in 0..<halvings {
            levels.append(Level(origin))
            origin.halvings = origin.halvings + Self.step
        }
        self.levels = levels
        result = PixelBuffer(unwritten: origin.size)
        result.shrinkage = origin
    }

    /// Returns the bytes that halving a picture of `size` holds, the result included.
    package static func memoryCost(_ size: PixelSize, halvings: Int) -> Int {
        let result = Shrinkage(
            whole: size, block: 1, halvings: PyramidSteps(across: halvings, down: halvings))
        // Each size has four rows, their sum and roundings: 32 bytes per pixel of a row.
        return result.size.byteCount.saturating(plus: size.width.saturating(times: 64))
            .saturating(plus: halvings * 1024)
    }

    /// The number of rows that were taken.
    package var count: Int { levels[0].read }

    package var isComplete: Bool { levels[0].read == levels[0].down.count }

    /// The memory for the next row: premultiplied RGBA, not cleared. It is valid until `take`.
    package var next: UnsafeMutablePointer<UInt8> { unsafe levels[0].next }

    /// Takes the row that the caller wrote to `next`.
    package func take() {
        precondition(!isComplete, "A picture has no more rows than its height.")
        take(at: 0)
    }

    private func take(at index: Int) {
        let level = levels[index]
        level.read += 1
        while level.isNextRowReady {
            if index + 1 < levels.count {
                unsafe level.make(kernel, into: levels[index + 1].next)
                take(at: index + 1)
            } else {
                let offset = written * result.bytesPerRow
                unsafe result.withUnsafeMutablePixels { pixels in
                    unsafe level.make(kernel, into: pixels + offset)
                }
                written += 1
            }
        }
    }

    /// Returns the halved picture; must be called only once. Rows that were not taken are
    /// transparent.
    package func finish(isOpaque: Bool) -> PixelBuffer {
        let isWhole = isComplete
        while !isComplete {
            unsafe next.update(repeating: 0, count: levels[0].stride)
            take()
        }
        var finished = PixelBuffer(size: PixelSize(width: 1, height: 1))
        swap(&finished, &result)
        finished.isOpaque = isOpaque && isWhole
        return finished
    }
}

/// The last four rows of one size of a picture, and the halving of them.
@safe
private final class Level {
    let down: HalvedAxis
    let stride: Int
    /// The number of rows that were read.
    var read = 0
    /// The number of halved rows that were made.
    private var made = 0
    private let row: HalvedRow
    private let ring: UnsafeMutablePointer<UInt8>

    init(_ origin: Shrinkage) {
        let axes = origin.axes
        down = axes.down
        stride = axes.across.count * 4
        row = HalvedRow(axes.across, isHalvedAcross: true, rows: axes.down.halvedCount)
        unsafe ring = .allocate(capacity: stride * 4)
        unsafe ring.initialize(repeating: 0, count: stride * 4)
    }

    deinit {
        unsafe ring.deallocate()
    }

    var next: UnsafeMutablePointer<UInt8> { unsafe ring + read % 4 * stride }

    /// Whether the four rows that the next halved row needs are available. Past the end of the
    /// picture, earlier rows replace missing rows.
    var isNextRowReady: Bool {
        made < down.halvedCount && (2 * made + 2 < read || read == down.count)
    }

    func make(_ kernel: KernelChoice, into pixels: UnsafeMutablePointer<UInt8>) {
        #if arch(x86_64)
            if [.best, .usual].contains(kernel) && AVX2Kernel.isAvailable {
                return unsafe make(AVX2Kernel.self, into: pixels)
            }
        #endif
        if kernel == .plain {
            unsafe make(PlainKernel.self, into: pixels)
        } else {
            unsafe make(VectorKernel.self, into: pixels)
        }
    }

    private func make<Kernel: ResampleKernel>(
        _ kernel: Kernel.Type, into pixels: UnsafeMutablePointer<UInt8>
    ) {
        unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>.self, capacity: 4) { lines in
            guard let first = lines.baseAddress else { return }
            for line in 0..<4 {
                let y = down.pixel(2 * made - 1 + line)
                unsafe (first + line).initialize(to: UnsafePointer(ring + y % 4 * stride))
            }
            unsafe row.make(kernel, made, of: first, into: pixels)
        }
        made += 1
    }
}
