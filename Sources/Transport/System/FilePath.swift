/// A path as Linux sees it: bytes, which need not be UTF-8.
package struct FilePath: Hashable, Sendable, CustomStringConvertible {
    /// The characters that stand in a text for the bytes from 0x80 on that are not UTF-8.
    private static let marks: ClosedRange<UInt32> = 0x10_FF80...0x10_FFFF
    /// The first byte of each of them.
    private static let markStart: UInt8 = 0xF4

    package let bytes: [UInt8]

    /// Creates the path that a `text` stands for, as the property `text` describes.
    package init(_ text: String) {
        guard text.utf8.contains(Self.markStart) else {
            bytes = Array(text.utf8)
            return
        }
        bytes = text.unicodeScalars.flatMap { scalar in
            Self.marks.contains(scalar.value)
                ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
        }
    }

    /// The path as a text from which the same path can be created: each byte that is not UTF-8 becomes a
    /// character from U+10FF80 to U+10FFFF.
    package var text: String {
        let whole = String(validating: bytes, as: UTF8.self)
        if let whole, !bytes.contains(Self.markStart) { return whole }
        var text = ""
        var rest = bytes[...]
        while let first = rest.first {
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            let character = String(validating: rest.prefix(length), as: UTF8.self)
            if let character, !Self.isMarked(character) {
                text += character
                rest = rest.dropFirst(length)
            } else {
                Unicode.Scalar(Self.marks.lowerBound - 0x80 + UInt32(first)).map {
                    text.unicodeScalars.append($0)
                }
                rest = rest.dropFirst()
            }
        }
        return text
    }

    /// Returns whether a text has characters for bytes that are not UTF-8.
    package static func isMarked(_ text: String) -> Bool {
        text.utf8.contains(markStart) && text.unicodeScalars.contains { marks.contains($0.value) }
    }

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// For people: what is not UTF-8 shows as U+FFFD.
    package var description: String {
        String(decoding: bytes, as: UTF8.self)
    }

    package var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }

    /// The path of something inside this folder; an absolute path stands for itself.
    package func appending(_ path: FilePath) -> FilePath {
        if path.isAbsolute || bytes.isEmpty { return path }
        if path.bytes.isEmpty { return self }
        var joined = bytes
        if joined.last != UInt8(ascii: "/") { joined.append(UInt8(ascii: "/")) }
        joined.append(contentsOf: path.bytes)
        return FilePath(bytes: joined)
    }

    /// The folder in which the path lies, `.` where none is named.
    package var folder: FilePath {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return FilePath(".") }
        return slash == 0 ? FilePath("/") : FilePath(bytes: Array(bytes[..<slash]))
    }

    /// The bytes after the last slash.
    package var lastComponent: ArraySlice<UInt8> {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return bytes[...] }
        return bytes[(slash + 1)...]
    }

    /// Without slashes at the end, so that something can be joined to it.
    package var withoutTrailingSlashes: FilePath {
        var end = bytes.count
        while end > 1, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
        return end == bytes.count ? self : FilePath(bytes: Array(bytes[..<end]))
    }
}
