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

/// `emblem inspect FILE…`: describes files and predicts their results in a batch.
enum InspectCommand {
    private static let bytesLimit = 20 << 20

    private static var recipe: Recipe {
        var recipe = Recipe(variants: [Variant(layout: .small, scale: 1, scheme: .light)])
        recipe.codecs = ProcessEnvironment.codecs
        return recipe
    }

    /// The time limit of an item in a batch.
    private static let patienceNanoseconds: UInt64 = 30_000_000_000

    fileprivate struct Finding {
        let path: String
        var bytes: Int?
        var sha256: String?
        var header: ImageHeader?
        var errorClass: ErrorClass?
        var detail: String?
        var lint: [PictureLint] = []
    }

    static func run(_ context: CommandContext) async throws -> Int32 {
        let arguments = context.arguments
        try checkOperands(arguments.operands)
        let lintThatFails = try arguments.lintThatFails()
        try context.checkIsolation()
        let run = context.singleRun(RunSettings(bytesLimit: bytesLimit))
        let backend = run.backend
        defer { backend.close() }
        var json = JSONWriter()
        let recipe = recipe
        var missing = 0
        var refused = 0
        for path in arguments.operands {
            let finding = await inspect(path, in: run, recipe)
            if let failure = backend.failure { throw failure }
            let isLinted = finding.lint.contains { lint in
                lintThatFails.contains { $0 == lint.kind.rawValue || $0 == lint.text }
            }
            if finding.errorClass != nil || isLinted { refused += 1 }
            if finding.errorClass == .notFound { missing += 1 }
            if arguments[Options.json] {
                finding.write(into: &json)
                json.endLine()
            } else {
                try context.output.write(finding.text)
            }
        }
        try context.output.write(json.take())
        guard missing == 0 else {
            throw CommandFailure(66, "\(missing) of \(arguments.operands.count) files do not exist")
        }
        return refused == 0 ? 0 : 1
    }

    /// Refuses URLs, since this command fetches nothing.
    private static func checkOperands(_ operands: [String]) throws(UsageError) {
        for text in operands {
            guard let scheme = SourceReference.scheme(of: text),
                ["http", "https", "s3", "data", "file", "icon"]
                    .contains(scheme),
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

    /// Renders the smallest emblem, since only decoding shows whether an image is valid.
    private static func inspect(
        _ path: String, in run: RunContext, _ recipe: Recipe
    ) async -> Finding {
        var finding = Finding(path: SourceMask().shown(path))
        let bytes: [UInt8]
        do throws(IntakeError) {
            bytes =
                path == "-"
                ? try StandardInput.read(bytesLimit: bytesLimit)
                : try FileIntake.read(FilePath(path), bytesLimit: bytesLimit).bytes
        } catch {
            finding.errorClass = ErrorClass(error)
            finding.detail = "\(error)"
            return finding
        }
        finding.bytes = bytes.count
        finding.sha256 = SHA256.hash(bytes.span).hex
        let order = RenderOrder(
            .picture, of: bytes, recipe: recipe, patienceNanoseconds: patienceNanoseconds)
        let answer = await run.backend.render(order)
        finding.header = answer.header
        let failure = answer.failure
        finding.errorClass = failure?.errorClass
        finding.detail = failure?.detail
        if case .success(let rendering) = answer.result { finding.lint = rendering.lint }
        return finding
    }
}

extension InspectCommand.Finding {
    fileprivate var text: String {
        var text = "\(PrintableText.escaped(path))\n"
        func line(_ name: String, _ value: String) {
            text += "  \(name)\(String(repeating: " ", count: 13 - name.count))\(value)\n"
        }
        if let header {
            line("format", header.format.name + kind(of: header))
            line("size", "\(header.size.width) x \(header.size.height) px")
            line("orientation", "\(header.orientation.rawValue)")
            line("colour", "\(header.colorModel.rawValue), \(header.bitsPerChannel) bits a channel")
            line("profile", header.profileName ?? (header.hasProfile ? "embedded" : "none (sRGB)"))
            line("alpha", header.hasAlpha ? "yes" : "no")
        }
        if let bytes { line("bytes", "\(bytes)") }
        if let errorClass {
            line("batch", "placeholder, \(errorClass.rawValue): \(detail ?? errorClass.message)")
        } else {
            line("batch", "emblem; one decode serves every layout and scale")
        }
        if !lint.isEmpty { line("lint", lint.map(\.text).joined(separator: ", ")) }
        return text
    }

    private func kind(of header: ImageHeader) -> String {
        var words: [String] = []
        if header.isProgressive {
            words.append(header.format == .jpeg ? "progressive" : "interlaced")
        }
        if header.isAnimated { words.append("animated; the first frame is used") }
        return words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
    }

    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("path", path)
            if let bytes { json.member("bytes", bytes) }
            if let sha256 { json.member("sha256", sha256) }
            if let header {
                json.member("format", header.format.name)
                json.member("width", header.size.width)
                json.member("height", header.size.height)
                json.member("orientation", header.orientation.rawValue)
                json.member("alpha", header.hasAlpha)
                json.member("color_model", header.colorModel.rawValue)
                json.member("bits_per_channel", header.bitsPerChannel)
                if let profile = header.profileName { json.member("profile", profile) }
                json.member("has_profile", header.hasProfile)
                json.member("progressive", header.isProgressive)
                json.member("animated", header.isAnimated)
            }
            json.member("outcome", errorClass == nil ? "ok" : "placeholder")
            if !lint.isEmpty {
                json.array("lint") { json in
                    for lint in lint { lint.write(into: &json) }
                }
            }
            if let errorClass {
                json.object("error") { json in
                    json.member("class", errorClass.rawValue)
                    json.member("message", errorClass.message)
                    if let detail { json.member("detail", detail) }
                }
            }
        }
    }
}
