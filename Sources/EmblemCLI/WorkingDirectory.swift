import Flags
import Glibc

enum WorkingDirectory {
    static let configurationName = "emblem.json"

    /// Returns the options in the file at `path`, or else in `emblem.json`; nil if no path is given
    /// and `emblem.json` does not exist.
    static func configuration(named path: String? = nil) throws -> ConfigurationFile? {
        let name = path ?? configurationName
        // Non-blocking, since a FIFO of this name would block for ever.
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
        // One byte above the limit of the parser, so that it rejects a larger file.
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
