import Glibc

extension FilePath {
    /// Links in a row that are followed, as many as the system follows.
    static let linksLimit = 40

    /// Where a file of this path stands or would come to stand: from the root on and without a link on
    /// the way, a last one that leads nowhere included. Folders that are missing keep their names.
    package var place: FilePath { absolute.place(linksLeft: Self.linksLimit) }

    private func place(linksLeft: Int) -> FilePath {
        if let resolved { return resolved }
        let path = withoutTrailingSlashes
        guard path != path.folder else { return path }
        if linksLeft > 0, let target = path.linkText {
            return path.folder.appending(target).place(linksLeft: linksLeft - 1)
        }
        return path.folder.place(linksLeft: linksLeft)
            .appending(FilePath(bytes: Array(path.lastComponent)))
    }

    /// What a link says; nil for anything else.
    var linkText: FilePath? {
        guard !bytes.contains(0) else { return nil }
        let path = bytes.map { CChar(bitPattern: $0) } + [0]
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &text, text.count)
        guard count > 0 else { return nil }
        return FilePath(bytes: text[..<count].map { UInt8(bitPattern: $0) })
    }
}
