import Batch
import Engine
import Flags
import Render
import Transport

/// `--depfile`: what the manifest was made from, in the language of make.
struct DependencyFile {
    let command: BatchCommand
    let plan: BatchPlan

    /// A rule for the manifest, and an empty rule for each file, so that one that is missing now
    /// or later makes the set old instead of stopping make.
    func text() throws(PlanError) -> String {
        let paths = try paths()
        var text = "\(Self.word("\(command.destination)/manifest.ndjson")):"
        for path in paths { text += " \\\n  \(path)" }
        text += "\n"
        for path in paths { text += "\n\(path):\n" }
        return text
    }

    /// Every file that the run reads, each once, in the order of reading.
    private func paths() throws(PlanError) -> [String] {
        var known: Set<String> = []
        var paths: [String] = []
        func add(_ path: String) {
            // Make has no word for a line break, and a name that may hold a password is no file that
            // anybody wants to see here.
            guard !path.contains(where: \.isNewline), command.settings.mask.shown(path) == path
            else { return }
            let word = Self.word(path)
            if known.insert(word).inserted { paths.append(word) }
        }
        for path in command.lists where path != "-" { add(path) }
        if let theme = command.context.arguments[Options.theme] { add(theme) }
        if case .picture = command.settings.recipe.placeholder,
            let placeholder = command.context.arguments.texts(Options.placeholder).last
        {
            add(placeholder)
        }
        let remoteOnly = command.settings.remoteOnly
        for place in command.places(of: plan) {
            let item = try plan.item(at: place)
            for path in item.filePaths(remoteOnly: remoteOnly) { add("\(path)") }
        }
        return paths
    }

    /// A path as make reads it: blanks, `#`, `$`, `%` and colons have to be told from syntax.
    private static func word(_ path: String) -> String {
        var word = ""
        for character in path {
            switch character {
            case " ", "#", "\\", ":", "%": word += "\\\(character)"
            case "$": word += "$$"
            default: word.append(character)
            }
        }
        return word
    }
}
