import Support
import Testing

/// A file of `Tests/Fixtures/pictures.tar.gz`. Its name states the kind of picture or fault.
struct PictureFile: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]

    var testDescription: String { name }
    var folder: Substring { name.prefix { $0 != "/" } }

    /// All files in the order of their names.
    static let all: [PictureFile] = {
        do {
            let folder = try ScratchFolder()
            let archive = Repository.path("Tests/Fixtures/pictures.tar.gz")
            let run = try Tool.run("/usr/bin/tar", ["-xzf", archive, "-C", folder.path])
            guard run.status == 0 else { throw ScratchError(doing: "unpack", path: archive) }
            return try folder.tree().map { PictureFile(name: $0, bytes: try folder.read($0)) }
        } catch {
            Issue.record(error)
            return []
        }
    }()

    static func files(in folder: String) -> [PictureFile] { all.filter { $0.folder == folder } }

    static func bytes(_ name: String) throws -> [UInt8] {
        try #require(all.first { $0.name == name }, "\(name)").bytes
    }
}
