import Artwork
import Batch
import Codecs
import Console
import Engine
import Flags
import Notation
import Render
import Theming
import Transport
import Worker

/// `emblem formats`: lists the readable and writable formats, the libraries and the limits.
enum FormatsCommand {
    static func run(_ context: CommandContext) async throws -> Int32 {
        let confinement = await confinement()
        if context.arguments[Options.json] {
            try context.output.write(json(confinement))
        } else {
            try context.output.write(text(confinement))
        }
        return 0
    }

    private static let limits = DecodeLimits()

    /// The formats whose libraries are installed.
    private static var readable: [ImageFormat] { ImageFormat.allCases.filter(\.isReadable) }
    private static var writable: [OutputFormat] { OutputFormat.allCases.filter(\.isWritable) }

    /// Starts a worker to find out how it is confined. Returns the confinement as text, and its
    /// parts if the worker reported them.
    private static func confinement() async -> (words: String, found: Confinement?) {
        let pool = WorkerPool(
            settings: WorkerSettings(count: 1, memoryBytes: 64 << 20),
            renderer: Renderer(theme: .builtIn, artwork: EmblemArtwork()))
        defer { pool.close() }
        let found = await pool.confinement()
        if let failure = pool.failure { return ("refused: \(failure)", found) }
        return (found.map { "\($0)" } ?? "\(Confinement.unused)", found)
    }

    private static func text(_ confinement: (words: String, found: Confinement?)) -> String {
        var text = "reads    \(readable.map(\.name).joined(separator: " "))\n"
        text += "writes   \(writable.map(\.name).joined(separator: " "))\n"
        text +=
            "limits   \(limits.pixels) pixels, \(limits.progressivePixels) in a progressive JPEG, "
        text += "\(limits.jpegScans) scans, \(limits.edge) px a side, "
        text += "\(limits.profileBytes) bytes of profile, \(limits.svgBytes) bytes of SVG\n"
        text += "confined \(confinement.words)\n"
        for choice in CodecChoice.allCases {
            for (act, format, code) in codecs(choice) {
                let use = "\(choice.rawValue) \(act) \(format)"
                text += "codec    \(padded(use, 20))\(code)\n"
            }
        }
        for library in libraries {
            let gap = String(repeating: " ", count: max(1, 16 - library.name.count))
            text += "library  \(library.name)\(gap)\(library.version)\n"
        }
        for package in FontCache.packages {
            let gap = String(repeating: " ", count: max(1, 24 - package.name.count))
            text += "font     \(package.name)\(gap)\(found(package))\n"
        }
        return text
    }

    /// The libraries for images, text and network access. Reading this loads all of them, even
    /// those that are normally loaded on demand.
    private static var libraries: [(name: String, version: String)] {
        CodecLibrary.all.map { ($0.name, $0.isFound ? $0.version : "missing") }
            + [("libcurl", CurlLibrary.number ?? "missing")]
    }

    /// Returns the decoder and the encoder of each format. For the codecs `system`, returns only the
    /// codecs that differ from the default.
    private static func codecs(
        _ choice: CodecChoice
    ) -> [(act: String, format: String, code: String)] {
        let reads = readable.map { format in
            ("reads", format.name, format.reader[choice], format.reader[.fast])
        }
        let writes = writable.map { format in
            ("writes", format.name, format.writer[choice], format.writer[.fast])
        }
        return (reads + writes).filter { choice == .fast || $0.2 != $0.3 }
            .map { ($0.0, $0.1, $0.2) }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    private static func found(_ package: FontCache.Package) -> String {
        switch package.found {
        case package.paths.count: "found"
        case 0: "not found; install it for the scripts that it covers"
        default: "\(package.found) of \(package.paths.count) files found; reinstall it"
        }
    }

    private static func json(_ confinement: (words: String, found: Confinement?)) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("tool", ToolVersion.text)
            json.array("reads") { json in
                for format in readable { json.write(format.name) }
            }
            json.array("writes") { json in
                for format in writable { json.write(format.name) }
            }
            json.object("limits") { json in
                json.member("pixels", limits.pixels)
                json.member("progressive_pixels", limits.progressivePixels)
                json.member("edge", limits.edge)
                json.member("jpeg_scans", limits.jpegScans)
                json.member("profile_bytes", limits.profileBytes)
                json.member("svg_bytes", limits.svgBytes)
            }
            json.member("sandbox", confinement.words)
            json.object("confined") { json in
                json.member("seccomp", confinement.found?.filtersCalls ?? false)
                json.member("landlock", confinement.found?.hidesFiles ?? false)
                json.member("rlimits", confinement.found?.limitsResources ?? false)
                json.member("not_root", confinement.found?.isNotRoot ?? false)
            }
            json.object("codecs") { json in
                for choice in CodecChoice.allCases {
                    json.object(choice.rawValue) { json in
                        json.object("reads") { json in
                            for format in readable {
                                json.member(format.name, format.reader[choice])
                            }
                        }
                        json.object("writes") { json in
                            for format in writable {
                                json.member(format.name, format.writer[choice])
                            }
                        }
                    }
                }
            }
            json.object("libraries") { json in
                for library in libraries { json.member(library.name, library.version) }
            }
            json.array("fonts") { json in
                for package in FontCache.packages {
                    json.object { json in
                        json.member("package", package.name)
                        json.member("files", package.paths.count)
                        json.member("found", package.found)
                        json.array("paths") { json in
                            for path in package.paths { json.write(path) }
                        }
                    }
                }
            }
        }
        json.endLine()
        return json.take()
    }
}
