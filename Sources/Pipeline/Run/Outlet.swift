import Codecs
import Digest
import Raster
import Render
import Theming
import Transport

/// Where the outputs of a run go, and under which names.
package struct Outlet: Sendable {
    package let folder: OutputFolder
    package let template: NameTemplate
    /// The template as it was typed; `nil` for the standard one.
    package let templateText: String?
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
    func store(_ work: inout JobWork) throws(JobStop) {
        // The files of an item that has the same name and source stand already.
        guard let rendering = work.rendering, work.record.outputs.isEmpty else { return }
        work.record.outputs.reserveCapacity(rendering.images.count)
        for image in rendering.images {
            let path = try path(of: image, of: work.item)
            var output = OutputRecord(image, path: path)
            if let past = work.past?.output(at: path.text), past.sha256 == output.sha256 {
                // The same bytes stand there already.
                work.record.outputs.append(past)
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
            work.record.outputs.append(output)
        }
    }

    private func path(of image: RenderedImage, of item: BatchItem) throws(JobStop) -> RelativePath {
        let variant = image.variant
        let path = template.path(
            id: item.id, layout: variant.layout.name, scale: variant.scale,
            height: image.size.height, fileExtension: image.format.fileExtension,
            scheme: variant.scheme.rawValue, source: item.source)
        guard let path else {
            throw .failure(
                ItemFailure(.write, stage: .write, detail: "the name leads outside the folder"))
        }
        return path
    }
}

extension OutputRecord {
    fileprivate init(_ image: RenderedImage, path: RelativePath) {
        self.init(
            path: path.text, layout: image.variant.layout.name, scale: image.variant.scale,
            isDark: image.variant.scheme == .dark, width: image.size.width,
            height: image.size.height, bytes: image.bytes.count,
            sha256: SHA256.hash(image.bytes.span).hex)
    }
}
