/// Writes values one after the other, for `WireReader`.
package struct WireWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func put(_ value: UInt8) { bytes.append(value) }

    package mutating func put(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    package mutating func put(_ value: Int) { put(UInt64(bitPattern: Int64(value))) }

    package mutating func put(_ value: Double) { put(value.bitPattern) }

    package mutating func put(_ value: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    package mutating func put(_ block: [UInt8]) {
        put(block.count)
        bytes += block
    }

    /// Writes a text, cut to `limit`.
    package mutating func put(_ text: String, limit: Int = WireReader.textLimit) {
        guard text.utf8.count > limit else {
            put(Array(text.utf8))
            return
        }
        var kept = text.prefix(limit)
        while kept.utf8.count > limit { kept.removeLast() }
        put(Array(kept.utf8))
    }

    /// Writes the index of a value among all cases.
    mutating func put<Choice: CaseIterable & Equatable>(choice: Choice) {
        let index = Choice.allCases.enumerated().first { $0.element == choice }?.offset ?? 0
        put(UInt8(truncatingIfNeeded: index))
    }

    mutating func put<Value>(_ value: Value?, _ body: (inout WireWriter, Value) -> Void) {
        put(value != nil)
        if let value { body(&self, value) }
    }

    mutating func put<Value>(list: [Value], _ body: (inout WireWriter, Value) -> Void) {
        put(list.count)
        for value in list { body(&self, value) }
    }
}
