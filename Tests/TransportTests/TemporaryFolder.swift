import Glibc
import Transport

/// A folder of a test's own that goes with it.
@safe
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        let base = "/tmp/emblem-test-XXXXXX"
        var template = Array(base.utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }.map {
                unsafe String(cString: $0)
            }
        }
        guard let made else { preconditionFailure("No temporary folder can be made.") }
        path = made
    }

    deinit {
        Self.remove(path)
    }

    var filePath: FilePath { FilePath(path) }

    func at(_ name: String) -> String { "\(path)/\(name)" }

    func file(_ name: String) -> FilePath { FilePath(at(name)) }

    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) -> FilePath {
        if let slash = name.lastIndex(of: "/") { makeFolder(String(name[..<slash])) }
        let descriptor = unsafe open(at(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        precondition(descriptor >= 0, "A test's file can be made.")
        var done = 0
        while done < bytes.count {
            let taken = unsafe bytes[done...].withUnsafeBytes { part in
                unsafe Glibc.write(descriptor, part.baseAddress, part.count)
            }
            precondition(taken > 0, "A test's file can be written.")
            done += taken
        }
        close(descriptor)
        return file(name)
    }

    @discardableResult
    func write(_ name: String, _ text: String) -> FilePath {
        write(name, Array(text.utf8))
    }

    func makeFolder(_ name: String) {
        var path = self.path
        for part in name.split(separator: "/") {
            path += "/\(part)"
            _ = unsafe mkdir(path, 0o755)
        }
    }

    func link(_ name: String, to target: String) {
        _ = unsafe symlink(target, at(name))
    }

    func makeFIFO(_ name: String) {
        _ = unsafe mkfifo(at(name), 0o644)
    }

    func read(_ name: String) -> String? {
        let descriptor = unsafe open(at(name), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let taken = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        }
        return String(decoding: bytes[..<max(0, taken)], as: UTF8.self)
    }

    /// The names in a folder, sorted.
    func names(in name: String) -> [String] {
        Self.names(in: at(name)).sorted()
    }

    private static func names(in path: String) -> [String] {
        guard let stream = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let start = MemoryLayout<dirent>.offset(of: \.d_name) ?? 19
            let text = unsafe UnsafeRawPointer(entry) + start
            let name = unsafe String(cString: text.assumingMemoryBound(to: CChar.self))
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func remove(_ path: String) {
        if unsafe unlink(path) == 0 { return }
        for name in names(in: path) { remove("\(path)/\(name)") }
        _ = unsafe rmdir(path)
    }
}
