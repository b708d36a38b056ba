import Artwork
import Codecs
import Digest
import Engine
import Raster
import Render
import Targets
import Theming
import Transport

/// Where the outputs of a run go, and under which names.
package struct Outlet: OutputSink {
    package let folder: OutputFolder
    /// The template as it was typed; `nil` for the standard one.
    package let templateText: String?
    /// What the pictures are laid out for; one that is a folder of files in OUT, as a rule.
    package let targets: [OpenTarget]
    package var isOnePlace: Bool { true }
    /// Each output is synced as it is written.
    package let syncsEachOutput: Bool
    /// No item has more layouts than one unless its row says so.
    private let hasOneLayout: Bool

    package init(folder: OutputFolder, templateText: String?, syncsEachOutput: Bool = false)
        throws(PlanError)
    {
        let template = try NameTemplate.reading(templateText)
        self.init(
            folder: folder, templateText: templateText,
            targets: [OpenTarget(plain: template, in: folder)], hasOneLayout: false,
            syncsEachOutput: syncsEachOutput)
    }

    package init(
        folder: OutputFolder, templateText: String?, targets: [OpenTarget], hasOneLayout: Bool,
        syncsEachOutput: Bool = false
    ) {
        self.folder = folder
        self.templateText = templateText
        self.targets = targets
        self.hasOneLayout = hasOneLayout
        self.syncsEachOutput = syncsEachOutput
    }

    /// Writes what was drawn. A name that is taken by something else fails this item alone; a
    /// folder that takes no more bytes ends the run.
    package func store(
        _ images: [RenderedImage], of item: BatchItem, past: PastItem?
    ) throws(JobStop) -> [OutputRecord] {
        var outputs: [OutputRecord] = []
        outputs.reserveCapacity(images.count)
        let digests = images.map { SHA256.hash($0.bytes.span).hex }
        for target in targets {
            let held = images.indices.filter { target.holds(images[$0].variant) }
            let variants = held.map { images[$0].variant }
            let shape = ItemShape(variants, hasOneLayout: hasOneLayout)
            for index in held {
                let image = images[index]
                let planned = try target.output(image, of: item, shape, digest: digests[index])
                outputs.append(
                    try stored(planned, image, in: target, past: past, beside: outputs))
            }
        }
        return outputs
    }

    private func stored(
        _ planned: OutputRecord, _ image: RenderedImage, in target: OpenTarget, past: PastItem?,
        beside outputs: [OutputRecord]
    ) throws(JobStop) -> OutputRecord {
        // The same bytes stand there already: left by an earlier run, or by a picture that is equal.
        let known = past?.output(like: planned) ?? outputs.first { $0.isPlaced(like: planned) }
        var output = planned
        if let known, known.sha256 == planned.sha256 {
            output.modified = known.modified
            return output
        }
        guard let path = RelativePath(planned.path) else { throw .outside }
        do throws(OutletError) {
            output.modified = try target.pictures.folder.write(
                image.bytes.span, to: path, sync: syncsEachOutput
            ).modified
        } catch {
            guard case .inTheWay = error else { throw .fatal(error) }
            throw .failure(ItemFailure(.write, stage: .write, detail: "\(error)"))
        }
        return output
    }

    /// The folder that an output's path starts in; nil where this run names none for it.
    func folder(of output: OutputRecord) -> OutputFolder? {
        guard output.isElsewhere else { return folder }
        let kind = output.target ?? TargetKind.files.rawValue
        let target = targets.first { $0.target.kind.rawValue == kind && $0.pictures.isElsewhere }
        return target?.pictures.folder
    }

    /// Every folder that the run writes to.
    var folders: [OutputFolder] {
        [folder] + targets.filter(\.files.isElsewhere).map(\.files.folder)
    }
}

extension JobStop {
    /// A name that is no name of ours.
    static let outside = JobStop.failure(
        ItemFailure(.write, stage: .write, detail: "the name leads outside the folder"))
}

extension NameTemplate {
    /// The path of a finished picture.
    package func path(of image: RenderedImage, _ item: BatchItem) throws(JobStop) -> RelativePath {
        let variant = image.variant
        let path = path(
            name: item.name, layout: variant.layout.name, scale: variant.scale,
            height: image.size.height, fileExtension: image.format.fileExtension,
            scheme: variant.scheme.rawValue, source: item.plainSource)
        guard let path else { throw .outside }
        return path
    }

    /// The path of a picture that may not be drawn yet.
    package func path(of picture: TargetPicture) -> RelativePath? {
        path(
            name: picture.item.name, layout: picture.variant.layout.name,
            scale: picture.variant.scale, height: picture.height,
            fileExtension: picture.fileExtension, scheme: picture.variant.scheme.rawValue,
            source: picture.item.plainSource)
    }

    /// The template that was typed, else the standard one.
    static func reading(_ text: String?) throws(PlanError) -> NameTemplate {
        guard let text else { return .standard }
        return try NameTemplate(text)
    }
}
