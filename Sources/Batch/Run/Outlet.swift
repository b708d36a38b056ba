import Artwork
import Codecs
import Engine
import Raster
import Render
import Theming
import Transport

/// Where the outputs of a run go, and under which names.
package struct Outlet: OutputSink {
    package let folder: OutputFolder
    package let template: NameTemplate
    /// The template as it was typed; `nil` for the standard one.
    package let templateText: String?
    package var isOnePlace: Bool { true }
    /// Each output is synced as it is written.
    package let syncsEachOutput: Bool

    package init(folder: OutputFolder, templateText: String?, syncsEachOutput: Bool = false)
        throws(PlanError)
    {
        self.folder = folder
        self.template =
            try templateText.map { text throws(PlanError) in try NameTemplate(text) }
            ?? .standard
        self.templateText = templateText
        self.syncsEachOutput = syncsEachOutput
    }

    /// Writes what was drawn. A name that is taken by something else fails this item alone; a
    /// folder that takes no more bytes ends the run.
    package func store(
        _ images: [RenderedImage], of item: BatchItem, past: PastItem?
    ) throws(JobStop) -> [OutputRecord] {
        var outputs: [OutputRecord] = []
        outputs.reserveCapacity(images.count)
        for image in images {
            let path = try template.path(of: image, item)
            var output = OutputRecord(image, path: path.text)
            if let past = past?.output(at: path.text), past.sha256 == output.sha256 {
                // The same bytes stand there already.
                outputs.append(past)
                continue
            }
            do throws(OutletError) {
                output.modified = try folder.write(
                    image.bytes.span, to: path, sync: syncsEachOutput
                ).modified
            } catch {
                guard case .inTheWay = error else { throw .fatal(error) }
                throw .failure(ItemFailure(.write, stage: .write, detail: "\(error)"))
            }
            outputs.append(output)
        }
        return outputs
    }
}

extension NameTemplate {
    /// The path of a finished picture.
    package func path(of image: RenderedImage, _ item: BatchItem) throws(JobStop) -> RelativePath {
        let variant = image.variant
        let path = path(
            name: item.name, layout: variant.layout.name, scale: variant.scale,
            height: image.size.height, fileExtension: image.format.fileExtension,
            scheme: variant.scheme.rawValue, source: item.plainSource)
        guard let path else {
            throw .failure(
                ItemFailure(.write, stage: .write, detail: "the name leads outside the folder"))
        }
        return path
    }
}
