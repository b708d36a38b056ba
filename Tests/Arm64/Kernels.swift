import Glibc
import System

/// Compares the vector loops of this processor with the plain ones, for random and extreme inputs
/// at addresses of any alignment. Prints a digest of the results for each group of inputs, which
/// must be the same on every processor, and stops at the first difference.
///
/// `run.sh` compiles this file into one module with `Raster` and `PNGFilter`.
@main
enum Kernels {
    static func main() {
        for width in 1...70 {
            mixing(width)
            halving(width)
            for step in [1, 2, 3, 4, 6, 8] { filters(width, step) }
            if width % 3 == 1 { pictures(width) }
        }
    }
}

/// FNV-1a.
private struct Digest {
    private var sum: UInt64 = 14_695_981_039_346_656_037

    mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 1_099_511_628_211 }
    }

    mutating func add(_ values: [Int16]) {
        for value in values {
            add([UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)])
        }
    }

    func report(_ group: String, _ width: Int, _ step: Int = 0) {
        print("\(group) \(width) \(step) \(sum)")
    }
}

private func check(_ isEqual: Bool, _ group: String, _ width: Int, _ step: Int = 0) {
    guard !isEqual else { return }
    print("the kernels differ: \(group), width \(width), \(step)")
    exit(1)
}

extension SeededRandom {
    /// Returns bytes of any value, or only the extremes.
    fileprivate mutating func bytes(_ count: Int, extreme: Bool) -> [UInt8] {
        (0..<count).map { _ in
            let bits = next()
            return extreme ? (bits & 1 == 0 ? 0 : 255) : UInt8(truncatingIfNeeded: bits)
        }
    }

    fileprivate mutating func values(_ count: Int, extreme: Bool) -> [Int16] {
        (0..<count).map { _ in
            let bits = next()
            return extreme ? (bits & 1 == 0 ? .min : .max) : Int16(truncatingIfNeeded: bits)
        }
    }

    fileprivate mutating func weights(_ count: Int, extreme: Bool) -> [Int32] {
        (0..<count).map { _ in
            let bits = UInt32(truncatingIfNeeded: next())
            let signs = Int32(bitPattern: bits & 0x8000_8000)
            return extreme ? signs | (bits & 1 == 0 ? 0 : 0x7FFF) : Int32(bitPattern: bits)
        }
    }
}

// MARK: - The loops of the resampler

/// The results of the weighted sums and of the rounding; bytes after the end must stay unchanged.
private func mixed<Kernel: ResampleKernel>(
    _ kernel: Kernel.Type, _ width: Int, _ pairs: Int, shift: Int32, extreme: Bool
) -> (values: [Int16], pixels: [UInt8]) {
    var random = SeededRandom(seed: UInt64(width * 100 + pairs))
    let lead = width % 4
    let length = width * 4
    let rows = random.bytes(lead + length * pairs * 2, extreme: extreme)
    let lines = random.values(lead + length * pairs * 2, extreme: extreme)
    let weights = random.weights(pairs, extreme: extreme)
    let row = random.values((width + pairs * 2) * 4 + 8, extreme: extreme)
    let runs = (0..<width).map { FilterTable.Run(start: $0, first: 0, pairs: pairs) }
    // The first pass stores whole pairs of pixels.
    let room = (width + 1) / 2 * 8 + 16
    var first = [Int16](repeating: 7, count: room)
    var second = first
    var third = first
    var pixels = [UInt8](repeating: 7, count: length + 32)
    unsafe rows.withUnsafeBufferPointer { bytes in
        unsafe lines.withUnsafeBufferPointer { values in
            let starts = unsafe (0..<(pairs * 2)).map {
                unsafe bytes.baseAddress! + lead + $0 * length
            }
            unsafe Kernel.blend(
                pixels: starts, weights: weights, pairs: pairs, shift: shift, into: &first,
                count: width)
            let others = unsafe (0..<(pairs * 2)).map {
                unsafe values.baseAddress! + lead + $0 * length
            }
            unsafe Kernel.blend(
                values: others, weights: weights, pairs: pairs, shift: shift, into: &second,
                count: length)
        }
    }
    unsafe Kernel.gather(
        row: row, runs: runs, weights: weights, shift: shift, into: &third, count: width)
    unsafe Kernel.store(values: row, into: &pixels, count: width)
    return (first + second + third, pixels)
}

private func mixing(_ width: Int) {
    var digest = Digest()
    for pairs in [1, 2, 3, 8] {
        for (shift, extreme) in [(14, false), (18, false), (1, false), (14, true), (1, true)] {
            let fast = mixed(
                VectorKernel.self, width, pairs, shift: Int32(shift), extreme: extreme)
            let plain = mixed(
                PlainKernel.self, width, pairs, shift: Int32(shift), extreme: extreme)
            check(fast.values == plain.values, "weighted sums", width, pairs)
            check(fast.pixels == plain.pixels, "rounding", width, pairs)
            digest.add(plain.values)
            digest.add(plain.pixels)
        }
    }
    digest.report("weighted sums", width)
}

private func halved<Kernel: ResampleKernel>(
    _ kernel: Kernel.Type, _ width: Int, extreme: Bool
) -> (sums: [Int16], pixels: [UInt8]) {
    var random = SeededRandom(seed: UInt64(width))
    let count = width * 8 + 16
    let rows = random.bytes(count * 4 + 3, extreme: extreme)
    let roundings = random.values(width * 4 + 8, extreme: false).map { $0 & 63 }
    var sums = [Int16](repeating: 7, count: count + 32)
    var pixels = [UInt8](repeating: 7, count: width * 4 + 32)
    unsafe rows.withUnsafeBufferPointer { bytes in
        let starts = unsafe (0..<4).map { unsafe bytes.baseAddress! + width % 4 + $0 * count }
        // One byte less than whole pixels, so that a remainder of every length occurs.
        unsafe Kernel.weigh(rows: starts, into: &sums, count: count - width % 7)
    }
    unsafe Kernel.halve(sums: sums, roundings: roundings, into: &pixels, count: width)
    return (sums, pixels)
}

private func halving(_ width: Int) {
    var digest = Digest()
    for extreme in [false, true] {
        let fast = halved(VectorKernel.self, width, extreme: extreme)
        let plain = halved(PlainKernel.self, width, extreme: extreme)
        check(fast.sums == plain.sums, "sums of rows", width)
        check(fast.pixels == plain.pixels, "halves", width)
        digest.add(plain.sums)
        digest.add(plain.pixels)
    }
    digest.report("halves", width)
}

// MARK: - Filters of PNG

/// Returns the prediction of the PNG specification, clause 9.
private func prediction(
    _ filter: PNGFilter, _ index: Int, of row: [UInt8], above: [UInt8], step: Int
) -> UInt8 {
    let left = index < step ? 0 : Int(row[index - step])
    let corner = index < step ? 0 : Int(above[index - step])
    let up = Int(above[index])
    switch filter {
    case .none: return 0
    case .sub: return UInt8(left)
    case .up: return UInt8(up)
    case .average: return UInt8((left + up) / 2)
    case .paeth:
        let guess = left + up - corner
        let (a, b, c) = (abs(guess - left), abs(guess - up), abs(guess - corner))
        return UInt8(a <= b && a <= c ? left : b <= c ? up : corner)
    }
}

private func filters(_ width: Int, _ step: Int) {
    var random = SeededRandom(seed: UInt64(width * 10 + step))
    var digest = Digest()
    let count = width * step
    let slack = [UInt8](repeating: 9, count: PNGFilter.slack)
    // Rows are preceded by eight zero bytes, and start at an address of any alignment.
    let zeros = [UInt8](repeating: 0, count: 8 + width % 8)
    for (filter, extreme) in PNGFilter.allCases.flatMap({ [($0, false), ($0, true)] }) {
        let above = random.bytes(count, extreme: extreme)
        let row = random.bytes(count, extreme: extreme)
        let next = random.bytes(count, extreme: extreme)
        var result = [UInt8](repeating: 7, count: zeros.count + count + PNGFilter.slack)
        var other = result
        unsafe (zeros + above + slack).withUnsafeBytes { above in
            unsafe (zeros + row + slack).withUnsafeBytes { row in
                let (up, own) = unsafe (
                    above.baseAddress! + zeros.count, row.baseAddress! + zeros.count
                )
                unsafe result.withUnsafeMutableBytes { result in
                    unsafe filter.undo(
                        own, above: up, result: result.baseAddress! + zeros.count, count: count,
                        step: step)
                }
                unsafe other.withUnsafeMutableBytes { other in
                    unsafe filter.apply(
                        own, above: up, result: other.baseAddress! + zeros.count, count: count,
                        step: step, kernel: .best)
                }
            }
        }
        let undone = Array(result[zeros.count..<(zeros.count + count)])
        let applied = Array(other[zeros.count..<(zeros.count + count)])
        for index in 0..<count {
            let wanted = prediction(filter, index, of: undone, above: above, step: step)
            check(undone[index] == row[index] &+ wanted, "a filter undone", width, step)
            let guess = prediction(filter, index, of: row, above: above, step: step)
            check(applied[index] == row[index] &- guess, "a filter applied", width, step)
        }
        digest.add(undone)
        digest.add(applied)
        guard filter == .paeth, step <= 4 else { continue }
        // Two rows at once.
        unsafe (above + slack).withUnsafeBytes { above in
            unsafe (row + slack).withUnsafeBytes { row in
                unsafe (next + slack).withUnsafeBytes { next in
                    unsafe result.withUnsafeMutableBytes { result in
                        unsafe other.withUnsafeMutableBytes { other in
                            unsafe PNGFilter.undoPaeth(
                                row.baseAddress!, next.baseAddress!, above: above.baseAddress!,
                                results: (result.baseAddress!, other.baseAddress!), count: count,
                                step: step)
                        }
                    }
                }
            }
        }
        let lower = Array(other[..<count])
        check(Array(result[..<count]) == undone, "the upper of two rows", width, step)
        for index in 0..<count {
            let wanted = prediction(filter, index, of: lower, above: undone, step: step)
            check(lower[index] == next[index] &+ wanted, "the lower of two rows", width, step)
        }
        digest.add(lower)
    }
    digest.report("filters", width, step)
}

// MARK: - Whole pictures

private func picture(_ size: PixelSize, _ kind: Int, _ random: inout SeededRandom) -> PixelBuffer {
    var result = PixelBuffer(size: size)
    let bytes = random.bytes(size.byteCount, extreme: kind == 1)
    result.withEachByte { pixels in
        for index in 0..<bytes.count {
            let isAlpha = index % 4 == 3
            pixels[index] = kind == 2 && isAlpha ? 255 : bytes[index]
        }
    }
    if kind != 2 { result.premultiply() }
    result.isOpaque = kind == 2
    return result
}

extension PixelBuffer {
    fileprivate mutating func withEachByte(_ body: (inout MutableSpan<UInt8>) -> Void) {
        var pixels = mutablePixels
        body(&pixels)
    }

    fileprivate var bytes: [UInt8] { (0..<size.byteCount).map { pixels[$0] } }
}

/// Resamples up and down with every kernel, draws, and halves planes.
private func pictures(_ width: Int) {
    var random = SeededRandom(seed: UInt64(width))
    var digest = Digest()
    for kind in 0..<3 {
        let height = 71 - width
        let source = picture(PixelSize(width: width, height: height), kind, &random)
        for (across, down) in [(1, 1), (3, 5), (width * 2 / 3 + 1, height), (40, 33), (90, 7)] {
            let size = PixelSize(width: across, height: down)
            let wanted = Resampler(kernel: .plain).scale(source, to: size).bytes
            for kernel in [KernelChoice.best, .usual, .common] {
                let fast = Resampler(kernel: kernel).scale(source, to: size)
                check(fast.bytes == wanted, "resampling", width, across)
            }
            digest.add(wanted)
        }
        var back = picture(PixelSize(width: 50, height: 20), kind, &random)
        back.draw(source, x: 3, y: -2)
        digest.add(back.bytes)

        let planes = ColorPlanes(unwritten: source.size, hasAlpha: kind != 2)
        let length = ColorPlanes.byteCount(source.size, hasAlpha: kind != 2)
        let bytes = random.bytes(length, extreme: kind == 1)
        for index in 0..<length { unsafe planes.luma[index] = bytes[index] }
        digest.add(planes.halved().bytes)
    }
    digest.report("pictures", width)
}
