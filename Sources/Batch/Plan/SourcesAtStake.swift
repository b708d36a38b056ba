import Artwork
import Engine
import Render
import Targets
import Transport

/// The local sources of a plan that stand where a run writes, so that an output could take the place of
/// one of them.
///
/// Of the folders that sources lie in each is looked up once; a source elsewhere costs no more than that,
/// and an address nothing. A hash is kept of each that is at stake.
struct SourcesAtStake: Sendable {
    private struct Root {
        /// Without links.
        let path: FilePath
        let place: OutputPlace
    }

    /// By the hashes of the names that outputs would have in their place.
    private(set) var names: Set<UInt64> = []
    private let roots: [Root]
    private var folders = ResolvedFolders()
    /// The folder that was asked for last: sources come folder by folder.
    private var recent: (folder: FilePath, outputs: [String])?

    init(_ places: [OutputPlace]) {
        // What is not there yet holds no source.
        roots = places.compactMap { place in
            place.folder.resolved.map { Root(path: $0, place: place) }
        }
    }

    /// Notes the files that an item is made of.
    mutating func note(_ item: BatchItem, _ kind: SourceReference.Kind?, remoteOnly: Bool) {
        guard !roots.isEmpty else { return }
        if item.alternatives.isEmpty, item.placeholder == nil {
            guard case .file(let path) = kind, !remoteOnly || item.list == nil else { return }
            note(path)
        } else {
            for path in item.filePaths(remoteOnly: remoteOnly) { note(path) }
        }
    }

    mutating func note(_ path: FilePath) {
        guard !roots.isEmpty else { return }
        let folder = path.folder
        if recent?.folder != folder { recent = (folder, outputs(in: folder)) }
        for folder in recent?.outputs ?? [] {
            names.insert(NameHash.of(folder + String(decoding: path.lastComponent, as: UTF8.self)))
        }
    }

    /// How names of outputs begin that could stand in a folder, with a slash at the end or empty.
    private mutating func outputs(in folder: FilePath) -> [String] {
        guard let path = folders.resolve(folder) else { return [] }
        return roots.compactMap { root in
            guard let rest = path == root.path ? FilePath("") : path.below(root.path) else {
                return nil
            }
            let below = String(decoding: rest.bytes, as: UTF8.self)
            let first = below.split(separator: "/").first.map(String.init)
            guard root.place.mayHold(first) else { return nil }
            return root.place.prefix + (below.isEmpty ? "" : below + "/")
        }
    }
}

/// A folder that pictures of a run go to.
package struct OutputPlace: Sendable {
    let folder: FilePath
    /// What the names of planned outputs have before the path in the folder.
    let prefix: String
    /// The folders at its top that pictures may stand in; nil where any may.
    let tops: Set<String>?

    /// A picture may stand in this folder of its top; nil for the top itself.
    fileprivate func mayHold(_ first: String?) -> Bool {
        guard let tops else { return true }
        return first.map(tops.contains) ?? false
    }
}

extension OutputPlace {
    /// All places that the targets of a run have, OUT being one for all that stand below it.
    package static func all(
        of spots: [TargetSpot], out: FilePath, _ settings: RunSettings
    ) -> [OutputPlace] {
        // What is packed is kept in our own corner.
        let spots = spots.filter { $0.target.packing == nil }
        let inside = spots.filter { if case .inside = $0.site { true } else { false } }
        var places: [OutputPlace] = []
        if !inside.isEmpty {
            places.append(OutputPlace(of: inside, in: out, prefix: "", settings))
        }
        for spot in spots {
            guard case .elsewhere(let folder) = spot.site else { continue }
            places.append(
                OutputPlace(of: [spot], in: folder, prefix: prefix(of: folder), settings))
        }
        return places
    }

    /// What the names of planned outputs in a folder beside OUT begin with.
    package static func prefix(of folder: FilePath) -> String {
        String("\(folder.appending(FilePath("x")))".dropLast())
    }

    /// What stands at the top whatever an item is called and made of is found by two of them.
    private init(
        of spots: [TargetSpot], in folder: FilePath, prefix: String, _ settings: RunSettings
    ) {
        self.folder = folder
        self.prefix = prefix
        let samples = ["x", "y"].map { name in
            var item = BatchItem(argument: name)
            item.name = name
            // A row may ask for any layout.
            var recipe = settings.recipe
            recipe.variants = settings.variants(of: settings.component.layouts)
            item.settledRecipe = recipe
            return item.possibleNames(in: settings, spots).map { name in
                name.dropFirst(prefix.count).split(separator: "/", maxSplits: 1).map(String.init)
            }
        }
        let hasFolders = samples.joined().allSatisfy { $0.count == 2 }
        let tops = samples.map { Set($0.compactMap(\.first)) }
        self.tops = hasFolders && tops[0] == tops[1] ? tops[0] : nil
    }
}

extension BatchPlan {
    /// The first output of a run over `indices` that would stand in the place of a source, as names of
    /// planned outputs are; nil where none would.
    package func outputOverSource(
        _ indices: StrideTo<Int>, in settings: RunSettings, _ spots: [TargetSpot]
    ) throws(PlanError) -> String? {
        guard !sourcesAtStake.isEmpty else { return nil }
        for index in indices {
            let names = try item(at: index).possibleNames(in: settings, spots)
            if let name = names.first(where: { sourcesAtStake.contains(NameHash.of($0)) }) {
                return name
            }
        }
        return nil
    }
}

/// A file that a run writes beside its outputs, as planned outputs could be called that stand in its
/// place.
package struct FileAtStake: Sendable {
    private let names: [String]

    /// - Parameter file: from the root on and without links.
    package init(_ file: FilePath, among places: [OutputPlace]) {
        names = places.compactMap { place in
            guard let rest = file.below(place.folder.place) else { return nil }
            let below = String(decoding: rest.bytes, as: UTF8.self)
            let first = below.split(separator: "/").first.map(String.init)
            guard let first, place.tops?.contains(first) ?? true else { return nil }
            return place.prefix + below
        }
    }

    /// Whether an output of this name needs the place, for itself or for a folder that it stands in.
    fileprivate func isTaken(by output: String) -> Bool {
        names.contains { output == $0 || output.hasPrefix($0 + "/") }
    }

    fileprivate var isSafe: Bool { names.isEmpty }
}

extension BatchPlan {
    /// Whether an output of a run over `indices` would stand in the place of a file, or have it for a
    /// folder. Reads no item where none can.
    package func needsPlace(
        of file: FileAtStake, _ indices: StrideTo<Int>, in settings: RunSettings,
        _ spots: [TargetSpot]
    ) throws(PlanError) -> Bool {
        guard !file.isSafe else { return false }
        for index in indices {
            let names = try item(at: index).possibleNames(in: settings, spots)
            if names.contains(where: file.isTaken) { return true }
        }
        return false
    }
}
