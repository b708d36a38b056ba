import Foundation

/// A folder of its own for one test, removed when the test lets go of it.
package final class ScratchFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "emblem-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        do {
            try FileManager.default.removeItem(at: url)
        } catch {
            print("A scratch folder stays behind: \(error)")
        }
    }

    package var path: String { url.path }

    package func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file, making the folders that lead to it.
    @discardableResult
    package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }

    /// Writes a text file.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try write(text.utf8, to: name)
    }

    package func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: url.appending(path: name)))
    }

    package func text(_ name: String) throws -> String {
        String(decoding: try read(name), as: UTF8.self)
    }

    package func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: path(name))
    }

    /// Every file below `name`, relative to it, in byte order; dot names left out unless asked for.
    package func tree(_ name: String = "", hidden: Bool = false) -> [String] {
        let base = name.isEmpty ? url : url.appending(path: name)
        let walk = FileManager.default.enumerator(atPath: base.path)
        return (walk?.compactMap { $0 as? String } ?? [])
            .filter { hidden || !$0.split(separator: "/").contains { $0.hasPrefix(".") } }
            .filter { !base.appending(path: $0).isFolder }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

extension URL {
    fileprivate var isFolder: Bool {
        do {
            return try resourceValues(forKeys: [.isDirectoryKey]).isDirectory ?? false
        } catch {
            return false
        }
    }
}
