extension PixelBuffer {
    /// Returns an upright copy, scaled by plain averaging, in which neither side exceeds `edge`.
    ///
    /// It is less sharp than `reduced(to:)`. A large picture costs little more than one reading of
    /// its bytes, and no table of weights is made. The halved copies are kept for `halved(for:)`.
    package mutating func averaged(to edge: Int) -> PixelBuffer {
        let longer = max(width, height)
        if longer >= 2 * edge {
            let step = PyramidSteps(across: width > 1 ? 1 : 0, down: height > 1 ? 1 : 0)
            var half = halved(step)
            let result = half.averaged(to: edge)
            halvedCopy = HalvedPicture(half, halvings: step)
            return result
        }
        var result: PixelBuffer
        if longer <= edge {
            result = copy()
            result.shrinkage = nil
        } else {
            func reduced(_ length: Int) -> Int { max(1, (length * edge + longer / 2) / longer) }
            result = averaged(to: PixelSize(width: reduced(width), height: reduced(height)))
        }
        result.applyPendingOrientation()
        return result
    }

    /// - Parameter target: the size of the result; each side is at least half of this picture's.
    private func averaged(to target: PixelSize) -> PixelBuffer {
        var result = PixelBuffer(unwritten: target)
        result.isOpaque = isOpaque
        result.pendingOrientation = pendingOrientation
        let columns = (0..<target.width).map {
            ColumnAverage(Average(of: width, at: $0, of: target.width))
        }
        unsafe withUnsafePixels { source in
            unsafe result.withUnsafeMutablePixels { written in
                unsafe withUnsafeTemporaryAllocation(
                    of: UInt8.self, capacity: bytesPerRow + ColumnAverage.spareBytes
                ) { line in
                    unsafe line.initialize(repeating: 0)
                    guard let line = line.baseAddress else { return }
                    for y in 0..<target.height {
                        let row = Average(of: height, at: y, of: target.height)
                        unsafe row.mix(
                            source + row.start * bytesPerRow, stride: bytesPerRow, into: line,
                            count: bytesPerRow)
                        for (x, column) in columns.enumerated() {
                            unsafe column.mix(
                                line, into: written + (y * target.width + x) * 4)
                        }
                    }
                }
            }
        }
        return result
    }
}

/// The neighbouring inputs of one output, weighted by the part of each that the output covers.
private struct Average {
    let start: Int
    let count: Int
    /// The weights of the inputs; the sum is exactly 256.
    let weights: SIMD4<UInt16>

    /// - Parameter inputs: at most twice as many as `outputs`.
    init(of inputs: Int, at output: Int, of outputs: Int) {
        let (low, high) = (output * inputs, (output + 1) * inputs)
        start = low / outputs
        count = (high + outputs - 1) / outputs - start
        var weights = SIMD4<UInt16>.zero
        var done = 0
        for tap in 0..<count {
            // Weights are differences of rounded sums, so that the errors do not add up.
            let end = min(high, (start + tap + 1) * outputs) - low
            let sum = (end * 256 + inputs / 2) / inputs
            weights[tap] = UInt16(sum - done)
            done = sum
        }
        self.weights = weights
    }

    /// Averages up to four rows that are `stride` bytes apart; `levels` is the number of bytes.
    func mix(
        _ first: UnsafePointer<UInt8>, stride: Int, into line: UnsafeMutablePointer<UInt8>,
        count levels: Int
    ) {
        var index = 0
        while index + 16 <= levels {
            var sum = SIMD16<UInt16>(repeating: 128)
            for tap in 0..<count {
                let row = unsafe UnsafeRawPointer(first + tap * stride + index)
                    .loadUnaligned(as: SIMD16<UInt8>.self)
                sum &+= SIMD16<UInt16>(truncatingIfNeeded: row) &* weights[tap]
            }
            unsafe UnsafeMutableRawPointer(line + index).storeBytes(
                of: SIMD16<UInt8>(truncatingIfNeeded: sum &>> 8), as: SIMD16<UInt8>.self)
            index += 16
        }
        while index < levels {
            unsafe mixPixel(first + index, stride: stride, into: line + index)
            index += 4
        }
    }

    @inline(__always)
    func mixPixel(
        _ first: UnsafePointer<UInt8>, stride: Int, into pixel: UnsafeMutablePointer<UInt8>
    ) {
        var sum = SIMD4<UInt16>(repeating: 128)
        for tap in 0..<count {
            let levels = unsafe UnsafeRawPointer(first + tap * stride)
                .loadUnaligned(as: SIMD4<UInt8>.self)
            sum &+= SIMD4<UInt16>(truncatingIfNeeded: levels) &* weights[tap]
        }
        unsafe UnsafeMutableRawPointer(pixel).storeBytes(
            of: SIMD4<UInt8>(truncatingIfNeeded: sum &>> 8), as: SIMD4<UInt8>.self)
    }
}

/// The average of up to four neighbouring pixels of a row, each weight repeated for four channels.
private struct ColumnAverage {
    private let offset: Int
    private let weights: SIMD16<UInt16>

    /// The bytes behind the end of a row that may be read; their weights are 0.
    static let spareBytes = 12

    init(_ average: Average) {
        offset = average.start * 4
        var weights = SIMD16<UInt16>.zero
        for index in 0..<16 { weights[index] = average.weights[index / 4] }
        self.weights = weights
    }

    @inline(__always)
    func mix(_ row: UnsafePointer<UInt8>, into pixel: UnsafeMutablePointer<UInt8>) {
        let levels = unsafe UnsafeRawPointer(row + offset)
            .loadUnaligned(as: SIMD16<UInt8>.self)
        let products = SIMD16<UInt16>(truncatingIfNeeded: levels) &* weights
        let pairs = products.lowHalf &+ products.highHalf
        let sum = pairs.lowHalf &+ pairs.highHalf &+ 128
        unsafe UnsafeMutableRawPointer(pixel).storeBytes(
            of: SIMD4<UInt8>(truncatingIfNeeded: sum &>> 8), as: SIMD4<UInt8>.self)
    }
}
