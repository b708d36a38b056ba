import Render

// These functions also exist in `Render`, for recipes. Swift specialises generic code only within a
// module, and values that travel with every image must not need a type lookup at run time.

extension WireWriter {
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

extension WireReader {
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
        let count = try number(in: 0...min(limit, bytesCount))
        var values: [Value] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try body(&self)) }
        return values
    }
}
