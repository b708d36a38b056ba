import CShims
import Codecs
import Glibc
import System
import Transport

/// A temporary folder for one measurement; its deinit removes it with its contents.
package final class BenchFolder: Sendable {
    package let path: String

    package init(in parent: String) throws(BenchError) {
        var template = Array("\(parent)/emblem-bench-XXXXXX".utf8CString)
        let isMade = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
        }
        guard isMade else { throw .noScratch("\(parent): \(Self.reason())") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { Self.remove(path) }

    package func path(_ name: String) -> String { "\(path)/\(name)" }

    package func makeFolder(_ name: String) throws(BenchError) {
        guard unsafe mkdir(path(name), 0o755) == 0 else {
            throw .noScratch("\(path(name)): \(Self.reason())")
        }
    }

    /// Removes a subfolder, if it exists.
    package func remove(_ name: String) { Self.remove(path(name)) }

    /// Ignores errors, because nothing can be done about them here.
    private static func remove(_ path: String) { unsafe emb_remove_tree(path) }

    private static func reason() -> String { unsafe String(cString: strerror(errno)) }
}

/// The pictures of a preset as files, or as a list that names some of them twice.
package struct SampleFolder: Sendable {
    /// The arguments of `emblem batch` for the pictures.
    package let words: [String]
    /// The arguments without the paths of this machine.
    package let shown: [String]

    package init(
        _ preset: Preset, in folder: BenchFolder, children: ChildRunner
    ) throws(BenchError) {
        try folder.makeFolder("pictures")
        var names: [String] = []
        for kind in SampleKind.allCases {
            for number in 0..<(preset.pictures[kind] ?? 0) {
                guard !children.isStopped else { throw .stopped }
                let picture = SamplePicture(kind, number)
                try Self.write(
                    try Self.bytes(of: picture), to: folder.path("pictures/\(picture.name)"))
                names.append(picture.name)
            }
        }
        guard preset.repeatedPercent > 0 else {
            words = ["--", folder.path("pictures")]
            shown = ["pictures/"]
            return
        }
        let repeats = names.count * preset.repeatedPercent / (100 - preset.repeatedPercent)
        // Each repetition comes some rows after the first mention.
        for number in 0..<repeats {
            names.insert(names[number * 3 % names.count], at: (number * 5 + 40) % names.count)
        }
        words = ["--list", folder.path("pictures.txt")]
        shown = ["--list", "pictures.txt"]
        try Self.write(Self.list(names), to: folder.path("pictures.txt"))
    }

    private static func list(_ names: [String]) -> [UInt8] {
        Array(names.map { "pictures/\($0)\n" }.joined().utf8)
    }

    private static func bytes(of picture: SamplePicture) throws(BenchError) -> [UInt8] {
        try rethrowing(picture.bytes()) { (error: EncodeError) in
            BenchError.noScratch("\(picture.name): \(error)")
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(BenchError) {
        try rethrowing(SingleFile.write(bytes.span, to: FilePath(path))) { (error: OutletError) in
            BenchError.noScratch("\(error)")
        }
    }
}
