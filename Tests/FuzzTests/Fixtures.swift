import Support

/// The committed inputs: an archive for each target.
enum Fixtures {
    private static let archives = Repository.path("Tests/Fixtures/Fuzz")

    /// The targets that have an archive.
    static func targets() -> [String] {
        FolderTree.names(in: archives).map { String($0.prefix { $0 != "." }) }
    }

    /// In the order of their names.
    static func files(of target: String) throws -> [(name: String, bytes: [UInt8])] {
        let folder = try ScratchFolder()
        let archive = "\(archives)/\(target).tar.gz"
        let unpacked = try Tool.run("/usr/bin/tar", ["-xzf", archive, "-C", folder.path])
        guard unpacked.status == 0 else { throw ScratchError(doing: "unpack", path: archive) }
        return try folder.names(in: ".").map { ($0, try folder.read($0)) }
    }
}
