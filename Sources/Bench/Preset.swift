import Codecs
import Transport

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

    /// Writes the images into the subfolder `pictures`, and returns its path.
    package func draw(
        in folder: BenchFolder, children: ChildRunner
    ) throws(BenchError) -> String {
        try folder.makeFolder("pictures")
        for number in 0..<count {
            guard !children.isStopped else { throw .stopped }
            let picture = SamplePicture(kind, number)
            do {
                let bytes = try picture.bytes()
                try SingleFile.write(
                    bytes.span, to: FilePath(folder.path("pictures/\(picture.name)")))
            } catch {
                throw .noScratch("\(picture.name): \(error)")
            }
        }
        return folder.path("pictures")
    }
}
