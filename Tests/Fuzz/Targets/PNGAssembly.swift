import Digest

/// Makes PNG files with correct checksums, so that fuzzing reaches the code after the checks.
enum PNGAssembly {
    static func repaired(_ file: [UInt8]) -> [UInt8] {
        var file = file
        var offset = 8
        while offset + 12 <= file.count {
            let length = file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            let end = offset + 8 + length
            guard end + 4 <= file.count else { break }
            let checksum = CRC32.checksum(file.span.extracting(offset + 4..<end))
            file.replaceSubrange(end..<end + 4, with: big(checksum))
            offset = end + 4
        }
        return file
    }

    /// Returns a file around uncompressed rows. The bytes are: one each for width, height, depth,
    /// colour type, interlacing and the number of colours; then colours; then rows.
    static func file(around bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > 6 else { return nil }
        let colors = min(Int(bytes[5]) * 3, bytes.count - 6)
        let header =
            big(UInt32(bytes[0])) + big(UInt32(bytes[1])) + [bytes[2], bytes[3], 0, 0, bytes[4]]
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += chunk("IHDR", header)
        if colors > 0 { file += chunk("PLTE", Array(bytes[6..<6 + colors])) }
        file += chunk("IDAT", stored(bytes[(6 + colors)...]))
        return file + chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let part = Array(name.utf8) + body
        return big(UInt32(body.count)) + part + big(CRC32.checksum(part.span))
    }

    /// Returns a zlib stream of one stored block; the rest of longer rows is dropped.
    private static func stored(_ rows: ArraySlice<UInt8>) -> [UInt8] {
        let rows = rows.prefix(65_535)
        let length = UInt16(rows.count)
        var stream: [UInt8] = [0x78, 0x01, 1]
        for number in [length, ~length] {
            stream += [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
        }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in rows {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return stream + rows + big(high << 16 | low)
    }

    private static func big(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
