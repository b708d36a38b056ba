import Batch
import Console
import Engine
import Flags
import Notation
import Render
import Transport

/// `--depfile`: the inputs of the manifest as a make rule, which ninja reads as well.
///
/// Paths are written as raw bytes, since make and ninja know no other form.
struct DependencyFile {
    /// The most omitted paths that the notice names.
    private static let namedPaths = 5

    let command: BatchCommand
    let plan: BatchPlan
    let folder: OutputFolder

    /// Writes the file. If a dependency is newer than the manifest, sets the time of the manifest
    /// to now: otherwise make would rebuild a set even if only the time of a source has changed.
    ///
    /// - Returns: A notice of the paths that were left out because make cannot express them; nil
    ///   without such paths.
    func write(to path: FilePath) throws -> String? {
        let found = dependencies().compactMap { path in
            FileFacts.at(path).map { (path: path, modified: $0.modified) }
        }
        let (words, omitted) = words(for: found.map(\.path))
        let text = text(words)
        if !hasContents(text, at: path) { try SingleFile.write(text.span, to: path) }
        let manifest = command.destination.appending(FilePath(Manifest.name))
        let youngest = found.map(\.modified).max() ?? 0
        if let made = FileFacts.at(manifest)?.modified, youngest > made {
            try Manifest.refresh(in: folder)
        }
        return notice(of: omitted, path)
    }

    private func notice(of omitted: [FilePath], _ path: FilePath) -> String? {
        guard !omitted.isEmpty else { return nil }
        let names = omitted.prefix(Self.namedPaths).map {
            PrintableText.escaped("\($0)", limit: 120)
        }
        let more = omitted.count - names.count
        return
            "\(path) lacks \(Counted(omitted.count, "path")) with special characters of make, such "
            + "as ';' or '*': \(names.joined(separator: ", "))"
            + (more > 0 ? " and \(more) more" : "") + "; rename these files, otherwise make does "
            + "not notice their changes"
    }

    /// Returns whether the file has exactly these contents, so that its time can stay.
    private func hasContents(_ text: [UInt8], at path: FilePath) -> Bool {
        guard FileFacts.at(path)?.kind == .file else { return false }
        return (try? OpenFile(path).readAll(limit: text.count)) == text
    }

    /// Returns a rule for the manifest, and an empty rule for each file: with it, a removed file
    /// makes the set outdated instead of stopping make. A file that is already missing is left out,
    /// since make would otherwise rebuild the set every time.
    private func text(_ paths: [[UInt8]]) -> [UInt8] {
        let manifest = command.destination.appending(FilePath(Manifest.name))
        guard let target = Self.word(manifest) else {
            return Array("# The path of the set cannot be written in a rule of make.\n".utf8)
        }
        var text = target + Array(":".utf8)
        for path in paths { text += Array(" \\\n  ".utf8) + path }
        text += Array("\n".utf8)
        for path in paths { text += Array("\n".utf8) + path + Array(":\n".utf8) }
        return text
    }

    /// Returns the paths as words of a make rule, each once, and the paths that make cannot
    /// express.
    private func words(for paths: [FilePath]) -> (words: [[UInt8]], omitted: [FilePath]) {
        var known: Set<FilePath> = []
        var words: [[UInt8]] = []
        var omitted: [FilePath] = []
        for path in paths where known.insert(path).inserted {
            // A path that may contain a password is not printed.
            let shown = path.description
            guard command.settings.mask.shown(shown) == shown else { continue }
            if let word = Self.word(path) { words.append(word) } else { omitted.append(path) }
        }
        return (words, omitted)
    }

    /// Returns the files that the run reads, and the searched folders: the time of a folder changes
    /// when a file is added or removed.
    private func dependencies() -> [FilePath] {
        let remoteOnly = command.settings.remoteOnly
        var paths = command.ownFiles + command.folders
        if let configuration = command.configurationFile { paths.append(configuration) }
        for index in command.indices(of: plan) {
            paths += plan.item(at: index).filePaths(remoteOnly: remoteOnly)
        }
        return paths
    }

    /// Returns a path as a word of a make rule. Returns nil if make would read it as something
    /// else, such as a recipe, variable, pattern or line end: a list must not be able to write
    /// rules.
    static func word(_ path: FilePath) -> [UInt8]? {
        var word: [UInt8] = []
        for byte in path.bytes {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "#"), UInt8(ascii: ":"):
                word += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "$"): word += [byte, byte]
            case 0..<0x20, 0x7F: return nil
            case _ where "%;=|&<>*?[]\\".utf8.contains(byte): return nil
            default: word.append(byte)
            }
        }
        // Make reads a final `)` as an archive member, a leading `.` as a special target, `~` as a
        // home folder, and `-` as an option.
        guard let first = word.first, word.last != UInt8(ascii: ")") else { return nil }
        let isSpecial = first == UInt8(ascii: ".") && !word.contains(UInt8(ascii: "/"))
        let isOther = first == UInt8(ascii: "~") || first == UInt8(ascii: "-")
        return isSpecial || isOther ? Array("./".utf8) + word : word
    }
}
