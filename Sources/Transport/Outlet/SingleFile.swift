import Glibc
import System

/// Writes one file that the user named, anywhere: a rendered emblem, metrics or a depfile.
///
/// A regular file appears completely or not at all, through a temporary file next to it. A device
/// or a pipe, such as `/dev/stdout`, is written directly. A pipe without a reader is refused, since
/// opening it could block for ever.
package enum SingleFile {
    package static func write(_ bytes: Span<UInt8>, to path: FilePath) throws(OutletError) {
        let name = path.description
        switch kind(of: path) {
        case .folder, .socket, .link, .unknown:
            throw .inTheWay(path: name, what: .folder)
        case .fifo, .device: try stream(bytes, to: path)
        case .file, nil: try replace(path, with: bytes)
        }
    }

    private static func kind(of path: FilePath) -> FileFacts.Kind? {
        try? SystemCalls.facts(of: path, followLinks: true).kind
    }

    private static func stream(_ bytes: Span<UInt8>, to path: FilePath) throws(OutletError) {
        let name = path.description
        do throws(Errno) {
            let descriptor = try SystemCalls.open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK)
            _ = fcntl(descriptor.number, F_SETFL, O_WRONLY)
            try SystemCalls.write(descriptor.number, bytes)
        } catch  where error.code == ENXIO {
            throw .inTheWay(path: name, what: .fifo)
        } catch {
            throw .io(path: name, doing: "write", cause: error)
        }
    }

    private static func replace(_ path: FilePath, with bytes: Span<UInt8>) throws(OutletError) {
        let name = path.description
        let temporary = FilePath("\(name).emblem-\(getpid())")
        let descriptor = try rethrowing(
            SystemCalls.open(
                temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
        ) { (error: Errno) in
            OutletError(making: name, error)
        }
        do throws(Errno) {
            try SystemCalls.write(descriptor.number, bytes)
            try SystemCalls.rename(
                temporary, in: SystemCalls.workingFolder, to: path,
                in: SystemCalls.workingFolder)
        } catch {
            // The first error is reported; a remaining temporary file has the program's name and
            // process id.
            try? SystemCalls.unlink(temporary)
            throw .io(path: name, doing: "write", cause: error)
        }
    }
}
