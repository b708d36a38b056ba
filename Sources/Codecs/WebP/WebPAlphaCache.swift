import System

/// The alpha planes last written, as libwebp packed them: the emblems of a run mostly have the
/// same rounded corners, and packing a plane takes as long as coding a small picture's colours.
enum WebPAlphaCache {
    /// A plane. Its hash takes eight samples in 520, which tells most planes apart and costs nothing;
    /// no usual width is a part of that, so that they do not all stand at one edge.
    private struct Key: Hashable {
        let width: Int
        let plane: [UInt8]

        func hash(into hasher: inout Hasher) {
            hasher.combine(width)
            hasher.combine(plane.count)
            unsafe plane.withUnsafeBytes { bytes in
                for offset in stride(from: 0, through: bytes.count - 8, by: 520) {
                    unsafe hasher.combine(
                        bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                }
            }
        }
    }

    /// Four layouts at three scales and some more; together with the next one two megabytes.
    private static let entries = BoundedCache<Key, [UInt8]>(countLimit: 16)
    /// Larger planes are seldom met twice.
    private static let planeBytesLimit = 128 << 10

    /// What an `ALPH` chunk holds for this plane: known from before, or what `pack` makes of it.
    static func packed<Failure>(
        _ plane: [UInt8], width: Int, pack: () throws(Failure) -> [UInt8]
    ) throws(Failure) -> [UInt8] {
        guard plane.count <= planeBytesLimit else { return try pack() }
        return try entries.value(for: Key(width: width, plane: plane), make: pack)
    }
}
