import Foundation
import Support

/// The source tree as the rules of the package see it.
enum SourceTree {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func folders(in path: String) throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(
            at: root.appending(path: path), includingPropertiesForKeys: [.isDirectoryKey])
        return Set(names.filter { $0.hasDirectoryPath }.map { $0.lastPathComponent })
    }

    static func files(in path: String, endings: Set<String>) throws -> [SourceFile] {
        let base = root.appending(path: path)
        // If the folder was renamed, every rule would pass without checking a file.
        _ = try base.checkResourceIsReachable()
        guard let walk = FileManager.default.enumerator(atPath: base.path) else { return [] }
        return try walk.compactMap { $0 as? String }
            .filter { endings.contains(URL(filePath: $0).pathExtension) }
            .filter { !$0.contains("generated/") }
            .sorted()
            .map { name in
                let text = try String(contentsOf: base.appending(path: name), encoding: .utf8)
                return SourceFile(path: "\(path)/\(name)", text: text)
            }
    }

    /// Returns the Swift files of a module, without the programs of its documentation.
    static func swiftFiles(in path: String) throws -> [SourceFile] {
        try files(in: path, endings: ["swift"]).filter { !$0.path.contains(".docc/") }
    }

    /// Runs a tool from the root of the tree and returns what it printed.
    static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = root
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        return (process.end(), String(decoding: data, as: UTF8.self))
    }
}

/// A file of the tree: its path and its text.
struct SourceFile {
    let path: String
    let text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    var imports: [String] {
        text.matches(
            of: /(?m)^(?:package |public |@_exported )*import (?:enum |struct |func )?(\w+)/
        )
        .map { String($0.1) }
    }
}
