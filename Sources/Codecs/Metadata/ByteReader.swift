/// Reads numbers from untrusted bytes. Every read past the end returns `nil`.
package struct ByteReader: ~Escapable, Copyable {
    package let bytes: Span<UInt8>

    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
    }

    package var count: Int { bytes.count }

    package func u8(_ offset: Int) -> Int? {
        guard offset >= 0, offset < bytes.count else { return nil }
        return Int(bytes[offset])
    }

    package func u16(_ offset: Int, little: Bool) -> Int? {
        guard offset >= 0, offset <= bytes.count - 2 else { return nil }
        let first = Int(bytes[offset])
        let second = Int(bytes[offset + 1])
        return little ? first | second << 8 : first << 8 | second
    }

    package func u32(_ offset: Int, little: Bool) -> Int? {
        guard offset <= .max - 2, let first = u16(offset, little: little),
            let second = u16(offset + 2, little: little)
        else { return nil }
        return little ? first | second << 16 : first << 16 | second
    }

    package func big16(_ offset: Int) -> Int? { u16(offset, little: false) }
    package func big32(_ offset: Int) -> Int? { u32(offset, little: false) }
    package func little16(_ offset: Int) -> Int? { u16(offset, little: true) }
    package func little24(_ offset: Int) -> Int? {
        guard offset <= .max - 2, let low = little16(offset), let high = u8(offset + 2) else {
            return nil
        }
        return low | high << 16
    }

    package func little32(_ offset: Int) -> Int? { u32(offset, little: true) }

    /// Returns whether the bytes at an offset are these characters.
    package func holds(_ text: StaticString, at offset: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard offset >= 0, length <= bytes.count, offset <= bytes.count - length else {
            return false
        }
        for index in 0..<length
        where unsafe text.utf8Start[index] != bytes[offset + index] {
            return false
        }
        return true
    }
}

extension Span where Element == UInt8 {
    package func copied() -> [UInt8] {
        unsafe withUnsafeBufferPointer { unsafe [UInt8]($0) }
    }
}

/// Returns a four-character code as the number it forms in a file.
func fourCC(_ text: StaticString) -> Int {
    var number = 0
    for index in 0..<min(4, text.utf8CodeUnitCount) {
        number = unsafe number << 8 | Int(text.utf8Start[index])
    }
    return number
}
