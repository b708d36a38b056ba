import Artwork
import Codecs
import Digest
import Engine
import Gauge
import Raster
import Render
import System
import Targets
import Theming
import Transport

/// The destination of a run's outputs, with their names.
package struct Outlet: OutputSink {
    package let folder: OutputFolder
    /// The template as typed; `nil` for the default template.
    package let templateText: String?
    /// The targets of the run; usually only plain files in OUT.
    package let targets: [OpenTarget]
    let targetRecords: [TargetRecord]
    package var storesEqualNamesOnce: Bool { true }
    /// Whether the options of the run name only one layout. A row can still ask for others.
    private let hasOneLayout: Bool
    package let ledger: OutputLedger
    let lastManifest: LastManifest
    private let lastEmblems: LastEmblems

    package init(folder: OutputFolder, templateText: String?)
        throws(PlanError)
    {
        let template = try NameTemplate.parse(templateText)
        self.init(
            folder: folder, templateText: templateText,
            targets: [OpenTarget(plain: template, in: folder)], hasOneLayout: false)
    }

    package init(
        folder: OutputFolder, templateText: String?, targets: [OpenTarget], hasOneLayout: Bool
    ) {
        self.folder = folder
        self.templateText = templateText
        self.targets = targets
        targetRecords = targets.compactMap { TargetRecord($0) }
        self.hasOneLayout = hasOneLayout
        ledger = OutputLedger(folder)
        let others = targets.filter(\.root.isElsewhere).map(\.root.folder)
        lastManifest = LastManifest(folder, others)
        lastEmblems = LastEmblems(folder)
    }

    /// Writes the pictures of an item. If the path of an output is blocked, for example by a
    /// folder, only this item fails; a full disk ends the run.
    package func store(
        _ images: [RenderedImage], of item: BatchItem, past: PastItem?
    ) throws(JobStop) -> [OutputRecord] {
        var planned: [Planned] = []
        let digests = images.map { SHA256.hash($0.bytes.span).hex }
        for target in targets {
            let held = images.indices.filter { target.holds(images[$0].variant) }
            let variants = held.map { images[$0].variant }
            let shape = ItemShape(variants, hasOneLayout: hasOneLayout)
            for index in held {
                let output = try target.output(
                    images[index], of: item, shape, digest: digests[index])
                planned.append(
                    Planned(
                        output: output, image: images[index], folder: target.root.folder))
            }
        }
        try announce(planned, of: item, past)
        var outputs: [OutputRecord] = []
        outputs.reserveCapacity(planned.count)
        for planned in planned {
            outputs.append(try stored(planned, past: past, beside: outputs))
        }
        return outputs
    }

    private struct Planned {
        let output: OutputRecord
        let image: RenderedImage
        let folder: OutputFolder
    }

    private func announce(
        _ planned: [Planned], of item: BatchItem, _ past: PastItem?
    ) throws(JobStop) {
        let new = planned.map(\.output).filter { past?.output(like: $0)?.sha256 != $0.sha256 }
        try rethrowing(
            ledger.announce(new.map { LedgerFile($0) }, of: item.index), as: JobStop.fatal)
    }

    private func stored(
        _ planned: Planned, past: PastItem?, beside outputs: [OutputRecord]
    ) throws(JobStop) -> OutputRecord {
        var output = planned.output
        // The file already has the same bytes, from an earlier run or from an equal picture.
        let other = outputs.first { $0.isPlaced(like: output) }
        if let known = past?.output(like: output) ?? other, known.sha256 == output.sha256 {
            output.modified = known.modified
            return output
        }
        guard let path = RelativePath(output.path) else { throw .outside }
        let wasMade =
            past?.isOfLastRun == true && !ledger.isFresh(LedgerFile(output))
            && past?.record.outputs.contains { $0.isPlaced(like: output) } == true
        let isOurs = other != nil || wasMade
        do throws(OutletError) {
            output.modified = try planned.folder.write(
                planned.image.bytes.span, to: path, keepsEqual: true
            ) { [output] there throws(OutletError) in
                if !isOurs {
                    try ledger.checkPlace(
                        for: LedgerFile(output), at: path, in: planned.folder, there)
                }
                try lastManifest.stepAside()
                // Without its second name, only an emblem whose source fails later in this run is
                // lost.
                try? planned.folder.link(path, to: LastManifest.place(of: path))
            }.modified
        } catch {
            switch error {
            case .inTheWay, .foreign:
                throw .failure(ItemFailure(.write, stage: .write, detail: "\(error)"))
            default: throw .fatal(error)
            }
        }
        return output
    }

    package func lastEmblem(
        of item: BatchItem, _ recipe: Recipe, _ mask: SourceMask
    ) -> LastEmblem? {
        lastEmblems.emblem(of: item, recipe, mask, in: self)
    }

    /// Renames the manifest before a file about the pictures of a target is replaced. Throws if no
    /// run made that file.
    func willReplace(
        _ name: RelativePath, of opened: OpenTarget, _ there: FileFacts
    ) throws(OutletError) {
        try ledger.checkPlace(of: name, opened, there)
        try lastManifest.stepAside()
    }

    /// Returns the folder of an output's path; nil if this run has none for it.
    package func folder(of output: OutputRecord) -> OutputFolder? {
        output.isElsewhere ? folder(of: LedgerFile(output)) : folder
    }

    func folder(of file: LedgerFile) -> OutputFolder? {
        guard file.isElsewhere else { return folder }
        let target = targets.first { $0.target.kind.rawValue == file.kind && $0.root.isElsewhere }
        return target?.root.folder
    }

    /// Returns the files that an item had and no longer has.
    func filesLeft(of past: ItemRecord, by now: ItemRecord) -> [LedgerFile] {
        let kept = Set(LedgerFile.all(of: now, targetRecords).map(\.key))
        return LedgerFile.all(of: past, targetRecords).filter { !kept.contains($0.key) }
    }

    var folders: [OutputFolder] {
        [folder] + targets.filter(\.root.isElsewhere).map(\.root.folder)
    }
}

extension JobStop {
    /// The failure of a name that leaves the folder.
    static let outside = JobStop.failure(
        ItemFailure(.write, stage: .write, detail: "the name leads out of the folder"))
}
