import CKernels

/// Makes rows of a halved picture or plane: each value is the (1 3 3 1) / 8 average, in both
/// directions, of four rows and four columns (`HalvedAxis`).
///
/// Rounding varies from pixel to pixel, so that a fine pattern keeps its average brightness. Opaque
/// pixels stay opaque, areas of one colour keep their colour, colours stay below alpha, and mirror
/// images stay mirrored.
@safe
struct HalvedRow: ~Copyable {
    private let across: HalvedAxis
    private let down: HalvedAxis
    private let step: PyramidSteps
    private let channels: Int
    /// The sum of four rows, with one pixel before the first and two past the last.
    private let sums: UnsafeMutablePointer<Int16>
    private let roundings: UnsafeMutablePointer<Int16>

    /// - Parameter channels: the bytes of a pixel, 4, or 1 in a plane.
    init(_ axes: (across: HalvedAxis, down: HalvedAxis), _ step: PyramidSteps, channels: Int) {
        (across, down) = axes
        self.step = step
        self.channels = channels
        let count = (across.count + 3) * channels
        unsafe sums = .allocate(capacity: count)
        unsafe sums.initialize(repeating: 0, count: count)
        unsafe roundings = HalvedAxis.roundings(
            width: step.across > 0 ? across.halvedCount : across.count, channels: channels)
    }

    deinit {
        unsafe sums.deallocate()
        unsafe roundings.deallocate()
    }

    /// Makes row `index` of the halved picture from the rows of the source that `line` returns.
    func make(
        _ kernel: KernelChoice, _ index: Int, into pixels: UnsafeMutablePointer<UInt8>,
        from line: (Int) -> UnsafePointer<UInt8>
    ) {
        let (first, width) = unsafe (sums + channels, across.count)
        let rows = step.down > 0 ? down.halvedCount : down.count
        let parity = min(index, rows - 1 - index) & 1
        unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>.self, capacity: 4) { lines in
            guard let start = lines.baseAddress else { return }
            for tap in 0..<4 {
                // On an axis that is not halved, four copies of the row are mixed.
                let y = step.down > 0 ? down.pixel(2 * index - 1 + tap) : index
                unsafe (start + tap).initialize(to: line(y))
            }
            unsafe kernel.loops.pointee.sum_rows(start, first, width * channels)
        }
        guard step.across > 0 else {
            let rounding = unsafe roundings + parity * width * channels
            for byte in 0..<(width * channels) {
                let sum = unsafe first[byte] &+ rounding[byte] &>> 3
                unsafe pixels[byte] = UInt8(truncatingIfNeeded: sum &>> 3)
            }
            return
        }
        for channel in 0..<channels {
            unsafe sums[channel] = first[channel]
            for past in width...(width + 1) {
                let twin = across.pixel(past)
                unsafe first[past * channels + channel] = first[twin * channels + channel]
            }
        }
        let count = across.halvedCount
        let rounding = unsafe roundings + parity * count * channels
        if channels == 4 {
            unsafe kernel.loops.pointee.halve_pixels(sums, rounding, pixels, count)
        } else {
            unsafe kernel.loops.pointee.halve_plane(sums, rounding, pixels, count)
        }
    }
}

/// One axis of a picture that is halved: pixel `h` of the result is the (1 3 3 1) / 8 average of
/// the four pixels from `2 h - 1` on.
struct HalvedAxis {
    let count: Int
    /// The pixels that are read in place of the two pixels past the end, as distances from the end.
    private let substitutes: (Int, Int)

    /// Makes the axis of `whole` original pixels, `unit` of which form one stored pixel.
    ///
    /// The last stored pixel may cover fewer original pixels. The pixels read past the end are
    /// chosen so that each stored pixel contributes to the result about in proportion to its
    /// length.
    init(whole: Int, unit: Int) {
        count = (whole + unit - 1) / unit
        let last = whole - (count - 1) * unit
        if count % 2 == 0 {
            substitutes = (last * 4 > unit * 3 ? 1 : 2, 2)
        } else {
            substitutes = last * 3 > unit * 2 ? (1, 2) : last * 8 > unit * 3 ? (2, 1) : (2, 2)
        }
    }

    var halvedCount: Int { (count + 1) / 2 }

    /// Returns the pixel that is read for `index`, which may lie past an edge.
    func pixel(_ index: Int) -> Int {
        if index < 0 { return -1 - index }
        if index < count { return index }
        return max(0, count - (index == count ? substitutes.0 : substitutes.1))
    }

    /// Rounding terms in 64ths, by the parity of row and column as counted from the nearer edge.
    private static let roundingTerms: [[Int16]] = [[8, 40], [56, 24]]

    /// Returns the rounding terms of an even row, then those of an odd row, which the caller
    /// deallocates.
    @unsafe
    static func roundings(width: Int, channels: Int) -> UnsafeMutablePointer<Int16> {
        let result = UnsafeMutablePointer<Int16>.allocate(capacity: width * channels * 2)
        for parity in 0..<2 {
            for x in 0..<width {
                let term = roundingTerms[parity][min(x, width - 1 - x) & 1]
                unsafe (result + (parity * width + x) * channels)
                    .initialize(repeating: term, count: channels)
            }
        }
        return unsafe result
    }
}

/// Converts weights of pixels to the weights of halved pixels that approximate them best, by least
/// squares.
///
/// A halved pixel is a smooth average of four pixels, and the weights of a kernel with lobes of two
/// or more pixels are smooth. The error is therefore less than a tenth of that of averages of two
/// pixels.
struct HalfWeights {
    let axis: HalvedAxis

    /// Returns the weights, in eighths, of the pixels `2 half - 1` to `2 half + 2` in the halved
    /// pixel `half`.
    private func eighths(of half: Int) -> SIMD4<Double> {
        let first = 2 * half - 1
        let weights = SIMD4<Double>(1, 3, 3, 1)
        var result = SIMD4<Double>.zero
        for tap in 0..<4 { result[axis.pixel(first + tap) - first] += weights[tap] }
        return result
    }

    /// Returns the weights of the halved pixels `halves`. `pixels` holds the weights to
    /// approximate, from pixel `start` on.
    func nearest(
        to pixels: [Double], from start: Int, halves: ClosedRange<Int>
    ) -> [Double] {
        func pixel(_ index: Int) -> Double {
            let tap = index - start
            return pixels.indices.contains(tap) ? pixels[tap] : 0
        }
        // Only neighbouring halved pixels share pixels, so the system of equations is tridiagonal.
        var weights: [Double] = []
        weights.reserveCapacity(halves.count)
        var couplings: [Double] = []
        couplings.reserveCapacity(halves.count)
        var (before, own, coupling) = (SIMD4<Double>.zero, eighths(of: halves.lowerBound), 0.0)
        for half in halves {
            let shared = before[2] * own[0] + before[3] * own[1]
            var wanted = 0.0
            for tap in 0..<4 { wanted += own[tap] * pixel(2 * half - 1 + tap) }
            let pivot = 1 / ((own * own).sum() - shared * coupling)
            weights.append((wanted - shared * (weights.last ?? 0)) * pivot)
            let next = half < halves.upperBound ? eighths(of: half + 1) : .zero
            coupling = (own[2] * next[0] + own[3] * next[1]) * pivot
            couplings.append(coupling)
            (before, own) = (own, next)
        }
        for index in stride(from: weights.count - 2, through: 0, by: -1) {
            weights[index] -= couplings[index] * weights[index + 1]
        }
        return weights
    }
}

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
        var origin = origin
        let row = HalvedRow(origin.axes, step, channels: 4)
        origin.halvings = origin.halvings + step
        var result = PixelBuffer(unwritten: origin.size)
        result.isOpaque = isOpaque
        result.shrinkage = origin
        result.pendingOrientation = pendingOrientation
        let (count, stride) = (result.height, result.bytesPerRow)
        unsafe withUnsafePixels { source in
            unsafe result.withUnsafeMutablePixels { target in
                for index in 0..<count {
                    unsafe row.make(kernel, index, into: target + index * stride) { y in
                        unsafe source + y * bytesPerRow
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
