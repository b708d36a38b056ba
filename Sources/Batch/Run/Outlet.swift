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
    package var holdsFailures: Bool { lastManifest.holdsOutputs }
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
        var outputs: [OutputRecord] = []
        outputs.reserveCapacity(planned.count)
        for place in planned.indices {
            try settle(&planned[place], past: past, beside: outputs)
            outputs.append(planned[place].output)
        }
        let new = planned.filter { !$0.isStanding }
        try rethrowing(as: JobStop.init) { () throws(OutletError) in
            try ledger.journal?.announce(new.map { OwnedFile($0.output) }, of: item.index)
        }
        for index in planned.indices where !planned[index].isStanding {
            outputs[index].modified = try write(planned[index])
        }
        // An equal picture at the same path has the time of the first one.
        for index in planned.indices where planned[index].isStanding && outputs[index].modified == 0
        {
            let first = outputs.first { $0.isPlaced(like: outputs[index]) }
            outputs[index].modified = first?.modified ?? 0
        }
        return outputs
    }

    private struct Planned {
        var output: OutputRecord
        let image: RenderedImage
        let folder: OutputFolder
        /// Whether the file has the same bytes already, from an earlier run or an equal picture.
        var isStanding = false
        /// Whether the item may replace the file without another check.
        var isOurs = false
    }

    /// Decides whether an output must be written.
    ///
    /// - Throws: If its path is blocked, so that an item writes all of its outputs or none.
    private func settle(
        _ planned: inout Planned, past: PastItem?, beside outputs: [OutputRecord]
    ) throws(JobStop) {
        let output = planned.output
        let other = outputs.first { $0.isPlaced(like: output) }
        if let known = past?.output(like: output) ?? other, known.sha256 == output.sha256 {
            planned.output.modified = known.modified
            planned.isStanding = true
            return
        }
        guard let path = RelativePath(output.path) else { throw .outside }
        planned.isOurs =
            other != nil
            || past?.isOfLastRun == true && !ledger.isFresh(OwnedFile(output))
                && past?.record.outputs.contains { $0.isPlaced(like: output) } == true
        try rethrowing(as: JobStop.init) { [planned] () throws(OutletError) in
            guard let there = try planned.folder.obstacle(at: path) else { return }
            if there.kind != .file {
                throw .inTheWay(path: planned.folder.display(path), what: there.kind)
            }
            try check(planned, path, there)
        }
    }

    private func check(
        _ planned: Planned, _ path: RelativePath, _ there: FileFacts
    ) throws(OutletError) {
        guard !planned.isOurs else { return }
        try ledger.checkPlace(for: OwnedFile(planned.output), at: path, in: planned.folder, there)
    }

    /// Writes an output and returns its modification time.
    private func write(_ planned: Planned) throws(JobStop) -> Int64 {
        guard let path = RelativePath(planned.output.path) else { throw .outside }
        return try rethrowing(as: JobStop.init) { () throws(OutletError) in
            try planned.folder.write(
                planned.image.bytes.span, to: path, keepsEqual: true
            ) { there throws(OutletError) in
                try check(planned, path, there)
                try lastManifest.stepAside()
                // Without its second name, only an emblem whose source fails later in this run is
                // lost.
                try? planned.folder.link(path, to: LastManifest.place(of: path))
            }.modified
        }
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

    /// Returns the folder of a file; nil if this run has none for it.
    func folder(of file: OwnedFile) -> OutputFolder? {
        guard file.isElsewhere else { return folder }
        let target = targets.first { $0.target.kind.rawValue == file.kind && $0.root.isElsewhere }
        return target?.root.folder
    }

    package func folder(of output: OutputRecord) -> OutputFolder? {
        output.isElsewhere ? folder(of: OwnedFile(output)) : folder
    }

    var folders: [OutputFolder] {
        [folder] + targets.filter(\.root.isElsewhere).map(\.root.folder)
    }
}

extension JobStop {
    /// The failure of a name that leaves the folder.
    static let outside = JobStop.failure(
        ItemFailure(.write, stage: .write, detail: "the name leads out of the folder"))

    /// A path that is taken fails the item; any other error ends the run.
    fileprivate init(_ error: OutletError) {
        switch error {
        case .inTheWay, .foreign:
            self = .failure(ItemFailure(.write, stage: .write, detail: "\(error)"))
        default: self = .fatal(error)
        }
    }
}
