import Codecs
import Console
import Digest
import Engine
import Flags
import Notation
import Raster
import Render
import Theming
import Transport
import Worker

extension CommandContext {
    /// `emblem inspect FILE…`: describes files and predicts their results in a batch.
    func inspect() async throws -> Int32 {
        try checkFiles()
        try checkIsolation()
        let run = singleRun(RunSettings(bytesLimit: Finding.bytesLimit))
        defer { run.backend.close() }
        var missing = 0
        var refused = 0
        for path in arguments.operands {
            let finding = await Finding(path, in: run)
            if let failure = run.backend.failure { throw failure }
            if finding.errorClass != nil { refused += 1 }
            if finding.errorClass == .notFound { missing += 1 }
            try output.write(
                arguments[Options.json]
                    ? finding.facts.jsonLine
                    : "\(PrintableText.escaped(finding.path))\n"
                        + Array(finding.facts.dropFirst()).lines(indent: "  "))
        }
        guard missing == 0 else {
            let (some, all) = (Figure.grouped(missing), Figure.grouped(arguments.operands.count))
            throw CommandFailure(66, "\(some) of \(all) files do not exist")
        }
        return refused == 0 ? 0 : 1
    }

    /// Refuses URLs, since this command fetches nothing.
    private func checkFiles() throws(UsageError) {
        for text in arguments.operands {
            guard let scheme = SourceReference.scheme(of: text),
                ["http", "https", "s3", "data", "file", "icon"].contains(scheme),
                FileFacts.at(FilePath(text)) == nil
            else { continue }
            let shown = PrintableText.escaped(SourceMask().shown(text), limit: 80)
            // A source that is not shown in full cannot be typed again.
            let word = shown == text ? ShellWord.quoted(text) : "SOURCE"
            let batch = "'emblem batch \(word) -o OUT' and read OUT/manifest.ndjson."
            let remedy =
                switch scheme {
                case "http", "https": "Type 'curl -sSL \(word) | emblem inspect -', or \(batch)"
                case "s3": "Type \(batch)"
                default: "Name a file, or read standard input with '-'."
                }
            throw UsageError(
                "inspect reads files, and '\(shown)' is not a file.", remedy: remedy)
        }
    }
}

/// The properties of a file, and the result that it would have in a batch.
private struct Finding {
    static let bytesLimit = 20 << 20
    /// The time limit of an item in a batch.
    private static let patienceNanoseconds: UInt64 = 30_000_000_000

    let path: String
    private(set) var errorClass: ErrorClass?
    private var detail: String?
    private var bytes: Int?
    private var sha256: String?
    private var header: ImageHeader?
    private var lint: [PictureLint] = []

    /// Renders the smallest emblem, since only decoding shows whether an image is valid.
    init(_ path: String, in run: RunContext) async {
        self.path = SourceMask().shown(path)
        let bytes: [UInt8]
        do throws(ItemFailure) {
            bytes =
                path == "-"
                ? try StandardInput.read(bytesLimit: Self.bytesLimit)
                : try FileIntake.read(FilePath(path), bytesLimit: Self.bytesLimit).bytes
        } catch {
            errorClass = error.errorClass
            detail = "\(error)"
            return
        }
        self.bytes = bytes.count
        sha256 = SHA256.hash(bytes.span).hex
        var recipe = Recipe(variants: [Variant(layout: .small, scale: 1, scheme: .light)])
        recipe.codecs = ProcessEnvironment.codecs
        let order = RenderOrder(
            .picture, of: bytes, recipe: recipe, patienceNanoseconds: Self.patienceNanoseconds)
        let answer = await run.backend.render(order)
        header = answer.header
        errorClass = answer.failure?.errorClass
        detail = answer.failure?.detail
        if case .success(let rendering) = answer.result { lint = rendering.lint }
    }

    var facts: [JSON.Member] {
        var facts = [JSON.Member("path", .string(path))]
        func add(_ name: String, _ value: JSON?) {
            if let value { facts.append(JSON.Member(name, value)) }
        }
        add("bytes", bytes.map(JSON.whole))
        add("sha256", sha256.map { .string($0) })
        if let header {
            add("format", .string(header.format.name))
            add("width", .whole(header.size.width))
            add("height", .whole(header.size.height))
            add("orientation", .whole(header.orientation.rawValue))
            add("alpha", .bool(header.hasAlpha))
            add("color_model", .string(header.colorModel.rawValue))
            add("bits_per_channel", .whole(header.bitsPerChannel))
            add("profile", header.profileName.map { .string($0) })
            add("has_profile", .bool(header.hasProfile))
            add("progressive", .bool(header.isProgressive))
            add("animated", .bool(header.isAnimated))
        }
        add("outcome", errorClass == nil ? "ok" : "placeholder")
        add("lint", lint.isEmpty ? nil : .array(lint.map(\.json)))
        if let errorClass {
            var members = [
                JSON.Member("class", .string(errorClass.rawValue)),
                JSON.Member("message", .string(errorClass.message)),
            ]
            if let detail { members.append(JSON.Member("detail", .string(detail))) }
            add("error", .object(members))
        }
        return facts
    }
}
