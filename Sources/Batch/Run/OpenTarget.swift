import Codecs
import Engine
import Raster
import Render
import Targets
import Transport

/// A target of a run, with its open folder.
package struct OpenTarget: Sendable {
    /// A folder, and the part of it that files are written to.
    package struct Root: Sendable {
        package let folder: OutputFolder
        /// The prefix of every path, with a final slash; empty for the top of the folder.
        package let prefix: String
        /// Whether the folder is outside OUT.
        package let isElsewhere: Bool

        package init(_ folder: OutputFolder, prefix: String = "", isElsewhere: Bool = false) {
            self.folder = folder
            self.prefix = prefix
            self.isElsewhere = isElsewhere
        }

        func path(_ path: RelativePath) -> RelativePath? { RelativePath(prefix + path.text) }
    }

    package let target: any OutputTarget
    /// The pictures that are made for the target; nil for all.
    package let set: PictureSet?
    package let root: Root

    package init(_ target: any OutputTarget, _ set: PictureSet?, at root: Root) {
        self.target = target
        self.set = set
        self.root = root
    }

    init(plain template: NameTemplate, in folder: OutputFolder) {
        self.init(
            FilesTarget { template.path(of: $0) }, nil, at: Root(folder))
    }

    package func holds(_ variant: Variant) -> Bool { set?.holds(variant) ?? true }

    func output(
        _ image: RenderedImage, of item: BatchItem, _ shape: ItemShape, digest: String
    ) throws(JobStop) -> OutputRecord {
        let picture = TargetPicture(
            item: item, variant: image.variant, height: image.size.height,
            fileExtension: image.format.fileExtension, digest: digest,
            isOnlyLayout: shape.isOneLayout, isOnlyPicture: shape.isOnePicture)
        guard let path = path(of: picture) else { throw .outside }
        var output = OutputRecord(image, path: path.text, digest: digest)
        if target.kind != .files { output.target = target.kind.rawValue }
        output.isElsewhere = root.isElsewhere
        return output
    }

    func path(of picture: TargetPicture) -> RelativePath? {
        target.path(of: picture).flatMap { root.path($0) }
    }
}

/// The number of an item's pictures in a target, as far as it affects names.
struct ItemShape {
    let isOneLayout: Bool
    let isOnePicture: Bool

    init(_ variants: [Variant], hasOneLayout: Bool) {
        isOneLayout = hasOneLayout && Set(variants.map(\.layout)).count == 1
        isOnePicture = variants.count == 1
    }
}

/// A target of a run with the path of its folder, before anything is opened or created.
package struct TargetSpot: Sendable {
    package enum Site: Sendable, Hashable {
        /// The path below OUT, with a final slash; empty for OUT itself.
        case inside(String)
        case elsewhere(FilePath)
    }

    package let target: any OutputTarget
    /// The pictures that are made for the target; nil for all.
    package let set: PictureSet?
    package let site: Site

    package init(_ target: any OutputTarget, _ set: PictureSet?, at site: Site) {
        self.target = target
        self.set = set
        self.site = site
    }

    /// Whether the target is in OUT, so that it needs no folder or lock.
    package var isInside: Bool {
        if case .inside = site { true } else { false }
    }

    package func holds(_ variant: Variant) -> Bool { set?.holds(variant) ?? true }

    package func open(in out: OutputFolder) throws(OutletError) -> OpenTarget {
        switch site {
        case .inside(let prefix):
            OpenTarget(target, set, at: OpenTarget.Root(out, prefix: prefix))
        case .elsewhere(let path):
            OpenTarget(
                target, set,
                at: OpenTarget.Root(try OutputFolder(path), isElsewhere: true))
        }
    }

    /// Returns the name of a picture; nil if it leaves the folder.
    func name(of picture: TargetPicture) -> String? {
        target.path(of: picture).map { shown($0.text) }
    }

    private func shown(_ path: String) -> String {
        switch site {
        case .inside(let prefix): prefix + path
        case .elsewhere(let folder): folder.appending(FilePath(path)).description
        }
    }
}
