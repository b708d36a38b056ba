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

/// The images of a preset, written to files.
package enum SampleFolder {
    /// Writes the images into the subfolder `pictures`, and returns its path.
    package static func make(
        _ preset: Preset, in folder: BenchFolder, children: ChildRunner
    ) throws(BenchError) -> String {
        try folder.makeFolder("pictures")
        for number in 0..<preset.count {
            guard !children.isStopped else { throw .stopped }
            let picture = SamplePicture(preset.kind, number)
            let bytes = try rethrowing(picture.bytes()) { (error: EncodeError) in
                BenchError.noScratch("\(picture.name): \(error)")
            }
            let path = FilePath(folder.path("pictures/\(picture.name)"))
            try rethrowing(SingleFile.write(bytes.span, to: path)) { (error: OutletError) in
                BenchError.noScratch("\(error)")
            }
        }
        return folder.path("pictures")
    }
}

/// A workload as data: its images, and the options for a batch.
package struct Preset: Sendable {
    package let name: String
    /// A phrase for lists of presets.
    package let summary: String
    /// The images that are generated if the user gives none.
    let kind: SampleKind
    let count: Int
    package let options: KeyValuePairs<String, String>
    /// Whether runs over the outputs of an earlier one are measured.
    package var isRerun = false

    /// All presets; the first one is the default.
    package static let all: [Preset] = [
        Preset(
            name: "logos", summary: "logos to one rounded PNG of 128 pixels", kind: .logo,
            count: 160, options: ["layout": "large", "scale": "2"]),
        Preset(
            name: "photos", summary: "JPEG photographs to one PNG of 128 pixels", kind: .photo,
            count: 24, options: ["layout": "large", "scale": "2"]),
        Preset(
            name: "layouts", summary: "logos to four layouts at 2x, PNG", kind: .logo, count: 120,
            options: ["layout": "all", "scale": "2"]),
        Preset(
            name: "webp", summary: "logos to four layouts at 2x, WebP", kind: .logo, count: 120,
            options: ["layout": "all", "scale": "2", "format": "webp"]),
        Preset(
            name: "svg", summary: "drawings to four layouts at 2x, PNG", kind: .svg, count: 120,
            options: ["layout": "all", "scale": "2"]),
        Preset(
            name: "rerun", summary: "a second run over logos in four layouts, nothing changed",
            kind: .logo, count: 120, options: ["layout": "all", "scale": "2"], isRerun: true),
        Preset(
            name: "one", summary: "one small logo", kind: .logo, count: 1,
            options: ["layout": "medium", "jobs": "1"]),
    ]
}
