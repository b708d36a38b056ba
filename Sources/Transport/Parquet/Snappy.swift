/// Decompresses the raw Snappy format, as in the pages of Parquet files.
enum Snappy {
    /// Returns the decompressed bytes; nil if the data is damaged or has another size than `count`.
    static func decompress(_ input: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
        guard let head = input.varint(bits: 32), head.value == UInt64(count) else { return nil }
        var position = input.startIndex + head.byteCount
        var output: [UInt8] = []
        output.reserveCapacity(count)
        while position < input.endIndex {
            let tag = input[position]
            position += 1
            guard tag & 3 != 0 else {
                guard let length = literalLength(tag, input, &position),
                    length <= input.endIndex - position, length <= count - output.count
                else { return nil }
                output.append(contentsOf: input[position..<position + length])
                position += length
                continue
            }
            // The bytes of the distance after the tag: 1, 2 or 4.
            let width = [0, 1, 2, 4][Int(tag & 3)]
            guard width <= input.endIndex - position else { return nil }
            var distance = littleEndian(input[position..<position + width])
            var length = Int(tag >> 2) + 1
            if width == 1 {
                distance |= Int(tag >> 5) << 8
                length = Int(tag >> 2 & 7) + 4
            }
            position += width
            guard distance > 0, distance <= output.count, length <= count - output.count else {
                return nil
            }
            // The copy may overlap its own output and then repeats it.
            let start = output.count - distance
            for index in start..<start + length { output.append(output[index]) }
        }
        return output.count == count ? output : nil
    }

    /// Returns the length of a literal: up to 60 in the tag, otherwise in 1 to 4 bytes after it.
    private static func literalLength(
        _ tag: UInt8, _ input: ArraySlice<UInt8>, _ position: inout Int
    ) -> Int? {
        let length = Int(tag >> 2)
        guard length >= 60 else { return length + 1 }
        let width = length - 59
        guard width <= input.endIndex - position else { return nil }
        defer { position += width }
        return littleEndian(input[position..<position + width]) + 1
    }

    private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
