import Glibc

extension FilePath {
    /// The path without `.` and doubled slashes, below the working folder where it lies there:
    /// one text for `logos`, `./logos` and the absolute path.
    package var normalised: FilePath {
        if isPlain { return self }
        let parts = wholeParts
        let here = Self.workingFolder.wholeParts
        if !here.isEmpty, parts.count > here.count, parts.starts(with: here) {
            return FilePath(bytes: Self.joined(parts.dropFirst(here.count)))
        }
        let isAbsolute = isAbsolute || Self.workingFolder.isAbsolute
        return FilePath(bytes: (isAbsolute ? [UInt8(ascii: "/")] : []) + Self.joined(parts[...]))
    }

    /// What is left of the path below `folder`; nil where it does not lie there.
    package func below(_ folder: FilePath) -> FilePath? {
        let parts = wholeParts
        let outer = folder.wholeParts
        guard parts.count > outer.count, parts.starts(with: outer) else { return nil }
        return FilePath(bytes: Self.joined(parts.dropFirst(outer.count)))
    }

    /// A relative path of names alone, which most are.
    private var isPlain: Bool {
        guard let first = bytes.first, first != UInt8(ascii: "/"), first != UInt8(ascii: ".") else {
            return false
        }
        var previous = first
        for byte in bytes.dropFirst() {
            let isDoubtful = byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".")
            if previous == UInt8(ascii: "/"), isDoubtful { return false }
            previous = byte
        }
        return previous != UInt8(ascii: "/")
    }

    /// The names on the way from the root.
    private var wholeParts: [ArraySlice<UInt8>] {
        let path = Self.workingFolder.appending(self)
        var parts: [ArraySlice<UInt8>] = []
        for part in path.bytes.split(separator: UInt8(ascii: "/")) {
            // What `..` leads to depends on links before it.
            if !part.elementsEqual(".".utf8) { parts.append(part) }
        }
        return parts
    }

    private static func joined(_ parts: ArraySlice<ArraySlice<UInt8>>) -> [UInt8] {
        Array(parts.joined(separator: [UInt8(ascii: "/")]))
    }

    /// Where the program was started; empty where that cannot be said.
    private static let workingFolder: FilePath = {
        guard let path = unsafe getcwd(nil, 0) else { return FilePath("") }
        defer { unsafe free(path) }
        return FilePath(unsafe String(cString: path))
    }()
}
