import Artwork
import Batch
import Codecs
import Engine
import Flags
import Notation
import Targets
import Transport

/// The files of `--sheet` and `--depfile`. They must not replace a file that the run reads or
/// writes.
struct SideFiles {
    private struct SideFile {
        let option: FlagKey<String?>
        let path: String

        var file: FilePath { FilePath(path) }

        /// The path of the file, and the target if it is a link.
        var paths: Set<FilePath> {
            [file.place, file.folder.place.appending(FilePath(bytes: Array(file.lastComponent)))]
        }

        /// Whether writing creates or replaces a regular file. Devices and pipes replace nothing.
        var replacesFile: Bool { FileFacts.at(file).map { $0.kind == .file } ?? true }
    }

    private let command: BatchCommand
    private let files: [SideFile]

    init(_ command: BatchCommand) {
        self.command = command
        files = [Options.sheet, Options.depfile].compactMap { option in
            command.context.arguments[option].map { SideFile(option: option, path: $0) }
        }
    }

    // MARK: Before anything is read

    /// Refuses side files that are an input or belong to an output folder, before lists are read.
    func check() throws {
        let inputs =
            (command.context.arguments.operands.map { FilePath($0) } + command.ownFiles
            + [command.configurationFile].compactMap { $0 })
            .compactMap { FileFacts.at($0)?.identity }
        for (index, side) in files.enumerated() {
            guard side.path != "-" else {
                throw command.context.arguments.error(
                    side.option, "The file cannot be written to standard output.",
                    remedy: "Name a file, or type './-' for one with this name.")
            }
            if let facts = FileFacts.at(side.file), facts.kind == .file,
                inputs.contains(facts.identity) || isSource(side.file)
            {
                throw refusal(side, "is an input of this run")
            }
            if side.replacesFile {
                if let what = side.paths.lazy.compactMap(role).first {
                    throw refusal(side, what)
                }
                if let other = files[..<index].first(where: { isSame($0, side) }) {
                    throw refusal(side, "is also the file of --\(other.option.flag.name)")
                }
            }
            try checkFolder(of: side)
        }
    }

    /// Returns whether a file has an image extension and is in an input folder.
    private func isSource(_ file: FilePath) -> Bool {
        guard let path = file.resolved, PictureName.hasPictureExtension(path.bytes) else {
            return false
        }
        return command.context.arguments.operands.contains { text in
            FilePath(text).resolved.map { path.below($0) != nil } ?? false
        }
    }

    private func isSame(_ one: SideFile, _ other: SideFile) -> Bool {
        guard one.replacesFile else { return false }
        if let first = FileFacts.at(one.file), let second = FileFacts.at(other.file) {
            return first.identity == second.identity
        }
        return !one.paths.isDisjoint(with: other.paths)
    }

    private func checkFolder(of side: SideFile) throws(CommandFailure) {
        let option = "--\(side.option.flag.name) \(side.path)"
        let folder = side.file.folder
        if FileFacts.at(side.file)?.kind == .folder {
            throw CommandFailure(73, "\(option): is a folder; name a file in it")
        }
        guard !folder.bytes.isEmpty, FileFacts.at(folder)?.kind != .folder else { return }
        // The output folder is created before anything is written.
        guard folder.place != command.destination.place else { return }
        throw CommandFailure(
            73,
            "\(option): the folder \(folder) does not exist; create it first")
    }

    // MARK: After the names are determined

    /// Refuses a side file at the path of a planned output or of a listed image.
    func check(_ plan: BatchPlan, _ places: [OutputPlace]) throws {
        for side in files where side.replacesFile {
            if isListed(side.file, in: plan) { throw refusal(side, "is an input of this run") }
            for place in side.paths
            where plan.needsPlace(
                of: FileAtStake(place, among: places), command.indices(of: plan),
                in: command.settings, command.spots)
            {
                throw refusal(side, "is an output of this run")
            }
        }
    }

    /// Returns whether a file with an image extension is the source of an item.
    private func isListed(_ file: FilePath, in plan: BatchPlan) -> Bool {
        guard !command.lists.isEmpty, let path = file.resolved,
            PictureName.hasPictureExtension(path.bytes), let facts = FileFacts.at(path)
        else { return false }
        for index in command.indices(of: plan) {
            let sources = plan.item(at: index).filePaths(
                remoteOnly: command.settings.remoteOnly)
            if sources.contains(where: { FileFacts.at($0)?.identity == facts.identity }) {
                return true
            }
        }
        return false
    }

    /// Returns the role of a path in the run, as the end of a sentence; nil for none. Inputs and
    /// outputs are checked by `check`.
    private func role(_ path: FilePath) -> String? {
        let out = command.destination.place
        if path == out || out.below(path) != nil { return "is the output folder of this run" }
        if let rest = path.below(out)?.description {
            if RunFile.isName(rest) { return "is a record that this run writes" }
            if isOwn(rest) { return "belongs to the state of the output folder" }
        }
        for spot in command.spots {
            if let role = role(path, out, of: spot) { return role }
        }
        return nil
    }

    /// Returns the role of a path in the folder of a target; nil if a side file may be there. A
    /// side file may be next to plain files, but not inside another target, whose reader would find
    /// it.
    private func role(_ path: FilePath, _ out: FilePath, of spot: TargetSpot) -> String? {
        var folder = out
        switch spot.site {
        case .inside(let prefix): folder = out.appending(FilePath(prefix)).withoutTrailingSlashes
        case .elsewhere(let other): folder = other.place
        }
        let role = "is in the folder of \(spot.target.kind.rawValue)"
        guard let rest = path.below(folder)?.description else {
            return path == folder || folder.below(path) != nil ? role : nil
        }
        if isOwn(rest) { return role }
        guard spot.target.kind != .files else { return nil }
        let isTop = !rest.contains("/")
        return folder == out && isTop && !spot.target.mayHold(rest) ? nil : role
    }

    private func isOwn(_ path: String) -> Bool {
        path.split(separator: "/").first.map(String.init) == OutputFolder.ownName
    }

    private func refusal(_ side: SideFile, _ what: String) -> UsageError {
        command.context.arguments.error(
            side.option,
            "\(PrintableText.escaped(side.path, limit: 120)) \(what) and would be overwritten.",
            remedy: "Choose another file.")
    }
}

extension OutputTarget {
    /// Returns whether a name at the top of the folder can be a file about all items, or a folder
    /// of such files.
    fileprivate func mayHold(_ name: String) -> Bool {
        documents.contains { $0.path.text.split(separator: "/").first ?? "" == name }
    }
}
