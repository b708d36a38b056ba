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

extension CommandContext {
    /// `emblem formats`: lists the readable and writable formats, the libraries and the limits.
    func formats() async throws -> Int32 {
        let facts = await formatFacts()
        try output.write(arguments[Options.json] ? facts.jsonLine : facts.lines(indent: ""))
        return 0
    }

    /// Starts a worker to find out how it is confined. Returns the confinement as text, and its
    /// parts if the worker reported them.
    private func confinement() async -> (words: String, found: Confinement?) {
        let pool = WorkerPool(
            settings: WorkerSettings(count: 1, memoryBytes: 64 << 20),
            renderer: Renderer(theme: .builtIn, artwork: EmblemArtwork()))
        defer { pool.close() }
        let found = await pool.confinement()
        if let failure = pool.failure { return ("refused: \(failure)", found) }
        return (found.map { "\($0)" } ?? "\(Confinement.unused)", found)
    }

    private func formatFacts() async -> [JSON.Member] {
        func words(_ words: [String]) -> JSON { .array(words.map { .string($0) }) }
        func object(_ members: [(String, JSON)]) -> JSON {
            .object(members.map { JSON.Member($0.0, $0.1) })
        }
        let limits = DecodeLimits()
        // The formats whose libraries are installed.
        let readable = ImageFormat.allCases.filter(\.isReadable)
        let writable = OutputFormat.allCases.filter(\.isWritable)
        let confinement = await confinement()
        let found = confinement.found
        let codecs = CodecChoice.allCases.map { choice in
            (
                choice.rawValue,
                object([
                    ("reads", object(readable.map { ($0.name, .string($0.reader[choice])) })),
                    ("writes", object(writable.map { ($0.name, .string($0.writer[choice])) })),
                ])
            )
        }
        // Reading the versions loads all libraries, even those that are normally loaded on demand.
        let libraries =
            CodecLibrary.all.map { ($0.name, JSON.string($0.isFound ? $0.version : "missing")) }
            + [("libcurl", .string(CurlLibrary.number ?? "missing"))]
        let fonts = FontCache.packages.map { package in
            object([
                ("package", .string(package.name)), ("files", .whole(package.paths.count)),
                ("found", .whole(package.found)), ("paths", words(package.paths)),
            ])
        }
        return [
            JSON.Member("tool", .string(ToolVersion.text)),
            JSON.Member("reads", words(readable.map(\.name))),
            JSON.Member("writes", words(writable.map(\.name))),
            JSON.Member(
                "limits",
                object([
                    ("pixels", .whole(limits.pixels)),
                    ("progressive_pixels", .whole(limits.progressivePixels)),
                    ("edge", .whole(limits.edge)), ("jpeg_scans", .whole(limits.jpegScans)),
                    ("profile_bytes", .whole(limits.profileBytes)),
                    ("svg_bytes", .whole(limits.svgBytes)),
                ])),
            JSON.Member("sandbox", .string(confinement.words)),
            JSON.Member(
                "confined",
                object([
                    ("seccomp", .bool(found?.filtersCalls ?? false)),
                    ("landlock", .bool(found?.hidesFiles ?? false)),
                    ("rlimits", .bool(found?.limitsResources ?? false)),
                    ("not_root", .bool(found?.isNotRoot ?? false)),
                ])),
            JSON.Member("codecs", object(codecs)), JSON.Member("libraries", object(libraries)),
            JSON.Member("fonts", .array(fonts)),
        ]
    }
}
