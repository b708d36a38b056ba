import Artwork
import Batch
import Codecs
import Console
import Engine
import Flags
import Notation
import Raster
import Render
import Targets
import Theming
import Transport

/// `--dry-run`: prints the whole plan and writes nothing.
struct DryRun {
    let command: BatchCommand
    let plan: BatchPlan

    func run() throws -> Int32 {
        let output = command.context.output
        let settings = command.settings
        var items = 0
        var files = 0
        var shared = 0
        var missing = 0
        var faulty = 0
        var planned: Set<String> = []
        let arguments = command.context.arguments
        let prunes = arguments[Options.prune] != nil
        let isJSON = arguments[Options.progress] == "json"
        let listsItems = !isJSON && !arguments[Options.quiet]
        for index in command.indices(of: plan) {
            let item = plan.item(at: index)
            items += 1
            let names = item.plannedNames(in: settings, command.spots)
            if item.sharesFilesWith == nil { files += names.count } else { shared += 1 }
            let fault = item.fault(in: settings)
            if fault != nil { faulty += 1 }
            if isJSON {
                try output.write(json(of: item, names, fault))
            } else if listsItems {
                try output.write(text(of: item, names, fault))
            }
            if prunes {
                planned.formUnion(item.possibleNames(in: settings, command.spots))
                if isMissing(item) { missing += 1 }
            }
        }
        command.context.warnAboutUnreadableFolders(of: plan)
        let orphans = prunes ? try orphans(planned, items: items, missing: missing) : nil
        let isIncomplete = orphans?.withheld != nil || plan.skips.unreadableCount > 0
        let code: Int32 = isIncomplete ? 1 : 0
        if isJSON {
            try output.write(
                summaryRecord(
                    items: items, files: files, shared: shared, faulty: faulty, orphans))
            return code
        }
        guard listsItems else {
            let bad = faulty > 0 ? "; \(Counted(faulty, "row")) cannot be used" : ""
            let gone = orphans.map { "; would delete \(Counted($0.paths.count, "file"))" }
            try output.write(
                "\(Counted(items, "item")), \(Counted(files, "file")) in "
                    + "\(command.destination)\(bad)\(gone ?? "")\n")
            return code
        }
        try output.write(summary(items: items, files: files, shared: shared))
        if faulty > 0 {
            try output.write("\(Counted(faulty, "row")) cannot be used; see 'bad_row' above\n")
        }
        if let orphans { try show(orphans) }
        return code
    }

    /// Returns whether the source is a file that does not exist.
    private func isMissing(_ item: BatchItem) -> Bool {
        if case .file(let path) = item.kind { FileFacts.at(path) == nil } else { false }
    }

    private func text(of item: BatchItem, _ names: [String], _ fault: String?) -> String {
        let note = item.sharesFilesWith.map { "  (the files of item \($0))" } ?? ""
        let source = command.settings.mask.shown(item.source)
        var text = "\(PrintableText.escaped(source))\(note)\n"
        for name in names { text += "  \(PrintableText.escaped(name))\n" }
        if let fault {
            let place =
                item.line.map { "line \($0): " } ?? item.row.map { "row \($0): " } ?? ""
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

    private func summaryRecord(
        items: Int, files: Int, shared: Int, faulty: Int, _ orphans: Orphans?
    ) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("type", "summary")
            json.member("items", items)
            json.member("files", files)
            json.member("sharing", shared)
            json.member("renamed", plan.renamedCount)
            json.member("bad_rows", faulty)
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
    private func orphans(
        _ planned: Set<String>, items: Int, missing: Int
    ) throws -> Orphans? {
        let path = command.destination
        guard FileFacts.at(path)?.kind == .folder else { return nil }
        var orphans = try Orphans(in: try OutputFolder(path), planned: planned)
        let limit = command.context.arguments[Options.prune] ?? 0
        orphans.withheld = orphans.obstacle(to: limit, plan, items: items, missing: missing)
        if let notice = orphans.notice { command.context.warn(notice) }
        return orphans
    }

    private func show(_ orphans: Orphans) throws {
        var text = "Would delete \(Counted(orphans.paths.count, "file")) of earlier runs:\n"
        for path in orphans.paths { text += "  pruned: \(PrintableText.escaped(path))\n" }
        if command.spots.contains(where: { $0.target.kind != .files }) {
            text += "Files of other targets are only known after drawing.\n"
        }
        try command.context.output.write(text)
    }

    private func summary(items: Int, files: Int, shared: Int) -> String {
        var text =
            "\n\(Counted(items, "item")), \(Counted(files, "file"))"
        text += " in \(command.destination)\n"
        for (variant, size) in variants {
            text +=
                "  \(variant.layout.name) at \(JSON.number(ofScale: variant.scale).text)x, "
            text += "\(variant.scheme.rawValue): \(size.height) px high"
            text += variant.format.map { ", \($0.name)\n" } ?? "\n"
        }
        for spot in command.spots { text += documentLines(of: spot) }
        text +=
            "\(Counted(plan.renamedCount, "set")) of files renamed because other items have the "
        text +=
            "same name, \(Counted(shared, "item shares", many: "items share")) the files of "
            + "another item\n"
        for index in plan.renamedExamples {
            text += "  renamed: item \(index)\n"
        }
        text += "\(plan.skips.count) files in folders skipped, because their names have no image "
        text += "extension\n"
        text += spaceLine(files: files)
        return text
    }

    /// Returns lines for the first files that describe all items, such as indexes and the colours
    /// of the theme.
    private func documentLines(of spot: TargetSpot) -> String {
        let names = spot.documentNames
        var text = ""
        for name in names.prefix(4) {
            text += "  for all items: \(PrintableText.escaped(name))\n"
        }
        if names.count > 4 { text += "  and \(names.count - 4) more\n" }
        return text
    }

    /// The outputs of an item, with their sizes.
    private var variants: [(variant: Variant, size: PixelSize)] {
        let theme = command.settings.theme
        let recipe = command.settings.recipe
        return recipe.variants.map { ($0, recipe.style(for: $0, in: theme).plainCanvas) }
    }

    /// Returns a line that compares the free disk space with an upper estimate: an emblem rarely
    /// needs two bytes per pixel.
    private func spaceLine(files: Int) -> String {
        let pixels = variants.reduce(0) { sum, variant in sum + variant.size.area }
        let perFile = variants.isEmpty ? 0 : pixels * 2 / variants.count
        let needed = perFile * files
        let folder = FileFacts.nearestFolder(to: command.destination)
        guard let free = FileFacts.freeBytes(at: folder) else { return "" }
        let verdict = needed <= free ? "enough" : "not enough"
        return "at most about \(megabytes(needed)) needed, \(megabytes(free)) free: \(verdict)\n"
    }

    private func megabytes(_ bytes: Int) -> String {
        "\(ProgressReport.grouped(max(1, bytes >> 20))) MB"
    }
}
