import CKernels
import Raster

/// The five filters that store a row as differences to its neighbours (PNG specification, clause
/// 9).
///
/// Each kernel reads and writes whole vectors. Source, row above and result must therefore be
/// followed by `slack` bytes that may be read and overwritten.
enum PNGFilter: UInt8, CaseIterable, Sendable {
    case none, sub, up, average, paeth

    /// The bytes a kernel may touch past the end of a row.
    static let slack = 32

    /// Undoes the filter of one row of `count` bytes. `result` must not overlap the other rows.
    @unsafe
    func undo(
        _ source: UnsafeRawPointer, above: UnsafeRawPointer, result: UnsafeMutableRawPointer,
        count: Int, step: Int
    ) {
        switch self {
        case .none: unsafe result.copyMemory(from: source, byteCount: count)
        case .sub: unsafe Self.undoSub(source, result, count, step)
        case .up: unsafe Self.undoUp(source, above, result, count)
        case .average: unsafe Self.undoAverage(source, above, result, count, step)
        case .paeth: unsafe Self.undoPaeth(source, above, result, count, step)
        }
    }

    // The three filters that use the pixel to the left work pixel by pixel. They load, process and
    // store eight bytes at any pixel size; the next pixel overwrites the surplus.

    private static func undoSub(
        _ source: UnsafeRawPointer, _ result: UnsafeMutableRawPointer, _ count: Int, _ step: Int
    ) {
        if step == 4 {
            return unsafe emb_undo_sub_4(
                source.assumingMemoryBound(to: UInt8.self),
                result.assumingMemoryBound(to: UInt8.self), count)
        }
        var left = SIMD8<UInt8>(repeating: 0)
        var offset = 0
        while offset < count {
            left = unsafe left &+ source.loadUnaligned(fromByteOffset: offset, as: SIMD8.self)
            unsafe result.storeBytes(of: left, toByteOffset: offset, as: SIMD8<UInt8>.self)
            offset &+= step
        }
    }

    private static func undoUp(
        _ source: UnsafeRawPointer, _ above: UnsafeRawPointer, _ result: UnsafeMutableRawPointer,
        _ count: Int
    ) {
        var offset = 0
        while offset < count {
            let up = unsafe above.loadUnaligned(fromByteOffset: offset, as: SIMD32<UInt8>.self)
            let own = unsafe source.loadUnaligned(fromByteOffset: offset, as: SIMD32<UInt8>.self)
            unsafe result.storeBytes(of: own &+ up, toByteOffset: offset, as: SIMD32<UInt8>.self)
            offset &+= 32
        }
    }

    private static func undoAverage(
        _ source: UnsafeRawPointer, _ above: UnsafeRawPointer, _ result: UnsafeMutableRawPointer,
        _ count: Int, _ step: Int
    ) {
        var left = SIMD8<UInt8>(repeating: 0)
        var offset = 0
        while offset < count {
            let up = unsafe above.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt8>.self)
            let own = unsafe source.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt8>.self)
            left = own &+ (left & up) &+ ((left ^ up) &>> 1)
            unsafe result.storeBytes(of: left, toByteOffset: offset, as: SIMD8<UInt8>.self)
            offset &+= step
        }
    }

    private static func undoPaeth(
        _ source: UnsafeRawPointer, _ above: UnsafeRawPointer, _ result: UnsafeMutableRawPointer,
        _ count: Int, _ step: Int
    ) {
        let source = unsafe source.assumingMemoryBound(to: UInt8.self)
        let above = unsafe above.assumingMemoryBound(to: UInt8.self)
        let result = unsafe result.assumingMemoryBound(to: UInt8.self)
        unsafe emb_undo_paeth(source, above, result, count, step)
    }

    /// Undoes Paeth in two consecutive rows of at most four-byte pixels, which is faster than one
    /// by one.
    @unsafe
    static func undoPaeth(
        _ upper: UnsafeRawPointer, _ lower: UnsafeRawPointer, above: UnsafeRawPointer,
        results: (upper: UnsafeMutableRawPointer, lower: UnsafeMutableRawPointer), count: Int,
        step: Int
    ) {
        let upper = unsafe upper.assumingMemoryBound(to: UInt8.self)
        let lower = unsafe lower.assumingMemoryBound(to: UInt8.self)
        let above = unsafe above.assumingMemoryBound(to: UInt8.self)
        let first = unsafe results.upper.assumingMemoryBound(to: UInt8.self)
        let second = unsafe results.lower.assumingMemoryBound(to: UInt8.self)
        unsafe emb_undo_paeth_two(upper, lower, above, first, second, count, step)
    }
}

extension PNGFilter {
    /// Returns the filter with the fewest different pairs of adjacent bytes; among equal filters,
    /// the first.
    @unsafe
    static func withFewestPairs(
        _ row: UnsafeRawPointer, above: UnsafeRawPointer, scratch: UnsafeMutableRawPointer,
        count: Int, step: Int
    ) -> PNGFilter {
        // `seen` has one bit for each of the 65,536 pairs of bytes.
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 1024) { seen in
            var best = (filter: PNGFilter.none, pairs: UInt64.max)
            for filter in allCases {
                unsafe filter.apply(
                    row, above: above, result: scratch, count: count, step: step)
                unsafe seen.initialize(repeating: 0)
                var pairs: UInt64 = 0
                var pair = Int(filter.rawValue)
                for offset in 0..<count {
                    let byte = unsafe scratch.load(fromByteOffset: offset, as: UInt8.self)
                    pair = (pair &<< 8 | Int(byte)) & 0xFFFF
                    let word = unsafe seen[pair &>> 6]
                    let bit = UInt64(truncatingIfNeeded: pair & 63)
                    pairs &+= ~(word &>> bit) & 1
                    unsafe seen[pair &>> 6] = word | 1 &<< bit
                }
                if pairs < best.pairs { best = (filter, pairs) }
            }
            return best.filter
        }
    }

    /// Returns the filter with the smallest sum of differences; among equal filters, the first.
    @unsafe
    static func smallest(
        _ row: UnsafeRawPointer, above: UnsafeRawPointer, count: Int, step: Int
    ) -> PNGFilter {
        var sums = SIMD8<UInt64>(repeating: .max)
        unsafe withUnsafeMutableBytes(of: &sums) { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe emb_filter_sums(
                row.assumingMemoryBound(to: UInt8.self), above.assumingMemoryBound(to: UInt8.self),
                count, step, base.assumingMemoryBound(to: UInt64.self))
        }
        var best = PNGFilter.none
        for filter in allCases where sums[Int(filter.rawValue)] < sums[Int(best.rawValue)] {
            best = filter
        }
        return best
    }

    /// Writes one row of `count` bytes as differences. Eight zero bytes precede `row` and `above`,
    /// and `slack` bytes follow all three; `result` must not overlap the others.
    @unsafe
    func apply(
        _ row: UnsafeRawPointer, above: UnsafeRawPointer, result: UnsafeMutableRawPointer,
        count: Int, step: Int
    ) {
        switch self {
        case .none: unsafe result.copyMemory(from: row, byteCount: count)
        case .sub: unsafe Self.applySub(row, result, count, step)
        case .up: unsafe Self.applyUp(row, above, result, count)
        case .average: unsafe Self.applyAverage(row, above, result, count, step)
        case .paeth: unsafe Self.applyPaeth(row, above, result, count, step)
        }
    }

    private static func applySub(
        _ row: UnsafeRawPointer, _ result: UnsafeMutableRawPointer, _ count: Int, _ step: Int
    ) {
        var offset = 0
        while offset < count {
            let own = unsafe row.loadUnaligned(fromByteOffset: offset, as: SIMD32<UInt8>.self)
            let left = unsafe row.loadUnaligned(
                fromByteOffset: offset &- step, as: SIMD32<UInt8>.self)
            unsafe result.storeBytes(
                of: own &- left, toByteOffset: offset, as: SIMD32<UInt8>.self)
            offset &+= 32
        }
    }

    private static func applyUp(
        _ row: UnsafeRawPointer, _ above: UnsafeRawPointer, _ result: UnsafeMutableRawPointer,
        _ count: Int
    ) {
        var offset = 0
        while offset < count {
            let own = unsafe row.loadUnaligned(fromByteOffset: offset, as: SIMD32<UInt8>.self)
            let up = unsafe above.loadUnaligned(fromByteOffset: offset, as: SIMD32<UInt8>.self)
            unsafe result.storeBytes(of: own &- up, toByteOffset: offset, as: SIMD32<UInt8>.self)
            offset &+= 32
        }
    }

    private static func applyAverage(
        _ row: UnsafeRawPointer, _ above: UnsafeRawPointer, _ result: UnsafeMutableRawPointer,
        _ count: Int, _ step: Int
    ) {
        var offset = 0
        while offset < count {
            let own = unsafe row.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
            let up = unsafe above.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
            let left = unsafe row.loadUnaligned(
                fromByteOffset: offset &- step, as: SIMD16<UInt8>.self)
            let mean = (left & up) &+ ((left ^ up) &>> 1)
            unsafe result.storeBytes(
                of: own &- mean, toByteOffset: offset, as: SIMD16<UInt8>.self)
            offset &+= 16
        }
    }

    private static func applyPaeth(
        _ row: UnsafeRawPointer, _ above: UnsafeRawPointer, _ result: UnsafeMutableRawPointer,
        _ count: Int, _ step: Int
    ) {
        let row = unsafe row.assumingMemoryBound(to: UInt8.self)
        let above = unsafe above.assumingMemoryBound(to: UInt8.self)
        let result = unsafe result.assumingMemoryBound(to: UInt8.self)
        unsafe emb_apply_paeth(row, above, result, count, step)
    }
}
