import Glibc
import Support

/// The committed inputs: a folder for each target.
enum Fixtures {
    private static let root = {
        let file = "\(#filePath)"
        return String(file[..<(file.firstRange(of: "/Tests/")?.lowerBound ?? file.endIndex)])
            + "/Tests/Fixtures/Fuzz"
    }()

    static func folders() -> [String] {
        FolderTree.names(in: root)
    }

    /// In the order of their names.
    static func files(of target: String) throws -> [(name: String, bytes: [UInt8])] {
        try FolderTree.names(in: "\(root)/\(target)").sorted().map { name in
            (name, try read("\(root)/\(target)/\(name)"))
        }
    }

    private static func read(_ path: String) throws -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ScratchError(doing: "open", path: path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe block.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            }
            guard count >= 0 else { throw ScratchError(doing: "read", path: path) }
            if count == 0 { return bytes }
            bytes += block[..<count]
        }
    }
}
