/// The encodings of values, by their numbers in the format.
enum PageEncoding {
    static let plain = 0
    static let plainDictionary = 2
    /// The hybrid of runs and packed bits.
    static let runs = 3
    static let dictionary = 8

    static let names = [
        4: "BIT_PACKED", 5: "DELTA_BINARY_PACKED", 6: "DELTA_LENGTH_BYTE_ARRAY",
        7: "DELTA_BYTE_ARRAY", 9: "BYTE_STREAM_SPLIT",
    ]
}

/// The values of a page that were not read yet.
enum PageValues {
    /// Values one after the other, with the index of the next.
    case plain([UInt8], Int)
    /// Truth values with one bit each, with the number of the next bit.
    case bits([UInt8], Int)
    case runs(RunReader)
    /// Indices of values in the dictionary.
    case indices(RunReader)

    init(
        _ bytes: [UInt8], _ start: Int, _ encoding: Int, _ column: ParquetMetadata.Column
    ) throws(ParquetFault) {
        switch encoding {
        case PageEncoding.plain where column.type == .boolean: self = .bits(bytes, start * 8)
        case PageEncoding.plain: self = .plain(bytes, start)
        case PageEncoding.runs where column.type == .boolean:
            let count = try bytes.littleEndian(4, at: start)
            guard count <= bytes.count - start - 4 else { throw .damagedPage }
            self = .runs(RunReader(bytes, start + 4..<start + 4 + count, width: 1))
        case PageEncoding.dictionary, PageEncoding.plainDictionary:
            // A page without values may lack the width.
            let width = start < bytes.count ? Int(bytes[start]) : 0
            guard width <= 32 else { throw .damagedPage }
            let first = min(start + 1, bytes.count)
            self = .indices(RunReader(bytes, first..<bytes.count, width: width))
        default:
            let name = PageEncoding.names[encoding] ?? "number \(encoding)"
            throw ParquetFault(
                "the column \(column.name.prefix(40)) has the encoding \(name), which is not supported; write "
                    + "the file with format version 1.0")
        }
    }

    mutating func next(
        _ column: ParquetMetadata.Column, _ dictionary: ParquetDictionary?
    ) throws(ParquetFault) -> ParquetValue {
        switch self {
        case .plain(let bytes, var position):
            let value = try ParquetValue(bytes, at: &position, column)
            self = .plain(bytes, position)
            return value
        case .bits(let bytes, let bit):
            guard bit / 8 < bytes.count else { throw .damagedPage }
            self = .bits(bytes, bit + 1)
            return .flag(bytes[bit / 8] >> UInt8(bit % 8) & 1 == 1)
        case .runs(var reader):
            let value = try reader.next()
            self = .runs(reader)
            return .flag(value == 1)
        case .indices(var reader):
            let index = try reader.next()
            self = .indices(reader)
            guard let dictionary else { throw .damagedPage }
            return try dictionary.value(at: index, column)
        }
    }
}

/// The different values of a column in a row group.
struct ParquetDictionary {
    private let bytes: [UInt8]
    /// The position of each value in `bytes`.
    private var positions: [UInt32] = []

    init(
        _ bytes: [UInt8], count: Int, _ column: ParquetMetadata.Column
    ) throws(ParquetFault) {
        // Each value has at least four bytes.
        guard column.type != .boolean, count <= bytes.count / 4 else { throw .damagedPage }
        self.bytes = bytes
        positions.reserveCapacity(count)
        var position = 0
        for _ in 0..<count {
            positions.append(UInt32(position))
            _ = try ParquetValue(bytes, at: &position, column)
        }
    }

    func value(
        at index: Int, _ column: ParquetMetadata.Column
    ) throws(ParquetFault) -> ParquetValue {
        guard index < positions.count else { throw .damagedPage }
        var position = Int(positions[index])
        return try ParquetValue(bytes, at: &position, column)
    }
}

extension ParquetValue {
    /// Reads a value of the plain encoding and moves `position` behind it.
    fileprivate init(
        _ bytes: [UInt8], at position: inout Int, _ column: ParquetMetadata.Column
    ) throws(ParquetFault) {
        switch column.type {
        case .bytes:
            let count = try bytes.littleEndian(4, at: position)
            guard count <= bytes.count - position - 4 else { throw .damagedPage }
            self = .text(bytes[position + 4..<position + 4 + count])
            position += 4 + count
        case .int32:
            let value = UInt32(try bytes.littleEndian(4, at: position))
            self =
                column.isUnsigned
                ? .unsigned(UInt64(value)) : .integer(Int64(Int32(bitPattern: value)))
            position += 4
        case .int64:
            let value = try bytes.littleEndian64(at: position)
            self = column.isUnsigned ? .unsigned(value) : .integer(Int64(bitPattern: value))
            position += 8
        case .float:
            self = .number(
                Double(Float(bitPattern: UInt32(try bytes.littleEndian(4, at: position)))))
            position += 4
        case .double:
            self = .number(Double(bitPattern: try bytes.littleEndian64(at: position)))
            position += 8
        case .boolean: throw .damagedPage
        }
    }
}

/// Reads numbers of a fixed width in the hybrid of runs of one value and packed bits.
struct RunReader {
    private let bytes: [UInt8]
    private let width: Int
    private var position: Int
    private let end: Int
    /// The numbers left in the present run.
    private var left = 0
    /// The number of a run of equal numbers; nil in packed bits.
    private var repeated: Int?
    /// The next bit of packed bits, counted from the start of `bytes`.
    private var bit = 0

    init(_ bytes: [UInt8], _ range: Range<Int>, width: Int) {
        self.bytes = bytes
        self.width = width
        position = range.lowerBound
        end = range.upperBound
    }

    mutating func next() throws(ParquetFault) -> Int {
        while left == 0 { try startRun() }
        left -= 1
        if let repeated { return repeated }
        guard bit + width <= end * 8 else { throw .damagedPage }
        var value = 0
        for offset in 0..<width {
            let index = bit + offset
            value |= Int(bytes[index / 8] >> UInt8(index % 8) & 1) << offset
        }
        bit += width
        return value
    }

    private mutating func startRun() throws(ParquetFault) {
        guard let (value, byteCount) = bytes[position..<end].varint(bits: 32) else {
            throw .damagedPage
        }
        let head = Int(value)
        position += byteCount
        if head & 1 == 1 {
            repeated = nil
            left = (head >> 1) * 8
            bit = position * 8
            position = min(end, position + (head >> 1) * width)
        } else {
            let count = (width + 7) / 8
            guard count <= end - position else { throw .damagedPage }
            repeated = try bytes.littleEndian(count, at: position)
            left = head >> 1
            position += count
        }
    }
}

extension [UInt8] {
    /// Returns the number in `count` bytes at `position`, up to four.
    fileprivate func number(_ count: Int, at position: Int) -> Int? {
        guard position >= 0, count <= self.count - position else { return nil }
        var value = 0
        for index in 0..<count { value |= Int(self[position + index]) << (8 * index) }
        return value
    }

    func littleEndian(_ count: Int, at position: Int) throws(ParquetFault) -> Int {
        guard let value = number(count, at: position) else { throw .damagedPage }
        return value
    }

    fileprivate func littleEndian64(at position: Int) throws(ParquetFault) -> UInt64 {
        let (low, high) = (try littleEndian(4, at: position), try littleEndian(4, at: position + 4))
        return UInt64(low) | UInt64(high) << 32
    }
}

extension ParquetFault {
    static let damagedPage = ParquetFault("it is damaged: a page does not have the stated form")
    static let damagedCompression = ParquetFault("it is damaged: a page cannot be decompressed")
}
