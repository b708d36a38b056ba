import Batch
import Console
import Engine
import Notation
import Transport

extension CommandContext {
    /// Reports the folders below the inputs that could not be read, even with --quiet: the set
    /// lacks their images.
    func warnAboutUnreadableFolders(of plan: BatchPlan) {
        let skips = plan.skips
        guard skips.unreadableCount > 0 else { return }
        for text in skips.unreadable {
            warn("cannot read the folder \(PrintableText.escaped(text)); skipping its pictures")
        }
        let more = skips.unreadableCount - skips.unreadable.count
        if more > 0 { warn("cannot read \(Counted(more, "more folder"))") }
    }

    /// Prints the notices about inputs and names that change what a person does next.
    func printNotices(of plan: BatchPlan, _ mask: SourceMask) {
        let notices = PlanNotices(plan: plan, mask: mask)
        let warnings = [
            notices.contestedNames, notices.forgottenSchemes, notices.likelyLists,
            notices.nothingFound,
        ]
        for text in warnings.joined() { warn(text) }
        for text in notices.skipped { note(text) }
    }
}

private struct PlanNotices {
    /// The most notices about names.
    private static let namesLimit = 3

    let plan: BatchPlan
    let mask: SourceMask

    // MARK: Names

    /// Names that several items want: one id for several emblems, or several ids that lead to one
    /// name.
    var contestedNames: [String] {
        var wanted: [String] = []
        var groups: [String: [BatchItem]] = [:]
        for item in plan.renamedExamples.map({ plan.item(at: $0) }) {
            // File systems may treat names that differ only in case as equal.
            let name = TextForm.folded(item.wantedName)
            if groups[name] == nil { wanted.append(name) }
            groups[name, default: []].append(item)
        }
        return wanted.compactMap { groups[$0] }
            .filter { group in group.contains { $0.givenID != nil } }
            .prefix(Self.namesLimit).map(notice)
    }

    /// Returns the notice about the items that want one name.
    private func notice(_ group: [BatchItem]) -> String {
        let owners = group.map { item in
            let owner =
                item.givenID.map { "the id \"\(shown($0))\"" }
                ?? "the source \"\(shown(mask.shown(item.source)))\""
            return owner + (item.row.map { " (row \($0))" } ?? "")
        }
        let names = group.map { shown($0.name) }.joined(separator: ", ")
        return "\(owners.joined(separator: " and ")) \(group.count == 1 ? "wants" : "want") a name "
            + "that other items want; the files are called \(names)"
    }

    // MARK: Inputs

    var forgottenSchemes: [String] {
        let (count, first) = plan.forgottenSchemes
        guard count > 0, let address = SourceReference.forgottenScheme(in: first) else { return [] }
        return [
            "\(Counted(count, "row")) may be a URL without its scheme and is read as a path; write "
                + shown(mask.shown(address), 120)
        ]
    }

    var likelyLists: [String] {
        let (count, first) = plan.likelyLists
        guard count > 0 else { return [] }
        // The text is not shortened, since users copy it.
        let word = PrintableText.escaped(ShellWord.quoted(mask.shown(first)))
        return [
            "\(Counted(count, "source has", many: "sources have")) the name of a list but "
                + "\(count == 1 ? "was" : "were") read as an image; to read a list, type --list "
                + word
        ]
    }

    /// Lists without rows, folders without images, and an output folder as the only input.
    var nothingFound: [String] {
        var lines: [String] = []
        if plan.emptyLists.count > 0 {
            lines.append(
                "the list \(shown(mask.shown(plan.emptyLists.first), 120)) has no rows"
                    + others(plan.emptyLists.count))
        }
        if let folder = plan.skips.firstEmptyFolder {
            lines.append(
                "no images in \(shown(mask.shown("\(folder)"), 120))"
                    + others(plan.skips.emptyFolders))
        }
        if plan.count == 0, let output = plan.skips.firstOutput {
            lines.append(
                "skipped the output folder \(shown("\(output)", 120)); choose another output "
                    + "folder with -o")
        }
        return lines
    }

    private func others(_ count: Int) -> String {
        count > 1 ? ", and \(Counted(count - 1, "more input")) of this kind" : ""
    }

    var skipped: [String] {
        let skips = plan.skips
        let groups = [
            (
                skips.otherFiles + skips.specials, "file", "without an image extension",
                skips.otherFile
            ),
            (skips.links, "symbolic link", "to a folder, which can be an input", skips.link),
            (plan.count > 0 ? skips.outputs : 0, "output folder", "", skips.firstOutput),
        ]
        return groups.filter { $0.0 > 0 }.map { count, noun, why, first in
            "skipped \(Counted(count, noun))\(why.isEmpty ? "" : " \(why)")"
                + (first.map { ", such as \(shown("\($0)", 120))" } ?? "")
        }
    }

    private func shown(_ text: String, _ limit: Int = 60) -> String {
        PrintableText.escaped(text, limit: limit)
    }
}

extension Orphans {
    /// Returns why `--prune` removed nothing, and what to do; nil if nothing prevented it.
    var notice: String? {
        switch withheld {
        case nil: nil
        case .noItem:
            "--prune deleted nothing: the run has no items, so all files of earlier runs would be "
                + "deleted. Check the inputs"
        case .unreadableFolder:
            "--prune deleted nothing: a folder cannot be read, so the emblems of its pictures "
                + "would be deleted. Make the folder readable, and run again"
        case .missingSources(let count, let total):
            "--prune deleted nothing: \(Figure.grouped(count)) of "
                + "\(Counted(total, "local source")) are missing, for example because a disk is "
                + "not mounted. Restore them, or remove them from the list"
        case .tooMany(let count, let total):
            "--prune deleted nothing: it would delete \(Figure.grouped(count)) of "
                + "\(Counted(total, "file")) of earlier runs. To delete them, use "
                + "--prune=\((count * 100 + total - 1) / total)%"
        }
    }
}
