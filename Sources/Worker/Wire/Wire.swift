/// A violation of the protocol; its sender is no longer trusted.
package struct WireDamage: Error, Equatable {
    package init() {}
}

/// Writes values one after the other, or reads them back.
///
/// Each type that travels has one function, which names its fields once for both directions. What
/// is read is untrusted: every value is checked, and no number leads to an allocation larger than
/// the bytes justify.
package struct Wire {
    /// The longest text, in bytes; a longer one is cut when it is written.
    package static let textLimit = 1024

    private var bytes: [UInt8] = []
    /// The position of the next value to read; nil while values are written.
    private var offset: Int?

    private init(reading bytes: [UInt8]) { (self.bytes, offset) = (bytes, 0) }
    private init() {}

    /// Returns the bytes of a value.
    package static func bytes<Value>(
        of value: Value, _ body: (inout Wire, inout Value) throws -> Void
    ) -> [UInt8] {
        var wire = Wire()
        var value = value
        do { try body(&wire, &value) } catch { preconditionFailure("Only reading can fail.") }
        return wire.bytes
    }

    /// Reads a value, and throws if any bytes are left.
    ///
    /// - Parameter start: The value whose fields are replaced by those that are read.
    package static func read<Value>(
        _ bytes: [UInt8], into start: Value, _ body: (inout Wire, inout Value) throws -> Void
    ) throws -> Value {
        var wire = Wire(reading: bytes)
        var value = start
        try body(&wire, &value)
        guard wire.offset == bytes.count else { throw WireDamage() }
        return value
    }

    var isReading: Bool { offset != nil }

    /// Returns the range of the next `count` bytes to read.
    private mutating func take(_ count: Int) throws -> Range<Int> {
        guard let start = offset, count <= bytes.count - start else { throw WireDamage() }
        offset = start + count
        return start..<start + count
    }

    package mutating func code(_ byte: inout UInt8) throws {
        guard isReading else { return bytes.append(byte) }
        byte = bytes[try take(1).lowerBound]
    }

    package mutating func code(_ flag: inout Bool) throws {
        var byte: UInt8 = flag ? 1 : 0
        try code(&byte)
        guard byte <= 1 else { throw WireDamage() }
        flag = byte == 1
    }

    package mutating func code(_ word: inout UInt64) throws {
        guard isReading else {
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
            return
        }
        word = try take(8).reversed().reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
    }

    package mutating func code(
        _ number: inout Int, in range: ClosedRange<Int> = .min ... .max
    ) throws {
        var word = UInt64(bitPattern: Int64(number))
        try code(&word)
        number = Int(truncatingIfNeeded: word)
        guard !isReading || range.contains(number) else { throw WireDamage() }
    }

    /// A finite number.
    package mutating func code(_ number: inout Double) throws {
        var word = number.bitPattern
        try code(&word)
        number = Double(bitPattern: word)
        guard !isReading || number.isFinite else { throw WireDamage() }
    }

    /// A length and that many bytes.
    package mutating func code(
        _ block: inout [UInt8], limit: Int = .max
    ) throws {
        var count = block.count
        try code(&count, in: 0...limit)
        guard isReading else {
            bytes += block
            return
        }
        block = Array(bytes[try take(count)])
    }

    package mutating func code(
        _ text: inout String, limit: Int = Self.textLimit
    ) throws {
        var block = Array(text.utf8)
        if !isReading, block.count > limit {
            var kept = text.prefix(limit)
            while kept.utf8.count > limit { kept.removeLast() }
            block = Array(kept.utf8)
        }
        try code(&block, limit: limit)
        guard isReading else { return }
        guard let read = String(validating: block, as: UTF8.self) else { throw WireDamage() }
        text = read
    }

    /// The index of a value among all cases.
    mutating func choice<Choice: CaseIterable & Equatable>(
        _ value: inout Choice
    ) throws {
        var index: UInt8 = 0
        if !isReading {
            let place = Choice.allCases.enumerated().first { $0.element == value }?.offset ?? 0
            index = UInt8(truncatingIfNeeded: place)
        }
        try code(&index)
        guard isReading else { return }
        for (place, choice) in Choice.allCases.enumerated() where place == Int(index) {
            value = choice
            return
        }
        throw WireDamage()
    }

    /// - Parameter start: The value whose fields are replaced by those that are read.
    mutating func optional<Value>(
        _ value: inout Value?, _ start: @autoclosure () -> Value,
        _ body: (inout Wire, inout Value) throws -> Void
    ) throws {
        var isThere = value != nil
        try code(&isThere)
        guard isThere else {
            value = nil
            return
        }
        var inner = value ?? start()
        try body(&self, &inner)
        value = inner
    }

    /// - Parameter start: The value whose fields are replaced by those that are read.
    mutating func list<Value>(
        _ values: inout [Value], _ start: @autoclosure () -> Value, limit: Int = .max,
        _ body: (inout Wire, inout Value) throws -> Void
    ) throws {
        var count = values.count
        // Each value takes at least one byte.
        try code(&count, in: 0...min(limit, bytes.count))
        guard isReading else {
            for var value in values { try body(&self, &value) }
            return
        }
        values = []
        values.reserveCapacity(count)
        for _ in 0..<count {
            var value = start()
            try body(&self, &value)
            values.append(value)
        }
    }
}
