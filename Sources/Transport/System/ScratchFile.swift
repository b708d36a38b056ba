import Glibc
import Synchronization

/// A file without a name, for data that must not stay in memory; the system deletes it when it is
/// closed.
///
/// Reads and writes have offsets, so several threads may read while one writes.
package final class ScratchFile: Sendable {
    private static let counter = Atomic<UInt64>(0)

    let shared: SharedDescriptor

    /// Creates the file on the file system of `folder`, which must exist.
    package init(in folder: FilePath) throws(Errno) {
        shared = try Self.make(in: folder)
    }

    private static func make(in folder: FilePath) throws(Errno) -> SharedDescriptor {
        do throws(Errno) {
            // The value of `O_TMPFILE`, a macro that Swift cannot import: the file never has a
            // name.
            let nameless = 0o20_000_000 | O_DIRECTORY
            return SharedDescriptor(
                try SystemCalls.open(folder, O_RDWR | nameless, mode: 0o600))
        } catch  where [EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(error.code) {
            // The file system or the kernel does not support such files.
            return try makeNamed(in: folder)
        }
    }

    private static func makeNamed(in folder: FilePath) throws(Errno) -> SharedDescriptor {
        while true {
            let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
            let path = folder.appending(FilePath("scratch-\(getpid())-\(number)"))
            do throws(Errno) {
                let descriptor = try SystemCalls.open(
                    path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
                try SystemCalls.unlink(path)
                return SharedDescriptor(descriptor)
            } catch  where error.code == EEXIST {
                continue
            }
        }
    }

    /// Writes all bytes at an offset; the file grows as needed.
    package func write(_ bytes: Span<UInt8>, at offset: Int64) throws(Errno) {
        try SystemCalls.write(shared.number, bytes, at: offset)
    }

    /// Fills `bytes` from an offset and returns the number of bytes read.
    package func read(into bytes: inout [UInt8], at offset: Int64) throws(Errno) -> Int {
        var done = 0
        while done < bytes.count {
            var span = bytes.mutableSpan
            let taken = try unsafe span.withUnsafeMutableBytes { all throws(Errno) in
                try unsafe SystemCalls.read(
                    shared.number, at: offset + Int64(done),
                    into: UnsafeMutableRawBufferPointer(rebasing: all[done...]))
            }
            if taken == 0 { break }
            done += taken
        }
        return done
    }
}
