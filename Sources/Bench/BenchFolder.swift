import CShims
import Glibc

/// A folder of its own for one measurement, gone with all in it when nobody holds it any more.
package final class BenchFolder: Sendable {
    package let path: String

    /// Makes the folder in `parent`, else where the system keeps such things.
    package init(in parent: String) throws(BenchError) {
        var template = Array("\(parent)/emblem-bench-XXXXXX".utf8CString)
        let isMade = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
        }
        guard isMade else { throw .noScratch("\(parent): \(Self.reason())") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { Self.remove(path) }

    /// The whole path of a name in it.
    package func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes a folder in it.
    package func makeFolder(_ name: String) throws(BenchError) {
        guard unsafe mkdir(path(name), 0o755) == 0 else {
            throw .noScratch("\(path(name)): \(Self.reason())")
        }
    }

    /// Removes a folder in it, if it stands.
    package func remove(_ name: String) { Self.remove(path(name)) }

    /// What cannot be removed stays; there is nobody to tell.
    private static func remove(_ path: String) { unsafe emb_remove_tree(path) }

    private static func reason() -> String { unsafe String(cString: strerror(errno)) }
}
