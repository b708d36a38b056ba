import CLibDeflate

/// The checksum of PNG and gzip (IEEE 802.3), over bytes that come in pieces.
package struct CRC32: Sendable {
    /// The checksum of everything so far.
    package private(set) var value: UInt32 = 0

    /// The state before the first byte.
    package init() {}

    /// The checksum of bytes that are all there.
    package static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
        var crc = CRC32()
        crc.update(bytes)
        return crc.value
    }

    /// Takes in the next bytes; pieces of any size give the same sum.
    package mutating func update(_ bytes: Span<UInt8>) {
        value = unsafe bytes.withUnsafeBytes { bytes in
            // Of no bytes at all it would be that of the beginning.
            guard let start = bytes.baseAddress else { return value }
            return unsafe libdeflate_crc32(value, start, bytes.count)
        }
    }
}
