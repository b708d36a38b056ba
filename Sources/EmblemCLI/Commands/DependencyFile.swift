import Batch
import Engine
import Flags
import Render
import Transport

/// `--depfile`: what the manifest was made from, in the language of make.
struct DependencyFile {
    let command: BatchCommand
    let plan: BatchPlan

    /// Writes the file, and gives the manifest the time of now if anything that it depends on is
    /// younger: what changed in its time alone is then older than the set, as make sees it.
    ///
    /// - Returns: how many paths make has no word for, and which therefore are not in it.
    func write(to path: FilePath) throws -> Int {
        let found = try dependencies().compactMap { path in
            FileFacts.at(path).map { (path: path, modified: $0.modified) }
        }
        let (words, omitted) = words(for: found.map(\.path))
        let text = text(words)
        if !stands(text, at: path) { try SingleFile.write(Array(text.utf8).span, to: path) }
        let manifest = command.destination.appending(FilePath(Manifest.name))
        guard let made = FileFacts.at(manifest)?.modified else { return omitted }
        let youngest = found.map(\.modified).max() ?? 0
        if youngest > made { try SingleFile.touch(manifest) }
        return omitted
    }

    private func stands(_ text: String, at path: FilePath) -> Bool {
        guard FileFacts.at(path)?.kind == .file else { return false }
        do throws(IntakeError) {
            return try OpenFile(path).readAll(limit: text.utf8.count).elementsEqual(text.utf8)
        } catch {
            return false
        }
    }

    /// A rule for the manifest, and an empty rule for each file, so that one that goes away makes the
    /// set old instead of stopping make. One that is missing already is left out: for make it would be
    /// made anew at every build, and the set with it.
    private func text(_ paths: [String]) -> String {
        let manifest = "\(command.destination)/manifest.ndjson"
        guard let target = Self.word(manifest) else { return "# make has no word for the set\n" }
        var text = "\(target):"
        for path in paths { text += " \\\n  \(path)" }
        text += "\n"
        for path in paths { text += "\n\(path):\n" }
        return text
    }

    private func words(for paths: [FilePath]) -> (words: [String], omitted: Int) {
        var known: Set<String> = []
        var words: [String] = []
        var omitted: Set<String> = []
        for path in paths.map(\.description) {
            // A name that may hold a password is no file that anybody wants to see here.
            guard command.settings.mask.shown(path) == path else { continue }
            guard let word = Self.word(path) else {
                omitted.insert(path)
                continue
            }
            if known.insert(word).inserted { words.append(word) }
        }
        return (words, omitted.count)
    }

    /// Every file that the run reads, in the order of reading, behind the folders it looks through,
    /// whose times tell of new files.
    private func dependencies() throws(PlanError) -> [FilePath] {
        let remoteOnly = command.settings.remoteOnly
        var paths = command.ownFiles + command.folders
        for index in command.indices(of: plan) {
            paths += try plan.item(at: index).filePaths(remoteOnly: remoteOnly)
        }
        return paths
    }

    /// A path as make reads it; nil for one that it would read as something else: a recipe, a variable,
    /// a pattern, the end of a line. A list must not be able to write rules.
    static func word(_ path: String) -> String? {
        var word = ""
        for scalar in path.unicodeScalars {
            switch scalar {
            case " ", "#", ":": word += "\\\(scalar)"
            case "$": word += "$$"
            case "%", ";", "=", "|", "&", "<", ">", "*", "?", "[", "]", "\\": return nil
            case _ where scalar.value < 0x20 || scalar.properties.isWhitespace: return nil
            default: word.unicodeScalars.append(scalar)
            }
        }
        // The members of an archive, special targets, homes of users, and options.
        if word.hasSuffix(")") { return nil }
        let isSpecial = word.hasPrefix(".") && !word.contains("/")
        return isSpecial || word.hasPrefix("~") || word.hasPrefix("-") ? "./" + word : word
    }
}
