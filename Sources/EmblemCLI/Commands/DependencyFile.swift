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
    func write(to path: FilePath) throws {
        let text = try text()
        if !stands(text, at: path) { try SingleFile.write(Array(text.utf8).span, to: path) }
        let manifest = command.destination.appending(FilePath(Manifest.name))
        guard let made = FileFacts.at(manifest)?.modified else { return }
        let youngest = try dependencies().compactMap { FileFacts.at($0)?.modified }.max() ?? 0
        if youngest > made { try SingleFile.touch(manifest) }
    }

    private func stands(_ text: String, at path: FilePath) -> Bool {
        guard FileFacts.at(path)?.kind == .file else { return false }
        do throws(IntakeError) {
            return try OpenFile(path).readAll(limit: text.utf8.count).elementsEqual(text.utf8)
        } catch {
            return false
        }
    }

    /// A rule for the manifest, and an empty rule for each file, so that one that is missing now
    /// or later makes the set old instead of stopping make.
    private func text() throws(PlanError) -> String {
        let paths = try paths()
        var text = "\(Self.word("\(command.destination)/manifest.ndjson")):"
        for path in paths { text += " \\\n  \(path)" }
        text += "\n"
        for path in paths { text += "\n\(path):\n" }
        return text
    }

    private func paths() throws(PlanError) -> [String] {
        var known: Set<String> = []
        var paths: [String] = []
        for path in try dependencies().map(\.description) {
            // Make has no word for a line break, and a name that may hold a password is no file that
            // anybody wants to see here.
            guard !path.contains(where: \.isNewline), command.settings.mask.shown(path) == path
            else { continue }
            let word = Self.word(path)
            if known.insert(word).inserted { paths.append(word) }
        }
        return paths
    }

    /// Every file that the run reads, in the order of reading, behind the folders it looks through,
    /// whose times tell of new files.
    private func dependencies() throws(PlanError) -> [FilePath] {
        let remoteOnly = command.settings.remoteOnly
        var paths = command.ownFiles + command.folders
        for place in command.places(of: plan) {
            paths += try plan.item(at: place).filePaths(remoteOnly: remoteOnly)
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
