import Engine
import Render
import Targets
import Transport

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
