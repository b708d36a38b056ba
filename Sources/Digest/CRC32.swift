/// The checksum of PNG and gzip (IEEE 802.3), over bytes that come in pieces.
package struct CRC32: Sendable {
    private var register: UInt32 = .max

    /// The state before the first byte.
    package init() {}

    /// The checksum of everything so far.
    package var value: UInt32 { ~register }

    /// The checksum of bytes that are all there.
    package static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
        var crc = CRC32()
        crc.update(bytes)
        return crc.value
    }

    /// Takes in the next bytes; pieces of any size give the same sum.
    package mutating func update(_ bytes: Span<UInt8>) {
        register = unsafe bytes.withUnsafeBytes { bytes in
            unsafe Self.tables.withUnsafeBufferPointer { tables in
                guard let base = bytes.baseAddress, let tables = tables.baseAddress
                else { return register }
                return unsafe Self.advance(register, base, bytes.count, tables)
            }
        }
    }

    /// Eight bytes a step, each through its own table.
    private static func advance(
        _ register: UInt32, _ bytes: UnsafeRawPointer, _ count: Int, _ tables: UnsafePointer<UInt32>
    ) -> UInt32 {
        var crc = register
        var index = 0
        while index + 8 <= count {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let low = UInt32(truncatingIfNeeded: word.littleEndian) ^ crc
            let high = UInt32(truncatingIfNeeded: word.littleEndian >> 32)
            unsafe crc =
                tables[1792 + Int(low & 0xFF)] ^ tables[1536 + Int(low >> 8 & 0xFF)]
                ^ tables[1280 + Int(low >> 16 & 0xFF)] ^ tables[1024 + Int(low >> 24)]
                ^ tables[768 + Int(high & 0xFF)] ^ tables[512 + Int(high >> 8 & 0xFF)]
                ^ tables[256 + Int(high >> 16 & 0xFF)] ^ tables[Int(high >> 24)]
            index += 8
        }
        while index < count {
            let byte = unsafe bytes.load(fromByteOffset: index, as: UInt8.self)
            unsafe crc = tables[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ (crc >> 8)
            index += 1
        }
        return crc
    }

    /// Table k answers for a byte with k more bytes after it in the same step.
    private static let tables: [UInt32] = {
        var tables: [UInt32] = []
        tables.reserveCapacity(2048)
        for byte in UInt32(0)..<256 {
            var crc = byte
            for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320 }
            tables.append(crc)
        }
        for index in 256..<2048 {
            let shorter = tables[index - 256]
            tables.append(tables[Int(shorter & 0xFF)] ^ (shorter >> 8))
        }
        return tables
    }()
}
