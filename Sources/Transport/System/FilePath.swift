/// A path as Linux sees it: bytes, which need not be UTF-8.
package struct FilePath: Hashable, Sendable, CustomStringConvertible {
    package let bytes: [UInt8]

    package init(_ text: String) {
        bytes = Array(text.utf8)
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
