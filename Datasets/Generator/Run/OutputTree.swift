import Glibc

struct DatasetError: Error, CustomStringConvertible {
    let description: String
}

struct OutputTree: Sendable {
    let root: String

    /// Writes one file and creates its folders.
    func write(_ bytes: [UInt8], hole: Int = 0, to path: String) throws(DatasetError) {
        let full = "\(root)/\(path)"
        var built = ""
        for part in full.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
            built += built.isEmpty && !full.hasPrefix("/") ? part : "/\(part)"
            if !part.isEmpty, part != "." { _ = unsafe mkdir(built, 0o777) }
        }
        let file = unsafe open(full, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        if file < 0 { throw failure("open", full) }
        defer { close(file) }
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.write(file, $0.baseAddress.map { unsafe $0 + done }, $0.count - done)
            }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { throw failure("write", full) }
            done += count
        }
        if hole > 0, ftruncate(file, bytes.count + hole) != 0 { throw failure("extend", full) }
    }

    func read(_ path: String) -> [UInt8]? {
        Self.read(file: "\(root)/\(path)")
    }

    static func read(file path: String) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if file < 0 { return nil }
        defer { close(file) }
        var result: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe room.withUnsafeMutableBytes {
                unsafe Glibc.read(file, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            if count < 0 { return nil }
            if count == 0 { return result }
            result += room[..<count]
        }
    }

    private func failure(_ action: String, _ path: String) -> DatasetError {
        let reason = unsafe String(cString: strerror(errno))
        return DatasetError(description: "Cannot \(action) \(path): \(reason).")
    }
}
