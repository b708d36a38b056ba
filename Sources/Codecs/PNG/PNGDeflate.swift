import CDeflate
import CLibDeflate

/// A compressor for the rows of a PNG.
///
/// In a finished emblem, nine of ten bytes are part of matches longer than 16 bytes. A general
/// compressor records each of their positions; `CDeflate` records only the ends, and works on whole
/// pixels. Compared with libdeflate at level 6, filtered rows of logos become 2 % smaller and those
/// of photographs 0.5 % larger, in half the time. Unfiltered rows become 1 % larger in a third of
/// the time. Animations use libdeflate, which makes them an eighth smaller, because they are made
/// once and loaded often.
enum PNGDeflate {
    enum Effort: Sendable {
        /// For rows left as they are, whose matches are plain to see.
        case quick
        case thorough

        fileprivate var value: emb_deflate_effort {
            switch self {
            case .quick: EMB_DEFLATE_QUICK
            case .thorough: EMB_DEFLATE_THOROUGH
            }
        }
    }

    /// Of zlib's format: a method and its window, and that the effort was the usual.
    private static let header: [UInt8] = [0x78, 0x9C]
    private static let checksumBytes = 4
    private static let noMemory = EncodeError.failed(.png, "no memory for compression")
    /// libdeflate's.
    private static let patientLevel: Int32 = 9

    /// A zlib stream of the rows.
    static func pack(
        _ rows: borrowing PNGFilteredRows, effort: Effort
    ) throws(EncodeError) -> [UInt8] {
        let capacity = header.count + emb_deflate_bound(rows.count) + checksumBytes
        let source = unsafe UnsafeRawPointer(rows.base)
        let shape = emb_deflate_rows(length: rows.line, step: rows.step)
        let sourceCount = rows.count
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            let size = unsafe emb_deflate(
                source, sourceCount, shape, effort.value, start + header.count)
            guard size > 0 else { return }
            for (index, byte) in header.enumerated() { unsafe buffer[index] = byte }
            let checksum = unsafe libdeflate_adler32(1, source, sourceCount).bigEndian
            unsafe UnsafeMutableRawPointer(start + header.count + size)
                .storeBytes(of: checksum, as: UInt32.self)
            count = header.count + size + checksumBytes
        }
        guard !bytes.isEmpty else { throw noMemory }
        return bytes
    }

    /// The same for what is made once and loaded often: libdeflate's animations are an
    /// eighth smaller.
    static func packPatiently(
        _ rows: borrowing PNGFilteredRows
    ) throws(EncodeError) -> [UInt8] {
        guard let packer = unsafe libdeflate_alloc_compressor(patientLevel) else {
            throw noMemory
        }
        defer { unsafe libdeflate_free_compressor(packer) }
        let (source, sourceCount) = unsafe (UnsafeRawPointer(rows.base), rows.count)
        let capacity = unsafe libdeflate_zlib_compress_bound(packer, sourceCount)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = unsafe libdeflate_zlib_compress(
                packer, source, sourceCount, buffer.baseAddress, capacity)
        }
        guard !bytes.isEmpty else { throw noMemory }
        return bytes
    }
}
