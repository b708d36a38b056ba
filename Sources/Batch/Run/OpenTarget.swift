import Codecs
import Engine
import Raster
import Render
import Targets
import Transport

/// A target of a run whose folder was opened.
package struct OpenTarget: Sendable {
    /// A folder, and where in it.
    package struct Root: Sendable {
        package let folder: OutputFolder
        /// What stands before every path, with a slash; empty at the top.
        package let prefix: String
        /// The folder is not OUT, but one that was named.
        package let isElsewhere: Bool

        package init(_ folder: OutputFolder, prefix: String = "", isElsewhere: Bool = false) {
            self.folder = folder
            self.prefix = prefix
            self.isElsewhere = isElsewhere
        }

        /// The path from the folder's top.
        func path(_ path: RelativePath) -> RelativePath? { RelativePath(prefix + path.text) }
    }

    package let target: any OutputTarget
    /// What is made for it; nil for all that is made.
    package let set: PictureSet?
    /// Where the files about its pictures stand.
    package let files: Root
    /// Where its pictures stand.
    package let pictures: Root

    /// - Parameter out: OUT, which keeps the pictures of what is packed from them.
    package init(_ target: any OutputTarget, _ set: PictureSet?, at root: Root, out: OutputFolder) {
        self.target = target
        self.set = set
        files = root
        pictures =
            target.packing == nil
            ? root
            : Root(out, prefix: "\(RelativePath.own(target.kind.rawValue).text)/")
    }

    /// A folder of files that is OUT itself.
    init(plain template: NameTemplate, in folder: OutputFolder) {
        self.init(
            FilesTarget { template.path(of: $0) }, nil, at: Root(folder), out: folder)
    }

    package func holds(_ variant: Variant) -> Bool { set?.holds(variant) ?? true }

    /// The record of a finished picture.
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
        output.isElsewhere = pictures.isElsewhere
        return output
    }

    /// Where a picture stands, seen from the top of its folder.
    func path(of picture: TargetPicture) -> RelativePath? {
        target.path(of: picture).flatMap { pictures.path($0) }
    }
}

/// How many pictures an item has in a target, as far as names ask for it.
struct ItemShape {
    let isOneLayout: Bool
    let isOnePicture: Bool

    init(_ variants: [Variant], hasOneLayout: Bool) {
        isOneLayout = hasOneLayout && Set(variants.map(\.layout)).count == 1
        isOnePicture = variants.count == 1
    }
}

/// A target of a run and the folder it is to stand in; nothing is opened or made yet.
package struct TargetSpot: Sendable {
    package enum Site: Sendable, Hashable {
        /// Below OUT, with a slash at the end; empty for OUT itself.
        case inside(String)
        case elsewhere(FilePath)
    }

    package let target: any OutputTarget
    /// What is made for it; nil for all that is made.
    package let set: PictureSet?
    package let site: Site

    package init(_ target: any OutputTarget, _ set: PictureSet?, at site: Site) {
        self.target = target
        self.set = set
        self.site = site
    }

    /// It stands in OUT, so that no folder is made or held for it.
    package var isInside: Bool {
        if case .inside = site { true } else { false }
    }

    package func holds(_ variant: Variant) -> Bool { set?.holds(variant) ?? true }

    /// Opens its folder, and makes it where it is missing.
    package func open(in out: OutputFolder) throws(OutletError) -> OpenTarget {
        switch site {
        case .inside(let prefix):
            OpenTarget(target, set, at: OpenTarget.Root(out, prefix: prefix), out: out)
        case .elsewhere(let path):
            OpenTarget(
                target, set,
                at: OpenTarget.Root(try OutputFolder(path), isElsewhere: true), out: out)
        }
    }

    /// The files about all items, as they will be called; of archives only how.
    package var documentNames: [String] {
        let archives = target.packing == nil ? [] : [TarShards.pattern, TarShards.index.text]
        return (target.documents.map(\.path.text) + archives).map(shown)
    }

    /// What a picture will be called; nil if its name leads elsewhere.
    func name(of picture: TargetPicture) -> String? {
        guard let path = target.path(of: picture) else { return nil }
        guard target.packing == nil else {
            return shown(TarShards.pattern) + ": " + TarShards.member(path)
        }
        return shown(path.text)
    }

    private func shown(_ path: String) -> String {
        switch site {
        case .inside(let prefix): prefix + path
        case .elsewhere(let folder): folder.appending(FilePath(path)).description
        }
    }
}
