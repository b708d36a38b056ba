import Artwork
import Batch
import Codecs
import Engine
import Flags
import Notation
import Render
import Targets
import Transport

/// One value of `--target`: a target, and its folder if given.
struct TargetChoice: Hashable {
    let kind: TargetKind
    let folder: String?
}

/// Reads `--target` and the options that depend on it.
struct TargetArguments {
    /// The targets in the order given; plain files by default.
    let choices: [TargetChoice]
    private let arguments: ParsedArguments
    private let out: FilePath

    init(_ arguments: ParsedArguments, out: FilePath) throws(UsageError) {
        self.arguments = arguments
        self.out = out
        var choices: [TargetChoice] = []
        for text in arguments[Options.targets] {
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                let choice = try Self.choice(part, arguments)
                guard !choices.contains(where: { $0.kind == choice.kind }) else {
                    throw arguments.error(
                        Options.targets, "\(choice.kind.rawValue) is given twice.",
                        remedy: "Name each of them once.")
                }
                choices.append(choice)
            }
        }
        self.choices = choices.isEmpty ? [TargetChoice(kind: .files, folder: nil)] : choices
        try checkNames()
    }

    private static func choice(
        _ text: Substring, _ arguments: ParsedArguments
    ) throws(UsageError) -> TargetChoice {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let names = TargetKind.allCases.map(\.rawValue)
        guard let kind = TargetKind(rawValue: String(parts[0])) else {
            let word = parts[0].isEmpty ? String(text) : String(parts[0])
            let nearest = Spelling.nearest(to: word, among: names)
            throw arguments.error(
                Options.targets, "Unknown target '\(PrintableText.escaped(word, limit: 80))'.",
                remedy: nearest.map { "Did you mean '\($0)'?" }
                    ?? "Use \(names.joined(separator: ", ")), each alone or as in "
                    + "'android=app/src/main/res'.")
        }
        guard parts.count == 2 else { return TargetChoice(kind: kind, folder: nil) }
        guard !parts[1].isEmpty, !parts[1].utf8.contains(0) else {
            throw arguments.error(
                Options.targets, "\(kind.rawValue)= needs a folder.",
                remedy: "Write '\(kind.rawValue)=DIR', or remove the '='.")
        }
        return TargetChoice(kind: kind, folder: String(parts[1]))
    }

    /// Refuses options that have no effect on the given targets.
    private func checkNames() throws(UsageError) {
        let kinds = choices.map(\.kind)
        if arguments[Options.name] != nil, !kinds.contains(.files) {
            throw arguments.error(
                Options.name,
                "--name applies only to --target files, not to "
                    + "\(kinds[0].phrase).",
                remedy: "Remove --name, or add files to --target.")
        }
    }

    // MARK: Places

    /// Returns each target with its folder. Refuses two targets that would write into one folder.
    func spots(_ settings: RunSettings) throws -> [TargetSpot] {
        var spots: [TargetSpot] = []
        for (index, choice) in choices.enumerated() {
            let set = settings.set(ofTarget: index)
            spots.append(
                TargetSpot(
                    try target(choice.kind, settings, set), set, at: try site(of: choice)))
        }
        try checkOverlaps()
        return spots
    }

    private func target(
        _ kind: TargetKind, _ settings: RunSettings, _ set: PictureSet?
    ) throws(PlanError) -> any OutputTarget {
        var tokens: ThemeTokens {
            ThemeTokens(settings.theme, layouts: settings.layouts, schemes: settings.schemes)
        }
        switch kind {
        case .files:
            let template = try NameTemplate(for: settings, arguments, set: set)
            return FilesTarget { template.path(of: $0) }
        case .xcassets:
            return AssetCatalog(tokens)
        case .android: return AndroidResources(tokens)
        case .web:
            return WebSite(tokens, layouts: settings.layouts)
        }
    }

    private func folder(of choice: TargetChoice) -> FilePath {
        if let folder = choice.folder { return FilePath(folder) }
        if choice.kind == .files, choices.count == 1 { return out }
        return out.appending(FilePath(choice.kind.rawValue))
    }

    /// Returns the folder of a target: relative to the output folder if it is inside.
    private func site(of choice: TargetChoice) throws(UsageError) -> TargetSpot.Site {
        let folder = folder(of: choice)
        guard let inside = folder.absolute.path(below: out.absolute) else {
            try arguments.checkPlace(Options.targets.flag, folder)
            return .elsewhere(folder)
        }
        guard inside.split(separator: "/").first.map(String.init) != OutputFolder.ownName else {
            throw arguments.error(
                Options.targets,
                "\(OutputFolder.ownName) is the state of the output folder.",
                remedy: "Choose another folder, as in '\(choice.kind.rawValue)=DIR'.")
        }
        return .inside(inside.isEmpty ? "" : inside + "/")
    }

    private func checkOverlaps() throws(UsageError) {
        for (index, one) in choices.enumerated() {
            for other in choices[..<index] {
                let (first, second) = (folder(of: one).absolute, folder(of: other).absolute)
                let inside =
                    first.path(below: second) ?? second.path(below: first)
                guard let inside else { continue }
                // Plain files are in one folder for each layout, so another target can have a
                // folder next to them.
                let outer = first.path(below: second) == nil ? one : other
                if !inside.isEmpty, outer.kind == .files, arguments[Options.name] == nil {
                    continue
                }
                throw arguments.error(
                    Options.targets,
                    "\(one.kind.rawValue) and \(other.kind.rawValue) would write into the same "
                        + "folder.",
                    remedy: "Give each its own folder, as in '\(one.kind.rawValue)=DIR'.")
            }
        }
    }
}

extension PictureSet {
    /// Returns the scales and formats for each target; empty if the only output are plain files of
    /// one format.
    static func wanted(
        _ arguments: ParsedArguments, _ targets: [TargetChoice]
    ) throws(UsageError) -> [PictureSet] {
        let choices = arguments[Options.format]
        if choices.count > 1, choices.contains(.same) {
            throw arguments.error(
                Options.format, "'same' cannot be combined with other formats.",
                remedy: "Remove it, or remove the other formats.")
        }
        let formats = choices.compactMap { choice -> OutputFormat? in
            if case .fixed(let format) = choice { format } else { nil }
        }
        let scales = arguments[Options.scales]
        guard targets.contains(where: { $0.kind != .files || targets.count > 1 }) else {
            let isPlain = choices.count == 1 && (targets.first?.folder == nil)
            return isPlain ? [] : [PictureSet(scales: scales, formats: formats)]
        }
        var sets: [PictureSet] = []
        for kind in targets.map(\.kind) {
            if arguments.isSet(Options.format) { try check(kind, choices, arguments) }
            if arguments.isSet(Options.scales) { try check(kind, scales: scales, arguments) }
            sets.append(
                PictureSet(
                    scales: arguments.isSet(Options.scales) ? scales : kind.defaultScales,
                    formats: arguments.isSet(Options.format) ? formats : kind.defaultFormats))
        }
        return sets
    }

    private static func check(
        _ kind: TargetKind, _ choices: [OutputChoice], _ arguments: ParsedArguments
    ) throws(UsageError) {
        let usual = kind.defaultFormats.map(\.name).joined(separator: ",")
        if kind.needsFixedFormat, choices.contains(.same) {
            throw arguments.error(
                Options.format, "\(kind.phrase) does not support --format same.".capitalized,
                remedy: "Name the format, or remove the option to use \(usual).")
        }
        if let allowed = kind.allowedFormats,
            let other = choices.first(where: { choice in
                !allowed.contains { choice == .fixed($0) }
            })
        {
            throw arguments.error(
                Options.format, "\(kind.phrase) cannot hold \(other.name).".capitalized,
                remedy: "Use \(allowed.map(\.name).joined(separator: ", ")), or remove --format to "
                    + "use \(usual).")
        }
        if kind.holdsOneFormat, choices.count > 1 {
            throw arguments.error(
                Options.format, "\(kind.phrase) supports one format only.".capitalized,
                remedy: "Name one format, or remove the option to use \(usual).")
        }
    }

    private static func check(
        _ kind: TargetKind, scales: [Double], _ arguments: ParsedArguments
    ) throws(UsageError) {
        guard let allowed = kind.allowedScales,
            let other = scales.first(where: { !allowed.contains($0) })
        else { return }
        let words = allowed.map { JSON.number(ofScale: $0).text }.joined(separator: ", ")
        throw arguments.error(
            Options.scales,
            "\(kind.phrase) does not support \(JSON.number(ofScale: other).text)x.".capitalized,
            remedy: "Use \(words) only.")
    }
}

extension String {
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
