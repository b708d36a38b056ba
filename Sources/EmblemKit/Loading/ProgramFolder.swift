import FoundationEssentials

/// The folder of the program and the resource bundles in it, which replace the main bundle of Apple
/// platforms.
enum ProgramFolder {
    /// The folders in the order of search. They are listed once.
    static let folders: [URL] = {
        let program = WorkerProgram.ownPath
        guard !program.isEmpty else { return [] }
        let folder = URL(filePath: program).deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return [folder]
            + names.filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }.sorted()
            .map { folder.appendingPathComponent($0) }
    }()

    /// Whether a name is a file name and not a path, so that it stays in its folder.
    static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && !name.contains { "/\0".contains($0) }
    }

    /// Returns the first file with one of the names in one of the folders.
    static func file(named names: [String], in folders: [URL] = folders) -> URL? {
        for folder in folders {
            for name in names where isPlain(name) {
                let file = folder.appendingPathComponent(name)
                if FileManager.default.fileExists(atPath: file.path) { return file }
            }
        }
        return nil
    }
}
