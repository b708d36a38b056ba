import Glibc

package enum FolderTree {
    /// Returns the names in a folder, in no order; empty if there is no folder.
    package static func names(in path: String) -> [String] {
        rawNames(in: Array(path.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the paths of everything but folders, relative to `path`.
    package static func files(below path: String) -> [String] {
        names(in: path).flatMap { name -> [String] in
            let whole = "\(path)/\(name)"
            guard isFolder(Array(whole.utf8)) else { return [name] }
            return files(below: whole).map { "\(name)/\($0)" }
        }
    }

    /// Removes a folder with its contents, including names that are not UTF-8, without following
    /// links.
    static func remove(_ path: String) { remove(Array(path.utf8)) }

    private static func remove(_ path: [UInt8]) {
        guard isFolder(path) else {
            _ = unsafe path.withCString { unsafe unlink($0) }
            return
        }
        _ = unsafe path.withCString { unsafe chmod($0, 0o755) }
        for name in rawNames(in: path) { remove(path + [0x2F] + name) }
        _ = unsafe path.withCString { unsafe rmdir($0) }
    }

    private static func isFolder(_ path: [UInt8]) -> Bool {
        var status = stat()
        let found = unsafe path.withCString { unsafe lstat($0, &status) }
        return found == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func rawNames(in path: [UInt8]) -> [[UInt8]] {
        guard let stream = unsafe path.withCString({ unsafe opendir($0) }) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [[UInt8]] = []
        while let entry = unsafe readdir(stream) {
            let start = MemoryLayout<dirent>.offset(of: \.d_name) ?? 19
            let text = unsafe (UnsafeRawPointer(entry) + start).assumingMemoryBound(to: CChar.self)
            let length = unsafe strlen(text)
            let name = (0..<length).map { unsafe UInt8(bitPattern: text[$0]) }
            if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
        }
        return names
    }
}

extension [UInt8] {
    fileprivate func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        let text = map { CChar(bitPattern: $0) } + [0]
        return unsafe text.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else {
                preconditionFailure("An array with an element has an address.")
            }
            return unsafe body(base)
        }
    }
}
