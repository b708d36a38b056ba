import Batch
import Console
import Flags
import Notation
import Transport

/// `emblem merge OUT… -o OUT`: combines several sets.
enum MergeCommand {
    static func run(_ context: CommandContext) throws -> Int32 {
        let arguments = context.arguments
        let destination = try arguments.requiredFolder(Options.mergedFolder)
        let folders = arguments.operands.map { FilePath($0) }
        let identities = folders.map { FileFacts.at($0)?.identity }
        if let own = FileFacts.at(destination)?.identity, identities.contains(own) {
            throw arguments.error(
                Options.mergedFolder,
                "The folder is one of the sets, and its manifest would be lost.",
                remedy: "Choose another folder.")
        }
        for (folder, identity) in zip(folders, identities) where identity == nil {
            throw CommandFailure(66, "\(folder) does not exist; check the path")
        }
        for (index, identity) in identities.enumerated() {
            guard let first = identities.firstIndex(of: identity), first < index else { continue }
            throw UsageError(
                "\(folders[first]) is given twice, as \(folders[index]).",
                remedy: "Name each set once.")
        }
        do {
            let merge = try SetMerge(folders)
            let output = try OutputFolder(destination)
            let lock = try OutputLock(output)
            let other =
                try RunHistory.existing(in: output) == nil
                ? merge.otherSet(in: destination) : "later runs continue the set in it"
            if let other {
                throw arguments.error(
                    Options.mergedFolder, "The folder cannot be used: \(other).",
                    remedy: "Choose another folder.")
            }
            let ledger = OutputLedger(output)
            defer {
                if let notice = ledger.moved.notice { context.messages.line(notice, .note) }
            }
            let (counts, former, changes) = try merge.write(into: output, ledger)
            _ = consume lock
            if !arguments[Options.quiet] {
                context.messages.line(
                    "Merged \(Counted(counts.outputs, "file")) of "
                        + "\(Counted(counts.done, "item")) from "
                        + "\(Counted(folders.count, "set")) into \(destination)")
                if let words = changes?.words {
                    context.messages.line("Since the last run: \(words)")
                }
                if former > 0 {
                    context.messages.line(
                        "\(Counted(former, "file is", many: "files are")) left of the earlier set "
                            + "in this folder; 'emblem verify "
                            + "\(ShellWord.quoted("\(destination)"))' lists "
                            + "\(former == 1 ? "it" : "them")")
                }
                if !merge.areShards {
                    context.messages.line(
                        "The sets are not shards of one list: their items follow each other set by "
                            + "set."
                    )
                }
            }
            if counts.failed > 0 {
                context.messages.line(
                    "\(Counted(counts.failed, "item has", many: "items have")) no output; 'emblem "
                        + "failures \(ShellWord.quoted("\(destination)"))' lists them",
                    .note)
            }
            guard let missing = missingItems(of: merge) else { return counts.failed > 0 ? 1 : 0 }
            context.messages.line(missing, .note)
            return 1
        } catch let error as MergeError {
            throw CommandFailure(65, "\(error)")
        } catch let error as OutletError {
            throw CommandFailure(error)
        }
    }

    /// Returns a text about the items of the list that the merged set lacks; nil if none are known
    /// to be missing.
    private static func missingItems(of merge: SetMerge) -> String? {
        let shards = merge.missingShards
        if let first = shards.first {
            let shown = shards.prefix(shownShards).map { String($0.index) }
            var numbers = shown.joined(separator: ", ")
            if shards.count > shownShards { numbers += " and \(shards.count - shownShards) more" }
            return "of \(first.count) shards \(shards.count == 1 ? "one is" : "some are") missing: "
                + "\(numbers). Run 'emblem batch' with --shard "
                + "\(first.index)/\(first.count)\(shards.count == 1 ? "" : " and so on"), then "
                + "merge all sets"
        }
        guard merge.areShards, merge.missingCount > 0 else { return nil }
        return "\(Counted(merge.missingCount, "item")) of the list "
            + "\(merge.missingCount == 1 ? "is" : "are") in none of the sets. Name the sets of all "
            + "shards"
    }

    /// The most missing shards that the text names.
    private static let shownShards = 10
}
