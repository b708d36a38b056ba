import Artwork
import Batch
import Codecs
import Console
import Engine
import Flags
import Notation
import Render
import Targets
import Theming
import Transport

/// `--dry-run`: the whole plan on standard output, and nothing written.
struct DryRun {
    let command: BatchCommand
    let plan: BatchPlan

    func run() throws -> Int32 {
        let output = command.context.output
        let settings = command.settings
        var items = 0
        var files = 0
        var shared = 0
        var faulty = 0
        var planned: Set<String> = []
        let leavesNothing = command.context.arguments[Options.prune]
        for index in command.indices(of: plan) {
            let item: BatchItem
            do throws(PlanError) {
                item = try plan.item(at: index)
            } catch {
                throw CommandFailure(error.exitCode, "\(error)")
            }
            items += 1
            let names = item.plannedNames(in: settings, command.spots)
            if item.sharesFilesWith == nil { files += names.count } else { shared += 1 }
            let note = item.sharesFilesWith.map { "  (the files of item \($0))" } ?? ""
            try output.write("\(PrintableText.escaped(settings.mask.shown(item.source)))\(note)\n")
            for name in names { try output.write("  \(PrintableText.escaped(name))\n") }
            if let fault = item.fault(in: settings) {
                faulty += 1
                let line = item.line.map { "line \($0): " } ?? ""
                try output.write("  bad_row: \(line)\(PrintableText.escaped(fault))\n")
            }
            if leavesNothing {
                planned.formUnion(item.possibleNames(in: settings, command.spots))
            }
        }
        try output.write(summary(items: items, files: files, shared: shared))
        if faulty > 0 {
            try output.write("\(Counted(faulty, "row")) cannot be used; see bad_row above\n")
        }
        if leavesNothing { try showOrphans(planned) }
        return 0
    }

    /// What `--prune` would take away.
    private func showOrphans(_ planned: Set<String>) throws {
        let path = command.destination
        guard FileFacts.at(path)?.kind == .folder else { return }
        let orphans: Orphans
        do throws(OutletError) {
            orphans = try Orphans(in: try OutputFolder(path), planned: planned)
        } catch {
            throw CommandFailure(error)
        }
        var text = "\(Counted(orphans.paths.count, "file")) of earlier runs would be taken away\n"
        for path in orphans.paths { text += "  pruned: \(PrintableText.escaped(path))\n" }
        if command.spots.contains(where: { $0.target.kind != .files }) {
            text += "what other targets leave is known once their pictures are drawn\n"
        }
        try command.context.output.write(text)
    }

    private func summary(items: Int, files: Int, shared: Int) -> String {
        var text =
            "\n\(Counted(items, "item")), \(Counted(files, "file"))"
        text += " in \(command.destination)\n"
        for variant in command.settings.recipe.variants {
            let height = command.settings.recipe.style(for: variant, in: command.settings.theme)
                .height
            text += "  \(variant.layout.name) at \(JSON.number(ofScale: variant.scale).text)x, "
            text += "\(variant.scheme.rawValue): \(height) px high"
            text += variant.format.map { ", \($0.name)\n" } ?? "\n"
        }
        for spot in command.spots { text += documents(of: spot) }
        text += "\(Counted(plan.renamedCount, "set")) of files renamed because others wanted their "
        text +=
            "name, \(Counted(shared, "item shares", many: "items share")) the files of another\n"
        for index in plan.renamedExamples {
            text += "  renamed: item \(index)\n"
        }
        text += "\(plan.skips.count) files in folders skipped, since they are no pictures by their "
        text += "name\n"
        text += room(files: files)
        return text
    }

    /// The first files about all items, since a theme has many colours.
    private func documents(of spot: TargetSpot) -> String {
        let names = spot.documentNames
        var text = ""
        for name in names.prefix(4) {
            text += "  about all items: \(PrintableText.escaped(name))\n"
        }
        if names.count > 4 { text += "  and \(names.count - 4) more like it\n" }
        return text
    }

    /// A generous guess against what the disk has: an emblem rarely takes two bytes a pixel.
    private func room(files: Int) -> String {
        let variants = command.settings.recipe.variants
        let pixels = variants.reduce(0) { sum, variant in
            let height = command.settings.recipe.style(for: variant, in: command.settings.theme)
                .height
            return sum + height * height
        }
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
