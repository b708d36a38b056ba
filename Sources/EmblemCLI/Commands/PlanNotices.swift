import Batch
import Console
import Engine
import Flags
import Notation
import Raster
import Render
import Targets
import Theming
import Transport

/// The notes about inputs, names and target folders before a run, for example about shared ids or
/// URLs without a scheme.
struct PlanNotices {
    /// The most notices about names of each kind.
    private static let shownLimit = 3

    let plan: BatchPlan
    let settings: RunSettings
    let spots: [TargetSpot]
    let targets: [OpenTarget]
    let folder: OutputFolder
    /// The end of the names of dark twins in input folders; nil if the option is not set.
    let darkSuffix: String?

    var lines: [String] {
        let items = plan.renamedExamples.map { index in
            plan.item(at: index)
        }
        let contested = ContestedNames(items, settings.mask).lines.prefix(Self.shownLimit)
        return Array(contested) + ambiguousNames(items) + forgottenSchemes + likelyLists
            + longFields + idleTwins + idleFocus
            + emptyLists + emptyFolders + skippedFiles + skippedOutputs
            + formerFolders
            + formerSets
    }

    /// Target folders of the last run that this run does not use.
    private var formerFolders: [String] {
        TargetFolders.left(by: targets, of: folder.path).map { target in
            "the folder of \(target.kind.rawValue) was \(target.folder) before; its files stay "
                + "there"
        }
    }

    /// Other sets that no longer use a target folder of this run.
    private var formerSets: [String] {
        // The run reports a folder that cannot be read.
        let released = (try? TargetFolders.released(on: targets, besides: folder)) ?? []
        return released.map { target, out in
            "the set in \(PrintableText.escaped("\(out)", limit: 200)) no longer uses "
                + "\(target); its files stay there"
        }
    }

    /// Output folders among the inputs, which are skipped.
    private var skippedOutputs: [String] {
        guard let first = plan.skips.firstOutput else { return [] }
        let shown = PrintableText.escaped("\(first)", limit: 120)
        guard plan.count > 0 else {
            return [
                "skipped the output folder \(shown); choose another output folder with -o"
            ]
        }
        let more = plan.skips.outputs - 1
        return [
            "skipped output folders: \(shown)"
                + (more > 0 ? " and \(Counted(more, "more folder"))" : "")
        ]
    }

    /// Fields that span several lines, probably because a quote is missing.
    private var longFields: [String] {
        let (count, first) = plan.longFields
        guard let first else { return [] }
        let shown = PrintableText.escaped(settings.mask.shown(first.list), limit: 120)
        let more = count > 1 ? ", as do fields in \(Counted(count - 1, "more row"))" : ""
        return [
            "a field of row \(first.row) (line \(first.line)) of \(shown) spans \(first.lines) "
                + "lines\(more); check whether a quote is missing"
        ]
    }

    /// Sources for dark outputs that have no effect.
    private var idleTwins: [String] {
        if plan.darkCount == 0, let darkSuffix {
            return [
                "no image in an input folder has a twin whose name ends in "
                    + "\(PrintableText.escaped(darkSuffix, limit: 60)), so --dark-suffix has no effect"
            ]
        }
        guard plan.darkCount > 0, !settings.schemes.contains(.dark) else { return [] }
        let items = Counted(plan.darkCount, "item has", many: "items have")
        return [
            "\(items) a source for dark emblems, but no dark emblems are made; add --scheme both"
        ]
    }

    private var idleFocus: [String] {
        guard plan.idleFocusCount > 0, settings.recipe.mode == .fit
        else { return [] }
        let rows = Counted(plan.idleFocusCount, "row has", many: "rows have")
        return ["\(rows) a focus, which has no effect on fitted images; add --mode fill"]
    }

    private var emptyLists: [String] {
        let (count, first) = plan.emptyLists
        guard count > 0 else { return [] }
        let shown = PrintableText.escaped(settings.mask.shown(first), limit: 120)
        let more = count > 1 ? " and \(Counted(count - 1, "more list"))" : ""
        return ["the list \(shown)\(more) has no rows"]
    }

    private var emptyFolders: [String] {
        guard let first = plan.skips.firstEmptyFolder else { return [] }
        let shown = PrintableText.escaped(settings.mask.shown("\(first)"), limit: 120)
        let more = plan.skips.emptyFolders - 1
        return [
            more > 0
                ? "no images in \(shown) and \(Counted(more, "more folder"))"
                : "no images in \(shown)"
        ]
    }

    private var skippedFiles: [String] {
        let (files, links) = (plan.skips.otherFiles + plan.skips.specials, plan.skips.links)
        var lines: [String] = []
        if files > 0 {
            lines.append(
                "skipped \(Counted(files, "file")) without an image extension"
                    + "\(example(plan.skips.otherFile))")
        }
        if links > 0 {
            lines.append(
                "\(Counted(links, "symbolic link is", many: "symbolic links are")) not "
                    + "followed\(example(plan.skips.link)); name their folders as inputs"
            )
        }
        return lines
    }

    private func example(_ path: FilePath?) -> String {
        path.map { ", such as \(PrintableText.escaped("\($0)", limit: 120))" } ?? ""
    }

    private var forgottenSchemes: [String] {
        let (count, first) = plan.forgottenSchemes
        guard count > 0, let address = SourceReference.forgottenScheme(in: first) else { return [] }
        let shown = PrintableText.escaped(settings.mask.shown(address), limit: 120)
        return [
            "\(Counted(count, "row")) may be a URL without its scheme and is read as a path; write "
                + "\(shown)"
        ]
    }

    private var likelyLists: [String] {
        let (count, first) = plan.likelyLists
        guard count > 0 else { return [] }
        // The text is not shortened, since users copy it.
        let shown = PrintableText.escaped(ShellWord.quoted(settings.mask.shown(first)))
        return [
            "\(Counted(count, "source has", many: "sources have")) the name of a list but "
                + "\(count == 1 ? "was" : "were") read as an image; to read a list, type --list \(shown)"
        ]
    }

    /// Names that have files of an earlier run, but that no item gets now because several items
    /// want them.
    private func ambiguousNames(_ items: [BatchItem]) -> [String] {
        var names: [String] = []
        for item in items where !names.contains(item.wantedName) {
            var former = item
            former.name = item.wantedName
            // Some targets name files independently of the item; then the same file is written
            // again.
            guard let path = former.plannedNames(in: settings, spots).first,
                !item.plannedNames(in: settings, spots).contains(path),
                let file = RelativePath(path), exists(file)
            else { continue }
            names.append(item.wantedName)
        }
        return names.prefix(Self.shownLimit).map { name in
            let shown = PrintableText.escaped(name, limit: 60)
            return
                "the name \"\(shown)\" is now ambiguous: every source with it gets a suffix, and "
                + "files of that name are no longer produced"
        }
    }

    private func exists(_ file: RelativePath) -> Bool {
        (try? folder.exists(file)) == true
    }
}
