import Flags
import Glibc

/// What the working directory says about a run.
enum WorkingDirectory {
    static let configurationName = "emblem.json"

    /// The options in `emblem.json`, or in the file that the command line names; nil where there is
    /// no `emblem.json`.
    static func configuration(named path: String? = nil) throws -> ConfigurationFile? {
        let name = path ?? configurationName
        // Without waiting, since a pipe by this name would hold the tool for ever.
        let descriptor = unsafe open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT {
                guard path != nil else { return nil }
                throw CommandFailure(66, "--config \(name) does not exist; check the path")
            }
            throw unreadable(name)
        }
        defer { _ = close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        // One byte more than the parser takes is enough to be refused for its size.
        while bytes.count <= 1 << 20 {
            let count = unsafe piece.withUnsafeMutableBytes { buffer in
                unsafe read(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(name) }
            if count == 0 { break }
            bytes.append(contentsOf: piece[..<count])
        }
        return try ConfigurationFile(name: name, bytes.span)
    }

    private static func unreadable(_ name: String) -> UsageError {
        UsageError(
            "\(name) cannot be read: \(unsafe String(cString: strerror(errno))).",
            remedy: "Correct or remove it.")
    }
}
