import Codecs
import Engine
import Flags
import Notation
import Render
import Targets

extension PictureSet {
    /// What is made for each target; none where one set in one format is made of all.
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
                    scales: arguments.isSet(Options.scales) ? scales : kind.usualScales,
                    formats: arguments.isSet(Options.format) ? formats : kind.usualFormats))
        }
        return sets
    }

    private static func check(
        _ kind: TargetKind, _ choices: [OutputChoice], _ arguments: ParsedArguments
    ) throws(UsageError) {
        let usual = kind.usualFormats.map(\.name).joined(separator: ",")
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
    /// A sentence with a capital at its beginning, and nowhere else.
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
