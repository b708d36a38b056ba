import Batch
import Console
import Engine
import Flags
import Notation
import Targets
import Transport

/// `--dry-run`: prints the plan and writes nothing.
struct DryRun {
    /// The number of items to print without `--verbose`.
    private static let shownItems = 10

    let command: BatchCommand
    let plan: BatchPlan

    private struct Counts {
        var items = 0
        var files = 0
        var shared = 0
        var faulty = 0
        var missing = 0
    }

    func run() throws -> Int32 {
        let (context, arguments) = (command.context, command.context.arguments)
        let prunes = arguments[Options.prune] != nil
        let isJSON = arguments[Options.progress] == "json"
        let shownItems =
            arguments[Options.quiet] ? 0 : arguments[Options.verbose] ? .max : Self.shownItems
        var counts = Counts()
        var planned: Set<String> = []
        for index in command.indices(of: plan) {
            let item = plan.item(at: index)
            counts.items += 1
            let names = item.plannedNames(in: command.settings, command.spots)
            if item.sharesFilesWith == nil {
                counts.files += names.count
            } else {
                counts.shared += 1
            }
            let fault = item.fault(in: command.settings)
            if fault != nil { counts.faulty += 1 }
            if isJSON {
                try context.output.write(json(of: item, names, fault))
            } else if counts.items <= shownItems {
                try context.output.write(text(of: item, names, fault))
            }
            if prunes {
                planned.formUnion(item.possibleNames(in: command.settings, command.spots))
                if case .file(let path) = item.kind, FileFacts.at(path) == nil {
                    counts.missing += 1
                }
            }
        }
        context.warnAboutUnreadableFolders(of: plan)
        let orphans = prunes ? try orphans(planned, counts) : nil
        if isJSON {
            try context.output.write(summaryRecord(counts, orphans))
        } else {
            if counts.items > shownItems, shownItems > 0 {
                let more = Counted(counts.items - shownItems, "more item")
                try context.output.write("… and \(more), which --verbose lists\n")
            }
            try context.output.write(summary(counts, orphans, listsFiles: shownItems > 0))
        }
        return orphans?.withheld != nil || plan.skips.unreadableCount > 0 ? 1 : 0
    }

    private func text(of item: BatchItem, _ names: [String], _ fault: String?) -> String {
        let note = item.sharesFilesWith.map { "  (the files of item \($0))" } ?? ""
        let source = command.settings.mask.shown(item.source)
        var text = "\(PrintableText.escaped(source))\(note)\n"
        for name in names { text += "  \(PrintableText.escaped(name))\n" }
        if let fault {
            let place = item.line.map { "line \($0): " } ?? item.row.map { "row \($0): " } ?? ""
            text += "  bad_row: \(place)\(PrintableText.escaped(fault))\n"
        }
        return text
    }

    private func json(of item: BatchItem, _ names: [String], _ fault: String?) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("type", "item")
            json.member("index", item.index)
            if let row = item.row { json.member("row", row) }
            json.member("id", item.id)
            json.member("name", item.name)
            json.member("source", command.settings.mask.shown(item.source))
            if let line = item.line { json.member("line", line) }
            if let first = item.sharesFilesWith { json.member("shares_files_with", first) }
            if let fault { json.member("bad_row", fault) }
            json.array("outputs") { json in
                for name in names { json.write(name) }
            }
        }
        json.endLine()
        return json.take()
    }

    private func summaryRecord(_ counts: Counts, _ orphans: Orphans?) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("type", "summary")
            json.member("items", counts.items)
            json.member("files", counts.files)
            json.member("sharing", counts.shared)
            json.member("renamed", plan.renamedCount)
            json.member("bad_rows", counts.faulty)
            json.member("skipped_files", plan.skips.count)
            if let orphans {
                json.array("pruned") { json in
                    for path in orphans.paths { json.write("\(path)") }
                }
            }
        }
        json.endLine()
        return json.take()
    }

    /// Returns the files that `--prune` would delete; nil if the output folder does not exist.
    private func orphans(_ planned: Set<String>, _ counts: Counts) throws -> Orphans? {
        let path = command.destination
        guard FileFacts.at(path)?.kind == .folder else { return nil }
        var orphans = try Orphans(in: try OutputFolder(path), planned: planned)
        let limit = command.context.arguments[Options.prune] ?? 0
        orphans.withheld = orphans.obstacle(
            to: limit, plan, items: counts.items, missing: counts.missing)
        if let notice = orphans.notice { command.context.messages.line(notice, .error) }
        return orphans
    }

    private func summary(_ counts: Counts, _ orphans: Orphans?, listsFiles: Bool) -> String {
        var text =
            "\(Counted(counts.items, "item")), \(Counted(counts.files, "file")) in "
            + "\(command.destination)"
        if counts.shared > 0 {
            text +=
                "; \(Counted(counts.shared, "item shares", many: "items share")) the files of "
                + "another item"
        }
        if plan.renamedCount > 0 {
            text +=
                "; \(Counted(plan.renamedCount, "item")) renamed, because other items have the "
                + "same name"
        }
        if counts.faulty > 0 { text += "; \(Counted(counts.faulty, "row")) cannot be used" }
        guard let orphans else { return text + "\n" }
        text += "; would delete \(Counted(orphans.paths.count, "file")) of earlier runs\n"
        guard listsFiles else { return text }
        for path in orphans.paths { text += "  pruned: \(PrintableText.escaped(path))\n" }
        if command.spots.contains(where: { $0.target.kind != .files }) {
            text += "Files of other targets are only known after drawing.\n"
        }
        return text
    }
}
