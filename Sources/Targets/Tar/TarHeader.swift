/// Headers of archive members as POSIX.1-2001 has them: no owner, no time, so that equal members are
/// equal bytes.
package enum TarHeader {
    private static let block = 512
    private static let nameBytes = 100

    /// What ends an archive.
    package static let end = [UInt8](repeating: 0, count: 2 * block)

    /// The bytes of a member's contents with what fills their last block.
    package static func padded(_ size: Int) -> Int { (size + block - 1) / block * block }

    /// What stands before the contents of a member. A name that is long, or not of ASCII, stands in a
    /// record of its own.
    package static func bytes(named name: String, size: Int) -> [UInt8] {
        let isPlain = name.utf8.count <= nameBytes && name.utf8.allSatisfy { $0 < 0x80 }
        guard !isPlain else { return header(Array(name.utf8), size, type: UInt8(ascii: "0")) }
        let record = self.record("path", name)
        let short = Array(name.utf8.map { $0 < 0x80 ? $0 : UInt8(ascii: "_") }.suffix(nameBytes))
        let filling = [UInt8](repeating: 0, count: padded(record.count) - record.count)
        return header(Array("PaxHeader".utf8), record.count, type: UInt8(ascii: "x")) + record
            + filling + header(short, size, type: UInt8(ascii: "0"))
    }

    /// `LENGTH KEY=VALUE\n`, where the length counts itself.
    private static func record(_ key: String, _ value: String) -> [UInt8] {
        let rest = Array(" \(key)=\(value)\n".utf8)
        var length = rest.count
        while "\(length)".utf8.count + rest.count != length {
            length = "\(length)".utf8.count + rest.count
        }
        return Array("\(length)".utf8) + rest
    }

    private static func header(_ name: [UInt8], _ size: Int, type: UInt8) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: block)
        func put(_ text: [UInt8], at offset: Int) {
            for (index, byte) in text.enumerated() { bytes[offset + index] = byte }
        }
        put(name, at: 0)
        put(octal(0o644, digits: 7), at: 100)
        put(octal(0, digits: 7), at: 108)
        put(octal(0, digits: 7), at: 116)
        put(octal(size, digits: 11), at: 124)
        put(octal(0, digits: 11), at: 136)
        bytes[156] = type
        put(Array("ustar".utf8), at: 257)
        put(Array("00".utf8), at: 263)
        // The sum is taken as if blanks stood in its own place.
        for index in 148..<156 { bytes[index] = 0x20 }
        let sum = bytes.reduce(0) { $0 + Int($1) }
        put(octal(sum, digits: 6) + [0, 0x20], at: 148)
        return bytes
    }

    private static func octal(_ value: Int, digits: Int) -> [UInt8] {
        let text = Array(String(value, radix: 8).utf8)
        return [UInt8](repeating: UInt8(ascii: "0"), count: max(0, digits - text.count)) + text
    }
}
