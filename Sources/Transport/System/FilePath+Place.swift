import Glibc

extension FilePath {
    /// The path from the root on. `..` stays, since what it leads to depends on links before it.
    package var absolute: FilePath {
        guard !isAbsolute, let folder = unsafe getcwd(nil, 0) else { return self }
        defer { unsafe free(folder) }
        return FilePath(unsafe String(cString: folder)).appending(self)
    }

    /// How to get here from `folder`: empty if it is the same, nil if it is not below it by its name,
    /// or what is left is no plain path.
    package func path(below folder: FilePath) -> String? {
        let (mine, others) = (components, folder.components)
        guard mine.starts(with: others) else { return nil }
        let rest = mine.dropFirst(others.count)
        if rest.isEmpty { return "" }
        let bytes = Array(rest.joined(separator: [UInt8(ascii: "/")]))
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { return nil }
        return RelativePath(text)?.text
    }

    /// The names on the way; a dot is none.
    private var components: [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
    }
}
