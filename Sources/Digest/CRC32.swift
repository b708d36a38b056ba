import CLibDeflate

/// The checksum of PNG and gzip (IEEE 802.3), computed incrementally.
package struct CRC32: Sendable {
    package private(set) var value: UInt32 = 0

    package init() {}

    package static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
        var crc = CRC32()
        crc.update(bytes)
        return crc.value
    }

    /// Adds the next bytes; their division into pieces does not matter.
    package mutating func update(_ bytes: Span<UInt8>) {
        value = unsafe bytes.withUnsafeBytes { bytes in
            // With a null pointer the function returns the initial value.
            guard let start = bytes.baseAddress else { return value }
            return unsafe libdeflate_crc32(value, start, bytes.count)
        }
    }
}
