/// A violation of the protocol; its sender is no longer trusted.
package struct WireDamage: Error, Equatable {
    package init() {}
}

/// Reads untrusted values. Every value is checked, and no number leads to an allocation larger than
/// the bytes justify.
package struct WireReader {
    package static let textLimit = 1024

    private let bytes: [UInt8]
    private var offset = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var bytesCount: Int { bytes.count }

    package var isAtEnd: Bool { offset == bytes.count }

    package mutating func byte() throws(WireDamage) -> UInt8 {
        guard offset < bytes.count else { throw WireDamage() }
        defer { offset += 1 }
        return bytes[offset]
    }

    package mutating func flag() throws(WireDamage) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw WireDamage()
        }
    }

    package mutating func word() throws(WireDamage) -> UInt64 {
        guard bytes.count - offset >= 8 else { throw WireDamage() }
        var value: UInt64 = 0
        for index in 0..<8 { value |= UInt64(bytes[offset + index]) << UInt64(index * 8) }
        offset += 8
        return value
    }

    package mutating func number(in range: ClosedRange<Int> = .min ... .max) throws(WireDamage)
        -> Int
    {
        let value = Int(truncatingIfNeeded: Int64(bitPattern: try word()))
        guard range.contains(value) else { throw WireDamage() }
        return value
    }

    /// Reads a finite number.
    package mutating func real() throws(WireDamage) -> Double {
        let value = Double(bitPattern: try word())
        guard value.isFinite else { throw WireDamage() }
        return value
    }

    /// Reads a length and that many bytes.
    package mutating func block(limit: Int) throws(WireDamage) -> [UInt8] {
        let count = try number(in: 0...min(limit, bytes.count))
        guard count <= bytes.count - offset else { throw WireDamage() }
        defer { offset += count }
        return Array(bytes[offset..<(offset + count)])
    }

    package mutating func text(limit: Int = Self.textLimit) throws(WireDamage) -> String {
        let block = try block(limit: limit)
        guard let text = String(validating: block, as: UTF8.self) else { throw WireDamage() }
        return text
    }

    /// Reads the index of a value among all cases.
    mutating func choice<Choice: CaseIterable>(
        _: Choice.Type = Choice.self
    ) throws(WireDamage) -> Choice {
        let wanted = Int(try byte())
        for (index, value) in Choice.allCases.enumerated() where index == wanted { return value }
        throw WireDamage()
    }

    mutating func optional<Value>(
        _ body: (inout WireReader) throws(WireDamage) -> Value
    ) throws(WireDamage) -> Value? {
        try flag() ? try body(&self) : nil
    }

    mutating func list<Value>(
        limit: Int, _ body: (inout WireReader) throws(WireDamage) -> Value
    ) throws(WireDamage) -> [Value] {
        // Each value takes at least one byte.
        let count = try number(in: 0...min(limit, bytes.count))
        var values: [Value] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try body(&self)) }
        return values
    }

    /// Throws if any bytes are left.
    package func finish() throws(WireDamage) {
        guard isAtEnd else { throw WireDamage() }
    }
}
