import Codecs
import Transport

/// The pictures of a preset as files, or as a list that names some of them twice.
package struct SampleFolder: Sendable {
    /// How a batch is told of them.
    package let words: [String]
    /// The same without the paths of this machine.
    package let shown: [String]

    /// Draws and writes all of them.
    package init(
        _ preset: Preset, in folder: BenchFolder, desk: ChildRunner
    ) throws(BenchError) {
        try folder.makeFolder("pictures")
        var names: [String] = []
        for kind in SampleKind.allCases {
            for number in 0..<(preset.pictures[kind] ?? 0) {
                guard !desk.isStopped else { throw .stopped }
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
        // Each second mention comes a while after the first.
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
        do throws(EncodeError) {
            return try picture.bytes()
        } catch {
            throw .noScratch("\(picture.name): \(error)")
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(BenchError) {
        do throws(OutletError) {
            try SingleFile.write(bytes.span, to: FilePath(path))
        } catch {
            throw .noScratch("\(error)")
        }
    }
}
