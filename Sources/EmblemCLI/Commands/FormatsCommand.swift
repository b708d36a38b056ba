import Artwork
import Cell
import Codecs
import Console
import Flags
import Notation
import Pipeline
import Render
import Theming

/// `emblem formats`: what can be read and written, by which libraries, under which limits.
enum FormatsCommand {
    static func run(_ context: CommandContext) async throws -> Int32 {
        let confinement = await confinement()
        if context.arguments.toggle("json") {
            try context.output.write(json(confinement))
        } else {
            try context.output.write(text(confinement))
        }
        return 0
    }

    private static let limits = DecodeLimits()

    /// What holds the pictures of a batch; a process is started to find out.
    private static func confinement() async -> String {
        let pool = CellPool(
            settings: CellSettings(count: 1, memoryBytes: 64 << 20),
            renderer: Renderer(theme: .builtIn, artwork: EmblemArtwork()))
        defer { pool.close() }
        if let found = await pool.confinement() { return "\(found)" }
        return pool.failure.map { "none: \($0)" } ?? "\(Confinement.none)"
    }

    private static func text(_ confinement: String) -> String {
        var text = "reads    \(ImageFormat.allCases.map(\.rawValue).joined(separator: " "))\n"
        text += "writes   \(OutputFormat.allCases.map(\.rawValue).joined(separator: " "))\n"
        text +=
            "limits   \(limits.pixels) pixels, \(limits.progressivePixels) in a progressive JPEG, "
        text += "\(limits.jpegScans) scans, \(limits.edge) px a side, "
        text += "\(limits.profileBytes) bytes of profile, \(limits.svgBytes) bytes of SVG\n"
        text += "confined \(confinement)\n"
        for codec in CodecVersions.all {
            let gap = String(repeating: " ", count: max(1, 16 - codec.name.count))
            text += "library  \(codec.name)\(gap)\(codec.version)\n"
        }
        for package in FontStock.packages {
            let gap = String(repeating: " ", count: max(1, 24 - package.name.count))
            text += "font     \(package.name)\(gap)\(found(package))\n"
        }
        return text
    }

    private static func found(_ package: (name: String, found: Int, listed: Int)) -> String {
        switch package.found {
        case package.listed: "found"
        case 0: "missing, install it for the scripts it has"
        default: "\(package.found) of \(package.listed) files found, install it anew"
        }
    }

    private static func json(_ confinement: String) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("tool", ToolVersion.text)
            json.array("reads") { json in
                for format in ImageFormat.allCases { json.write(format.rawValue) }
            }
            json.array("writes") { json in
                for format in OutputFormat.allCases { json.write(format.rawValue) }
            }
            json.object("limits") { json in
                json.member("pixels", limits.pixels)
                json.member("progressive_pixels", limits.progressivePixels)
                json.member("edge", limits.edge)
                json.member("jpeg_scans", limits.jpegScans)
                json.member("profile_bytes", limits.profileBytes)
                json.member("svg_bytes", limits.svgBytes)
            }
            json.member("confinement", confinement)
            json.object("libraries") { json in
                for codec in CodecVersions.all { json.member(codec.name, codec.version) }
            }
            json.array("fonts") { json in
                for package in FontStock.packages {
                    json.object { json in
                        json.member("package", package.name)
                        json.member("files", package.listed)
                        json.member("found", package.found)
                    }
                }
            }
        }
        json.endLine()
        return json.take()
    }
}
