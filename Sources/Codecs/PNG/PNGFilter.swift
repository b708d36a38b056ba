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
        var left = SIMD8<Int16>(repeating: 0)
        var corner = left
        var offset = 0
        while offset < count {
            let up = unsafe SIMD8<Int16>(
                truncatingIfNeeded: above.loadUnaligned(
                    fromByteOffset: offset, as: SIMD8<UInt8>.self))
            let own = unsafe source.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt8>.self)
            let guess = paeth(left: left, up: up, corner: corner)
            let bytes = SIMD8<UInt8>(truncatingIfNeeded: guess) &+ own
            unsafe result.storeBytes(of: bytes, toByteOffset: offset, as: SIMD8<UInt8>.self)
            left = SIMD8<Int16>(truncatingIfNeeded: bytes)
            corner = up
            offset &+= step
        }
    }

    /// Undoes Paeth in two rows, one below the other, of pixels of at most four bytes: the lower one
    /// follows two pixels behind, as its neighbours above are there by then. One row alone would
    /// wait for each pixel as long as two do.
    @unsafe
    static func undoPaeth(
        _ upper: UnsafeRawPointer, _ lower: UnsafeRawPointer, above: UnsafeRawPointer,
        results: (upper: UnsafeMutableRawPointer, lower: UnsafeMutableRawPointer), count: Int,
        step: Int
    ) {
        // The upper row's pixel in the lower half.
        var left = SIMD8<Int16>(repeating: 0)
        var corner = left
        // What the upper row came to a pixel before `left`.
        var older = SIMD4<Int16>(repeating: 0)
        let lag = 2 &* step
        var offset = 0
        while offset < count &+ lag {
            let behind = offset &- lag
            let up = SIMD8(lowHalf: unsafe wide(above, offset), highHalf: older)
            let own = SIMD8(
                lowHalf: unsafe wide(upper, offset),
                highHalf: behind >= 0 ? unsafe wide(lower, behind) : .zero)
            older = left.lowHalf
            left = (own &+ paeth(left: left, up: up, corner: corner)) & 0xFF
            corner = up
            let bytes = unsafe unsafeBitCast(
                SIMD8<UInt8>(truncatingIfNeeded: left), to: SIMD2<UInt32>.self)
            unsafe results.upper.storeBytes(of: bytes[0], toByteOffset: offset, as: UInt32.self)
            if behind >= 0 {
                unsafe results.lower.storeBytes(
                    of: bytes[1], toByteOffset: behind, as: UInt32.self)
            }
            offset &+= step
        }
    }

    @inline(__always)
    private static func wide(_ row: UnsafeRawPointer, _ offset: Int) -> SIMD4<Int16> {
        SIMD4(
            truncatingIfNeeded: unsafe row.loadUnaligned(
                fromByteOffset: offset, as: SIMD4<UInt8>.self))
    }

    /// The neighbour nearest to left + up - corner, of equal ones the first named (PNG, 9.4).
    ///
    /// The guess is as far from `left` as `up` is from the corner, and as far from `up` as `left`
    /// is from the corner. So `left` is taken unless it stands between `up` and the place as far
    /// beyond the corner again; there `up` is nearer on its side of the middle between corner and
    /// that place, and the corner on the other. All that is compared with `left` comes from the row
    /// above, and is there before `left` is.
    @inline(__always)
    static func paeth(
        left: SIMD8<Int16>, up: SIMD8<Int16>, corner: SIMD8<Int16>
    ) -> SIMD8<Int16> {
        let way = up &- corner
        let beyond = corner &- way &- way
        let middle = corner &- ((way &+ (way &>> 15)) &>> 1)
        let (low, high) = (pointwiseMin(up, corner), pointwiseMax(up, corner))
        let isBetween =
            (left .> pointwiseMin(up, beyond)) .& (left .< pointwiseMax(up, beyond))
        let nearer = high.replacing(with: low, where: left .< middle)
        return left.replacing(with: nearer, where: isBetween)
    }
}
