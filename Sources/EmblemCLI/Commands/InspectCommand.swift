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
        try context.checkIsolation()
        let run = context.singleRun(RunSettings(bytesLimit: bytesLimit))
        let backend = run.backend
        defer { backend.close() }
        let recipe = recipe
        var missing = 0
        var refused = 0
        for path in arguments.operands {
            let finding = await inspect(path, in: run, recipe)
            if let failure = backend.failure { throw failure }
            if finding.errorClass != nil { refused += 1 }
            if finding.errorClass == .notFound { missing += 1 }
            try context.output.write(
                arguments[Options.json]
                    ? finding.facts.jsonLine
                    : "\(PrintableText.escaped(finding.path))\n"
                        + Array(finding.facts.dropFirst()).lines(indent: "  "))
        }
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
    fileprivate var facts: [JSON.Member] {
        func whole(_ value: Int) -> JSON { .number(JSONNumber(value)) }
        var facts = [JSON.Member("path", .string(path))]
        func add(_ name: String, _ value: JSON?) {
            if let value { facts.append(JSON.Member(name, value)) }
        }
        add("bytes", bytes.map(whole))
        add("sha256", sha256.map { .string($0) })
        if let header {
            add("format", .string(header.format.name))
            add("width", whole(header.size.width))
            add("height", whole(header.size.height))
            add("orientation", whole(header.orientation.rawValue))
            add("alpha", .bool(header.hasAlpha))
            add("color_model", .string(header.colorModel.rawValue))
            add("bits_per_channel", whole(header.bitsPerChannel))
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
