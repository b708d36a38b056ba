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

/// `--target` and the options that depend on it.
extension CommandContext {
    /// Returns the targets in the order given; plain files by default.
    func targetChoices() throws(UsageError) -> [TargetChoice] {
        var choices: [TargetChoice] = []
        for text in arguments[Options.targets] {
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                let choice = try targetChoice(part)
                guard !choices.contains(where: { $0.kind == choice.kind }) else {
                    throw arguments.error(
                        Options.targets, "\(choice.kind.rawValue) is given twice.",
                        remedy: "Name each of them once.")
                }
                choices.append(choice)
            }
        }
        if choices.isEmpty { choices = [TargetChoice(kind: .files, folder: nil)] }
        if arguments[Options.name] != nil, !choices.contains(where: { $0.kind == .files }) {
            throw arguments.error(
                Options.name,
                "--name applies only to --target files, not to \(choices[0].kind.phrase).",
                remedy: "Remove --name, or add files to --target.")
        }
        return choices
    }

    private func targetChoice(_ text: Substring) throws(UsageError) -> TargetChoice {
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

    /// Returns each target with its folder. Refuses two targets that would write into one folder.
    func targetSpots(
        _ choices: [TargetChoice], _ settings: RunSettings, out: FilePath
    ) throws -> [TargetSpot] {
        let folders = choices.map { choice in
            if let folder = choice.folder { return FilePath(folder) }
            if choice.kind == .files, choices.count == 1 { return out }
            return out.appending(FilePath(choice.kind.rawValue))
        }
        var spots: [TargetSpot] = []
        for (index, choice) in choices.enumerated() {
            let set = settings.set(ofTarget: index)
            spots.append(
                TargetSpot(
                    try target(choice.kind, settings, set), set,
                    at: try site(of: choice.kind, folders[index], out)))
        }
        try checkOverlaps(choices.map(\.kind), folders.map(\.absolute))
        return spots
    }

    private func target(
        _ kind: TargetKind, _ settings: RunSettings, _ set: PictureSet?
    ) throws(PlanError) -> any OutputTarget {
        if kind == .files {
            let template = try NameTemplate(for: settings, arguments, set: set)
            return FilesTarget { template.path(of: $0) }
        }
        let tokens = ThemeTokens(
            settings.theme, layouts: settings.layouts, schemes: settings.schemes)
        return switch kind {
        case .files, .xcassets: AssetCatalog(tokens)
        case .android: AndroidResources(tokens)
        case .web: WebSite(tokens, layouts: settings.layouts)
        }
    }

    /// Returns the folder of a target: relative to the output folder if it is inside.
    private func site(
        of kind: TargetKind, _ folder: FilePath, _ out: FilePath
    ) throws(UsageError) -> TargetSpot.Site {
        guard let inside = folder.absolute.path(below: out.absolute) else {
            try arguments.checkPlace(Options.targets, folder)
            return .elsewhere(folder)
        }
        guard inside.split(separator: "/").first.map(String.init) != OutputFolder.ownName else {
            throw arguments.error(
                Options.targets,
                "\(OutputFolder.ownName) is the state of the output folder.",
                remedy: "Choose another folder, as in '\(kind.rawValue)=DIR'.")
        }
        return .inside(inside.isEmpty ? "" : inside + "/")
    }

    private func checkOverlaps(
        _ kinds: [TargetKind], _ folders: [FilePath]
    ) throws(UsageError) {
        for index in kinds.indices {
            for other in kinds.indices.prefix(index) {
                let below = folders[index].path(below: folders[other])
                guard let inside = below ?? folders[other].path(below: folders[index]) else {
                    continue
                }
                // Plain files are in one folder for each layout, so another target can have a
                // folder next to them.
                let outer = kinds[below == nil ? index : other]
                if !inside.isEmpty, outer == .files, arguments[Options.name] == nil { continue }
                throw arguments.error(
                    Options.targets,
                    "\(kinds[index].rawValue) and \(kinds[other].rawValue) would write into the "
                        + "same folder.",
                    remedy: "Give each its own folder, as in '\(kinds[index].rawValue)=DIR'.")
            }
        }
    }

    // MARK: Scales and formats

    /// Returns the scales and formats for each target; empty if the only output are plain files of
    /// one format.
    func pictureSets(_ targets: [TargetChoice]) throws(UsageError) -> [PictureSet] {
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
            if arguments.isSet(Options.format) { try check(kind, choices) }
            if arguments.isSet(Options.scales) { try check(kind, scales: scales) }
            sets.append(
                PictureSet(
                    scales: arguments.isSet(Options.scales) ? scales : kind.defaultScales,
                    formats: arguments.isSet(Options.format) ? formats : kind.defaultFormats))
        }
        return sets
    }

    private func check(_ kind: TargetKind, _ choices: [OutputChoice]) throws(UsageError) {
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

    private func check(_ kind: TargetKind, scales: [Double]) throws(UsageError) {
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
