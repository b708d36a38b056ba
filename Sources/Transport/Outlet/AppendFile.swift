import Glibc
import System

/// A file in an output folder to which records are appended, such as the journal. Appended records
/// survive a crash of the process.
package struct AppendFile: ~Copyable, Sendable {
    private let path: String
    private let descriptor: Descriptor

    /// Opens or creates the file `name`; refuses anything but a regular file.
    package init(_ name: RelativePath, in output: OutputFolder) throws(OutletError) {
        path = output.display(name)
        descriptor = try output.openInPlace(name, O_RDWR | O_CREAT | O_APPEND)
    }

    /// Opens the file `name` for reading, which needs no write permission.
    init(reading name: RelativePath, in output: OutputFolder) throws(OutletError) {
        path = output.display(name)
        descriptor = try output.openInPlace(name, O_RDONLY)
    }

    /// Appends the bytes, in one system call if possible.
    package func append(_ bytes: Span<UInt8>) throws(OutletError) {
        try wrap("write") { descriptor throws(Errno) in
            try SystemCalls.write(descriptor, bytes)
        }
    }

    package func size() throws(OutletError) -> Int {
        try wrap("read") { descriptor throws(Errno) in
            try SystemCalls.facts(of: descriptor).size
        }
    }

    /// Returns up to `count` bytes from `offset` on; fewer at the end.
    package func read(at offset: Int64, count: Int) throws(OutletError) -> [UInt8] {
        try wrap("read") { descriptor throws(Errno) in
            try SystemCalls.readAll(descriptor, from: offset, limit: count, expecting: count)
                .bytes
        }
    }

    /// Waits until the appended records are on the disk.
    package func sync() throws(OutletError) {
        try wrap("sync") { descriptor throws(Errno) in try SystemCalls.sync(descriptor) }
    }

    /// Cuts off an incomplete record at the end.
    package func truncate(to size: Int) throws(OutletError) {
        try wrap("cut") { descriptor throws(Errno) in
            try SystemCalls.truncate(descriptor, to: Int64(size))
        }
    }

    private func wrap<Result>(
        _ doing: String, _ body: (Int32) throws(Errno) -> Result
    ) throws(OutletError) -> Result {
        try OutletError.wrap(path, doing) { () throws(Errno) in try body(descriptor.number) }
    }
}
