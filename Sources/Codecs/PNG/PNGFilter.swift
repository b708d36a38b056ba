import CKernels

/// The five ways in which a row of a PNG may be written as differences to its neighbours (PNG
/// specification, clause 9).
///
/// Each kernel reads and writes whole vectors, so source, row above and result must be followed by
/// `slack` bytes that may be read and overwritten.
enum PNGFilter: UInt8, CaseIterable, Sendable {
    case none, sub, up, average, paeth

    /// The bytes a kernel may touch past the end of a row.
    static let slack = 32

    /// Undoes the filter of one row of `count` bytes. `result` may not overlap the others.
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

    // The three filters that look to the left go pixel by pixel. Eight bytes are loaded, worked on
    // and stored whatever the pixel's size; the surplus is overwritten by the next pixel.

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
        #if arch(x86_64)
            if hasAVX2 {
                return unsafe emb_undo_paeth_avx2(source, above, result, count, step)
            }
        #endif
        unsafe emb_undo_paeth(source, above, result, count, step)
    }

    /// Undoes Paeth in two rows, one below the other, of pixels of at most four bytes, in less time
    /// than in one after the other.
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
        #if arch(x86_64)
            if hasAVX2 {
                return unsafe emb_undo_paeth_two_avx2(
                    upper, lower, above, first, second, count, step)
            }
        #endif
        unsafe emb_undo_paeth_two(upper, lower, above, first, second, count, step)
    }
}
