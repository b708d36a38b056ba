import Glibc

extension FilePath {
    /// The path without `.` and doubled slashes, below the working folder where it lies there:
    /// one text for `logos`, `./logos` and the absolute path.
    package var normalised: FilePath {
        if Self.areNames(bytes[...]) { return self }
        if isAbsolute, Self.areNames(bytes.dropFirst()) { return belowWorkingFolder ?? self }
        let whole = absolute
        if !Self.workingFolder.components.isEmpty, let rest = whole.below(Self.workingFolder) {
            return rest
        }
        let root = whole.isAbsolute ? [UInt8(ascii: "/")] : []
        return FilePath(bytes: root + Self.joined(whole.components[...]))
    }

    /// The path from the root on. `..` stays, since what it leads to depends on links before it.
    package var absolute: FilePath { Self.workingFolder.appending(self) }

    /// What is left of the path below `folder`; nil where it does not lie there by its name.
    package func below(_ folder: FilePath) -> FilePath? {
        let (parts, outer) = (absolute.components, folder.absolute.components)
        guard parts.count > outer.count, parts.starts(with: outer) else { return nil }
        return FilePath(bytes: Self.joined(parts.dropFirst(outer.count)))
    }

    /// How to get here from `folder`: empty if it is the same, nil if it is not below it by its name,
    /// or what is left is no plain path.
    package func path(below folder: FilePath) -> String? {
        guard let rest = below(folder) else {
            return absolute.components == folder.absolute.components ? "" : nil
        }
        let text = rest.description
        guard text.utf8.elementsEqual(rest.bytes) else { return nil }
        return RelativePath(text)?.text
    }

    /// What is left of an absolute path of names alone.
    private var belowWorkingFolder: FilePath? {
        let here = Self.workingFolder.bytes
        guard here.count > 1, bytes.count > here.count, bytes[here.count] == UInt8(ascii: "/"),
            bytes.starts(with: here)
        else { return nil }
        return FilePath(bytes: Array(bytes[(here.count + 1)...]))
    }

    /// Names and single slashes between them, which most paths are; none that begins with a dot.
    private static func areNames(_ bytes: ArraySlice<UInt8>) -> Bool {
        var previous = UInt8(ascii: "/")
        for byte in bytes {
            let isDoubtful = byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".")
            if previous == UInt8(ascii: "/"), isDoubtful { return false }
            previous = byte
        }
        return previous != UInt8(ascii: "/")
    }

    /// The names on the way; a dot is none.
    var components: [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
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
