import System

/// The reason why a Parquet file cannot be read.
struct ParquetFault: Error {
    let reason: ListError.Reason

    init(_ text: String) { reason = .malformed(text) }
    init(_ reason: ListError.Reason) { self.reason = reason }

    static func scratch(_ error: Errno) -> ParquetFault { ParquetFault(.scratch(error)) }

    static let cutShort = ParquetFault("it is damaged: its metadata ends too early")
    static let damagedMetadata = ParquetFault(
        "it is damaged: its metadata does not have the stated form")
}

/// Reads the compact protocol of Thrift, the form of the metadata in Parquet files.
struct ThriftReader {
    /// The type of a value, by its number in the protocol.
    enum Kind: UInt8 {
        case isTrue = 1
        case isFalse, int8, int16, int32, int64, double, binary, list, set, map, structure
    }

    /// The most structures and lists inside one another; Parquet itself needs six.
    private static let depthLimit = 32

    private let bytes: [UInt8]
    /// The number of bytes that were read.
    private(set) var position = 0
    private var depth = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private mutating func byte() throws(ParquetFault) -> UInt8 {
        guard position < bytes.count else { throw .cutShort }
        position += 1
        return bytes[position - 1]
    }

    private mutating func unsignedInteger() throws(ParquetFault) -> UInt64 {
        let rest = bytes[position...]
        guard let (value, byteCount) = rest.varint(bits: 64) else {
            guard rest.count >= 10 else { throw .cutShort }
            throw ParquetFault("it is damaged: its metadata has a number of more than 64 bits")
        }
        position += byteCount
        return value
    }

    mutating func integer() throws(ParquetFault) -> Int {
        let value = try unsignedInteger()
        return Int(bitPattern: UInt(value >> 1)) ^ -Int(bitPattern: UInt(value & 1))
    }

    mutating func text() throws(ParquetFault) -> String {
        let count = try unsignedInteger()
        guard count <= bytes.count - position else { throw .cutShort }
        defer { position += Int(count) }
        return String(decoding: bytes[position..<position + Int(count)], as: UTF8.self)
    }

    /// Calls `read` for each field of a structure with its number and type. `read` must read or
    /// skip the value.
    mutating func structure(
        _ read: (inout ThriftReader, Int, Kind) throws(ParquetFault) -> Void
    ) throws(ParquetFault) {
        try enter()
        var number = 0
        while true {
            let head = try byte()
            if head == 0 { break }
            let step = Int(head >> 4)
            if step == 0 {
                number = try integer()
                guard (0...Int(Int16.max)).contains(number) else { throw .damagedMetadata }
            } else {
                number += step
            }
            try read(&self, number, try kind(head & 0xF))
        }
        depth -= 1
    }

    /// Calls `read` for each element of a list, with the type of the elements.
    mutating func list(
        _ read: (inout ThriftReader, Kind) throws(ParquetFault) -> Void
    ) throws(ParquetFault) {
        try enter()
        let head = try byte()
        let count = head >> 4 == 15 ? try unsignedInteger() : UInt64(head >> 4)
        // Each element has at least one byte.
        guard count <= bytes.count - position else { throw .cutShort }
        if count > 0 {
            let kind = try kind(head & 0xF)
            for _ in 0..<count { try read(&self, kind) }
        }
        depth -= 1
    }

    /// Skips a value.
    ///
    /// - Parameter isElement: Whether the value is an element of a list, where a truth value takes
    ///   one byte; in a structure, the type of the field is its value.
    mutating func skip(_ kind: Kind, isElement: Bool = false) throws(ParquetFault) {
        switch kind {
        case .isTrue, .isFalse: if isElement { _ = try byte() }
        case .int8: _ = try byte()
        case .int16, .int32, .int64: _ = try unsignedInteger()
        case .double: for _ in 0..<8 { _ = try byte() }
        case .binary: _ = try text()
        case .list, .set:
            try list { reader, kind throws(ParquetFault) in
                try reader.skip(kind, isElement: true)
            }
        case .map: try skipMap()
        case .structure:
            try structure { reader, _, kind throws(ParquetFault) in try reader.skip(kind) }
        }
    }

    private mutating func skipMap() throws(ParquetFault) {
        let count = try unsignedInteger()
        guard count <= bytes.count - position else { throw .cutShort }
        guard count > 0 else { return }
        try enter()
        let kinds = try byte()
        let (key, value) = (try kind(kinds >> 4), try kind(kinds & 0xF))
        for _ in 0..<count {
            try skip(key, isElement: true)
            try skip(value, isElement: true)
        }
        depth -= 1
    }

    private mutating func enter() throws(ParquetFault) {
        depth += 1
        guard depth <= Self.depthLimit else {
            throw ParquetFault("it is damaged: its metadata is nested too deeply")
        }
    }

    private func kind(_ number: UInt8) throws(ParquetFault) -> Kind {
        guard let kind = Kind(rawValue: number) else {
            throw ParquetFault("it is damaged: its metadata has a value of an unknown type")
        }
        return kind
    }
}

extension ArraySlice<UInt8> {
    /// Returns the number at the start of the bytes, in groups of seven bits with the lowest first,
    /// and the number of its bytes; nil if it is cut short or has more groups than `bits` need.
    func varint(bits: Int) -> (value: UInt64, byteCount: Int)? {
        var value: UInt64 = 0
        for (index, byte) in prefix((bits + 6) / 7).enumerated() {
            value |= UInt64(byte & 0x7F) << UInt64(7 * index)
            if byte < 0x80 { return (value, index + 1) }
        }
        return nil
    }
}
