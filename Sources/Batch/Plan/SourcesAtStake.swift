import Artwork
import Engine
import Render
import Targets
import Transport

/// The local sources of a plan in folders that the run writes to, so that an output could overwrite
/// one of them.
///
/// Each source folder is resolved once. A source elsewhere costs only that lookup, and a URL costs
/// nothing.
struct SourcesAtStake: Sendable {
    private struct Root {
        /// The resolved path, without links.
        let path: FilePath
        let place: OutputPlace
    }

    /// The names of outputs that would overwrite these sources.
    private(set) var names: Set<String> = []
    private let roots: [Root]
    private var folders = ResolvedFolders()
    /// The most recent folder, cached because sources come folder by folder.
    private var recent: (folder: FilePath, outputs: [String])?

    init(_ places: [OutputPlace]) {
        // A folder that does not exist yet has no sources.
        roots = places.compactMap { place in
            place.folder.resolved.map { Root(path: $0, place: place) }
        }
    }

    mutating func note(_ item: BatchItem, _ kind: SourceReference.Kind?, remoteOnly: Bool) {
        guard !roots.isEmpty else { return }
        if item.alternatives.isEmpty, item.placeholder == nil, item.dark?.isEmpty ?? true {
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
            names.insert(folder + String(decoding: path.lastComponent, as: UTF8.self))
        }
    }

    /// Returns the prefixes of output names that could be in a folder, each empty or with a final
    /// slash.
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

/// A folder that outputs are written to.
package struct OutputPlace: Sendable {
    let folder: FilePath
    /// The prefix that planned output names have in front of the path in the folder.
    let prefix: String
    /// The top-level folders that may contain pictures; nil if any may.
    let tops: Set<String>?

    /// Whether a picture may be in this top-level folder; nil means the top itself.
    fileprivate func mayHold(_ first: String?) -> Bool {
        guard let tops else { return true }
        return first.map(tops.contains) ?? false
    }
}

extension OutputPlace {
    /// Returns all output places of a run's targets; OUT is one place for all targets below it.
    package static func all(
        of spots: [TargetSpot], out: FilePath, _ settings: RunSettings
    ) -> [OutputPlace] {
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

    /// Returns the prefix of planned output names in a folder outside OUT.
    package static func prefix(of folder: FilePath) -> String {
        String("\(folder.appending(FilePath("x")))".dropLast())
    }

    /// Finds the top-level folders that do not depend on the item, by comparing the outputs of two
    /// samples.
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
            recipe.variants = settings.variants(of: settings.rowLayouts)
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
    /// Returns the first output of a run over `indices` that would overwrite a source; nil if there
    /// is none.
    package func outputOverSource(
        _ indices: Range<Int>, in settings: RunSettings, _ spots: [TargetSpot]
    ) -> String? {
        guard !sourcesAtStake.names.isEmpty else { return nil }
        for index in indices {
            let names = item(at: index).possibleNames(in: settings, spots)
            if let name = names.first(where: sourcesAtStake.names.contains) { return name }
        }
        return nil
    }
}

/// A file that a run writes in addition to its outputs, with the output names that would collide
/// with it.
package struct FileAtStake: Sendable {
    private let names: [String]

    /// - Parameter file: An absolute path without links.
    package init(_ file: FilePath, among places: [OutputPlace]) {
        names = places.compactMap { place in
            guard let rest = file.below(place.folder.place) else { return nil }
            let below = String(decoding: rest.bytes, as: UTF8.self)
            let first = below.split(separator: "/").first.map(String.init)
            guard let first, place.tops?.contains(first) ?? true else { return nil }
            return place.prefix + below
        }
    }

    /// Whether an output of this name would need the same path, or the path as a folder.
    fileprivate func isTaken(by output: String) -> Bool {
        names.contains { output == $0 || output.hasPrefix($0 + "/") }
    }

    fileprivate var isSafe: Bool { names.isEmpty }
}

extension BatchPlan {
    /// Whether an output of a run over `indices` would replace a file or need its path as a folder.
    /// Reads no items if that is impossible.
    package func needsPlace(
        of file: FileAtStake, _ indices: Range<Int>, in settings: RunSettings,
        _ spots: [TargetSpot]
    ) -> Bool {
        guard !file.isSafe else { return false }
        for index in indices {
            let names = item(at: index).possibleNames(in: settings, spots)
            if names.contains(where: file.isTaken) { return true }
        }
        return false
    }
}
