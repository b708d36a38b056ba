import Glibc

/// A private folder of one test, removed when the object is released.
package final class ScratchFolder: Sendable {
    package let path: String

    package init() throws {
        var template = Array("/tmp/emblem-test-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }.map {
                unsafe String(cString: $0)
            }
        }
        guard let made else { throw ScratchError(doing: "make a folder in", path: "/tmp") }
        path = made
    }

    deinit { FolderTree.remove(path) }

    package func path(_ name: String) -> String { "\(path)/\(name)" }

    @discardableResult
    package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        if let slash = name.lastIndex(of: "/") { makeFolder(String(name[..<slash])) }
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
        let descriptor = unsafe open(path(name), flags, 0o644)
        guard descriptor >= 0 else { throw ScratchError(doing: "make", path: path(name)) }
        defer { close(descriptor) }
        let bytes = Array(bytes)
        var done = 0
        while done < bytes.count {
            let taken = unsafe bytes[done...].withUnsafeBytes { part in
                unsafe Glibc.write(descriptor, part.baseAddress, part.count)
            }
            guard taken > 0 else { throw ScratchError(doing: "write", path: path(name)) }
            done += taken
        }
        return path(name)
    }

    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try write(text.utf8, to: name)
    }

    /// Copies a program into the folder, ready to be started.
    ///
    /// A separate process does the copying. Otherwise a child started by another test at this
    /// moment could inherit the writable descriptor, and then the program could not be started.
    @discardableResult
    package func install(_ program: String, as name: String) throws -> String {
        let copied = try Tool.run("/usr/bin/install", ["-m", "755", program, path(name)])
        guard copied.status == 0 else {
            throw ScratchError(doing: "copy a program to", path: path(name))
        }
        return path(name)
    }

    package func makeFolder(_ name: String) {
        var path = self.path
        for part in name.split(separator: "/") {
            path += "/\(part)"
            _ = unsafe mkdir(path, 0o755)
        }
    }

    package func link(_ name: String, to target: String) {
        _ = unsafe symlink(target, path(name))
    }

    package func makeFIFO(_ name: String) {
        _ = unsafe mkfifo(path(name), 0o644)
    }

    package func remove(_ name: String) { FolderTree.remove(path(name)) }

    package func read(_ name: String) throws -> [UInt8] {
        let descriptor = unsafe open(path(name), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ScratchError(doing: "open", path: path(name)) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let taken = unsafe block.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            }
            guard taken >= 0 else { throw ScratchError(doing: "read", path: path(name)) }
            guard taken > 0 else { return bytes }
            bytes.append(contentsOf: block[..<taken])
        }
    }

    package func text(_ name: String) throws -> String {
        String(decoding: try read(name), as: UTF8.self)
    }

    package func textIfAny(_ name: String) -> String? {
        do {
            return try text(name)
        } catch {
            return nil
        }
    }

    package func exists(_ name: String) -> Bool { unsafe access(path(name), F_OK) == 0 }

    package func names(in name: String) -> [String] {
        FolderTree.names(in: path(name)).sorted()
    }

    /// Returns the relative paths of all files below `name` in byte order, without hidden ones by
    /// default.
    package func tree(_ name: String = "", hidden: Bool = false) -> [String] {
        FolderTree.files(below: path(name))
            .filter { hidden || !$0.split(separator: "/").contains { $0.hasPrefix(".") } }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
