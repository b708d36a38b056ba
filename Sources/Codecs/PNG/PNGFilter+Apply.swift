import CKernels
import Raster

extension PNGFilter {
    /// The filter whose differences are smallest in sum, the first of equal ones.
    @unsafe
    static func smallest(
        _ row: UnsafeRawPointer, above: UnsafeRawPointer, scratch: UnsafeMutableRawPointer,
        count: Int, step: Int, kernel: KernelChoice
    ) -> PNGFilter {
        var sums = SIMD8<UInt64>(repeating: .max)
        #if arch(x86_64)
            if kernel == .best && hasAVX2 {
                unsafe withUnsafeMutableBytes(of: &sums) { bytes in
                    guard let base = bytes.baseAddress else { return }
                    unsafe emb_filter_sums_avx2(
                        row.assumingMemoryBound(to: UInt8.self),
                        above.assumingMemoryBound(to: UInt8.self), count, step,
                        base.assumingMemoryBound(to: UInt64.self))
                }
                return first(smallestOf: sums)
            }
        #endif
        for filter in allCases {
            unsafe filter.apply(
                row, above: above, result: scratch, count: count, step: step, kernel: kernel)
            sums[Int(filter.rawValue)] = UInt64(unsafe magnitude(scratch, count: count))
        }
        return first(smallestOf: sums)
    }

    #if arch(x86_64)
        /// Asked once.
        static let hasAVX2 = emb_has_avx2() != 0
    #endif

    private static func first(smallestOf sums: SIMD8<UInt64>) -> PNGFilter {
        var best = PNGFilter.none
        for filter in allCases where sums[Int(filter.rawValue)] < sums[Int(best.rawValue)] {
            best = filter
        }
        return best
    }

    /// Writes one row of `count` bytes as differences. `row` and `above` are preceded by eight
    /// bytes of zero and all three are followed by `slack` bytes; `result` overlaps none of them.
    @unsafe
    func apply(
        _ row: UnsafeRawPointer, above: UnsafeRawPointer, result: UnsafeMutableRawPointer,
        count: Int, step: Int, kernel: KernelChoice
    ) {
        switch self {
        case .none: unsafe result.copyMemory(from: row, byteCount: count)
        case .sub: unsafe Self.applySub(row, result, count, step)
        case .up: unsafe Self.applyUp(row, above, result, count)
        case .average: unsafe Self.applyAverage(row, above, result, count, step)
        case .paeth: unsafe Self.applyPaeth(row, above, result, count, step, kernel)
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
        _ count: Int, _ step: Int, _ kernel: KernelChoice
    ) {
        let row = unsafe row.assumingMemoryBound(to: UInt8.self)
        let above = unsafe above.assumingMemoryBound(to: UInt8.self)
        let result = unsafe result.assumingMemoryBound(to: UInt8.self)
        #if arch(x86_64)
            if kernel == .best && hasAVX2 {
                return unsafe emb_apply_paeth_avx2(row, above, result, count, step)
            }
        #endif
        unsafe emb_apply_paeth(row, above, result, count, step)
    }

    /// The sum of the bytes' distances from zero, as signed numbers: small where a row packs well.
    @unsafe
    static func magnitude(_ row: UnsafeRawPointer, count: Int) -> Int {
        var total = 0
        var offset = 0
        while offset &+ 16 <= count {
            // A lane of 16 bits takes 256 in each round.
            let end = min(count &- 16, offset &+ 16 &* 200)
            var lanes = SIMD8<UInt16>(repeating: 0)
            while offset <= end {
                let bytes = unsafe row.loadUnaligned(fromByteOffset: offset, as: SIMD16<Int8>.self)
                let sign = bytes &>> 7
                let distances = unsafe unsafeBitCast((bytes ^ sign) &- sign, to: SIMD8<UInt16>.self)
                lanes = lanes &+ (distances & 0xFF) &+ (distances &>> 8)
                offset &+= 16
            }
            total &+= Int(SIMD8<UInt32>(truncatingIfNeeded: lanes).wrappedSum())
        }
        while offset < count {
            total &+= Int(unsafe row.load(fromByteOffset: offset, as: Int8.self).magnitude)
            offset &+= 1
        }
        return total
    }
}
