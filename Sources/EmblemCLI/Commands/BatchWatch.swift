import Batch
import Codecs
import Console
import Engine
import Flags
import System
import Transport

/// `--watch`: repeats the batch when an input changes, until a signal arrives.
struct BatchWatch {
    /// The time without changes before the next run, so that it reads no half-written file.
    private static let quietNanoseconds: UInt64 = 250_000_000
    /// The time before the next attempt if another run holds the output folder.
    private static let retryNanoseconds: UInt64 = 1_000_000_000

    private let context: CommandContext
    private let signals = StopSignals()

    init(_ context: CommandContext) { self.context = context }

    func run() async throws -> Int32 {
        var command = try BatchCommand(context)
        var wasHeld = false
        var isFirst = true
        while true {
            var watch = try makeWatch(command)
            var isHeld = false
            do {
                try await context.checkPlaceholder(of: command.settings)
                let opened = command.openExisting()
                let plan = try command.plan()
                try addSources(of: plan, command, to: &watch)
                _ = try await command.run(plan, into: opened, signals)
            } catch let error where signals.exitCode == nil {
                // A change of the files cannot correct the command line, so the tool exits.
                if isFirst, error is UsageError { throw error }
                // A list may be in the middle of an edit: report its errors and wait for the next
                // change.
                isHeld = (error as? CommandFailure)?.exitCode == 75
                if !isHeld || !wasHeld { context.messages.line("\(error)", .error) }
            }
            wasHeld = isHeld
            isFirst = false
            repeat {
                if signals.exitCode == nil, command.printsNotes, !isHeld {
                    let what =
                        watch.count == 0
                        ? "for what is not there" : "\(Counted(watch.count, "folder"))"
                    context.messages.line("Watching \(what); press Ctrl-C to stop.")
                }
                try await waitForChange(in: watch, orAfter: isHeld ? Self.retryNanoseconds : nil)
                if let code = signals.exitCode { return code }
                // Paths may disappear or appear before the options are read again, so the watch is
                // renewed.
                watch = try makeWatch(command)
            } while !reread(&command)
        }
    }

    /// Reads the options again, since the files that they name may have changed. Reports an error
    /// and returns false if they are now invalid.
    private func reread(_ command: inout BatchCommand) -> Bool {
        do {
            command = try BatchCommand(context)
            return true
        } catch {
            context.messages.line("\(error)", .error)
            return false
        }
    }

    /// Waits until an input has changed and no further change follows, until a signal arrives, or
    /// until the time limit, if there is one.
    private func waitForChange(
        in watch: borrowing FolderWatch, orAfter limit: UInt64? = nil
    ) async throws {
        let start = MonotonicClock.now
        var last: UInt64?
        while signals.exitCode == nil {
            let hasChanged = try rethrowing(watch.hasChanged()) { (error: Errno) in
                CommandFailure(74, "cannot watch the inputs any longer: \(error)")
            }
            if hasChanged { last = MonotonicClock.now }
            if let last, MonotonicClock.elapsed(since: last) >= Self.quietNanoseconds { return }
            if let limit, MonotonicClock.elapsed(since: start) >= limit { return }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Watches the input folders, and the files of lists, theme and placeholder.
    private func makeWatch(_ command: BatchCommand) throws -> FolderWatch {
        try rethrowing(as: failure) { () throws(Errno) in
            var watch = try FolderWatch()
            for folder in command.folders {
                try watch.add(folder) { name, isFolder in
                    name.first != UInt8(ascii: ".")
                        && (isFolder || PictureName.hasPictureExtension(name))
                }
            }
            for operand in context.arguments.operands {
                try add(appearanceOf: FilePath(operand), to: &watch)
            }
            try add(command.ownFiles, to: &watch)
            return watch
        }
    }

    /// Watches the source files of the plan, and the targets of symbolic links.
    private func addSources(
        of plan: BatchPlan, _ command: BatchCommand, to watch: inout FolderWatch
    ) throws {
        var files: [FilePath] = []
        var links: [FilePath] = []
        for index in command.indices(of: plan) {
            let item = try plan.item(at: index)
            let paths = item.filePaths(remoteOnly: command.settings.remoteOnly)
            // The folder of a found file is already watched, but the target of a link in it is not.
            if item.pathInFolder == nil { files += paths } else { links += paths.filter(\.isLink) }
        }
        try rethrowing(add(files, to: &watch), as: failure)
        do throws(Errno) {
            try add(links, to: &watch)
        } catch {
            // The input folders are watched already, so the run continues without these watches.
            context.messages.line(
                "cannot watch the targets of all links: \(error); raise the sysctl "
                    + "fs.inotify.max_user_watches", .note)
        }
    }

    /// Watches files through their folders, since editors replace files. For a symbolic link,
    /// watches the target and every link in between.
    private func add(_ files: [FilePath], to watch: inout FolderWatch) throws(Errno) {
        var names: [[UInt8]: Set<[UInt8]>] = [:]
        for file in files + files.flatMap(\.linksOnPath) {
            names[file.folder.bytes, default: []].insert(Array(file.lastComponent))
        }
        for (bytes, known) in names {
            let folder = FilePath(bytes: bytes)
            if FileFacts.at(folder)?.kind == .folder {
                try watch.add(folder) { name, _ in known.contains(name) }
            } else {
                try add(appearanceOf: folder, to: &watch)
            }
        }
    }

    /// Watches the nearest existing folder above a path, to notice when a missing file or folder
    /// appears or an existing one disappears.
    private func add(appearanceOf path: FilePath, to watch: inout FolderWatch) throws(Errno) {
        var path = path.withoutTrailingSlashes
        while ![".", "..", "/", ""].contains(path.description) {
            let name = Array(path.lastComponent)
            if FileFacts.at(path.folder)?.kind == .folder {
                return try watch.add(path.folder, isAside: true) { found, _ in found == name }
            }
            path = path.folder
        }
    }

    private func failure(_ error: Errno) -> CommandFailure {
        CommandFailure(
            74,
            "cannot watch the inputs: \(error); raise the sysctl fs.inotify.max_user_watches")
    }
}
