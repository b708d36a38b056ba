import Glibc

/// The entries that were skipped in the input folders: their counts, and examples for messages.
package struct FolderSkips: Hashable, Sendable {
    /// Files without the extension of an image.
    package var otherFiles = 0
    /// Symbolic links to folders, and dangling links without the extension of an image.
    package var links = 0
    /// The first of the other files and the first of the links, relative to their input folder, for
    /// messages.
    package private(set) var otherFile: FilePath?
    package private(set) var link: FilePath?
    /// FIFOs, sockets and devices without the extension of an image.
    package var specials = 0
    /// Folders that could not be read, each with the reason; the first ten of them.
    package private(set) var unreadable: [String] = []
    package private(set) var unreadableCount = 0
    /// Output folders of runs, which are skipped with everything in them.
    package var outputs = 0
    package var firstOutput: FilePath?
    /// Input folders without any image.
    package private(set) var emptyFolders = 0
    package private(set) var firstEmptyFolder: FilePath?

    package init() {}

    /// The number of skipped files and links that are not hidden.
    package var count: Int { otherFiles + specials + links }

    package mutating func add(_ other: FolderSkips) {
        otherFiles += other.otherFiles
        links += other.links
        otherFile = otherFile ?? other.otherFile
        link = link ?? other.link
        specials += other.specials
        unreadable += other.unreadable.prefix(10 - unreadable.count)
        unreadableCount += other.unreadableCount
        outputs += other.outputs
        firstOutput = firstOutput ?? other.firstOutput
        emptyFolders += other.emptyFolders
        firstEmptyFolder = firstEmptyFolder ?? other.firstEmptyFolder
    }

    package mutating func note(emptyFolder: FilePath) {
        emptyFolders += 1
        firstEmptyFolder = firstEmptyFolder ?? emptyFolder
    }

    mutating func note(otherFile path: [UInt8]) {
        otherFiles += 1
        otherFile = otherFile ?? FilePath(bytes: path)
    }

    mutating func note(link path: [UInt8]) {
        links += 1
        link = link ?? FilePath(bytes: path)
    }

    mutating func note(unreadable folder: FilePath, _ cause: Errno) {
        unreadableCount += 1
        if unreadable.count < 10 { unreadable.append("\(folder): \(cause)") }
    }

    mutating func note(output: FilePath) {
        outputs += 1
        firstOutput = firstOutput ?? output
    }
}

/// An iterator over the images below a folder, in byte order of their relative paths.
///
/// The walk holds two descriptors, and only the names in the current folder and its parents.
package struct FolderWalk: ~Copyable {
    private struct Level {
        let path: [UInt8]
        /// The names, sorted backwards so that the next one is last.
        var names: [[UInt8]]
        let twins: FolderTwins?
    }

    private static let slash = UInt8(ascii: "/")

    package private(set) var skips = FolderSkips()
    /// The dark twin of the last image, if the walk looks for twins.
    package private(set) var twin: FilePath?
    private let root: Descriptor
    private let folder: FilePath
    private let isPicture: ([UInt8]) -> Bool
    private let excluded: Set<FileIdentity>
    private let skipsOutputFolders: Bool
    private let twinSuffix: [UInt8]?
    private var levels: [Level] = []
    /// The folders that the walk has entered; nil if the caller does not need them.
    private var visited: [FilePath]?

    /// Starts a walk below `folder`. The folders in `excluded` are skipped.
    ///
    /// - Parameters:
    ///   - skipsOutputFolders: Whether folders are skipped if a run wrote to them, which a
    ///     subfolder `.emblem` shows: they hold emblems and not sources.
    ///   - twinSuffix: The suffix of dark twins, which the walk returns with their partners only;
    ///     nil if every image is returned.
    ///   - isPicture: Whether a file of this name is an image.
    package init(
        _ folder: FilePath, leavingOut excluded: Set<FileIdentity>,
        skipsOutputFolders: Bool = false, twinSuffix: [UInt8]? = nil,
        isPicture: @escaping ([UInt8]) -> Bool
    ) throws(ItemFailure) {
        self.folder = folder
        self.excluded = excluded
        self.skipsOutputFolders = skipsOutputFolders
        self.twinSuffix = twinSuffix
        self.isPicture = isPicture
        do throws(Errno) {
            let descriptor = try SystemCalls.open(folder, O_RDONLY | O_DIRECTORY | O_NONBLOCK)
            let facts = try SystemCalls.facts(of: descriptor.number)
            if excluded.contains(facts.identity) {
                skips.note(output: folder)
            } else {
                levels = [
                    try Self.level(
                        FilePath("."), at: [], in: descriptor.number, isPicture, twinSuffix,
                        &skips
                    ).level
                ]
            }
            root = descriptor
        } catch {
            throw ItemFailure(error)
        }
    }

    /// Returns the folders that a walk enters, relative to `folder`. The first is `folder` itself,
    /// as an empty path.
    package static func folders(
        below folder: FilePath, leavingOut excluded: Set<FileIdentity>
    ) throws(ItemFailure) -> [FilePath] {
        var walk = try FolderWalk(
            folder, leavingOut: excluded, skipsOutputFolders: true,
            isPicture: { _ in false })
        guard !walk.levels.isEmpty else { return [] }
        walk.visited = [FilePath("")]
        while walk.next() != nil {}
        return walk.visited ?? []
    }

    /// Returns the path of the next image, relative to the folder; nil at the end.
    package mutating func next() -> FilePath? {
        while let last = levels.indices.last {
            guard let name = levels[last].names.popLast() else {
                levels.removeLast()
                continue
            }
            let path = levels[last].path + name
            guard name.last != Self.slash else {
                descend(path)
                continue
            }
            let twins = levels[last].twins
            if twins?.isTwin(name[...]) == true { continue }
            twin = twins?.twin(of: name[...]).map { FilePath(bytes: levels[last].path + $0) }
            return FilePath(bytes: path)
        }
        return nil
    }

    /// Reads the entries of a subfolder, which come next in the walk.
    private mutating func descend(_ path: [UInt8]) {
        let folder = FilePath(bytes: Array(path.dropLast()))
        do throws(Errno) {
            let facts = try SystemCalls.facts(of: folder, in: root.number, followLinks: false)
            guard !excluded.contains(facts.identity) else {
                return skips.note(output: self.folder.withoutTrailingSlashes.appending(folder))
            }
            var inside = skips
            let found = try Self.level(
                folder, at: path, in: root.number, isPicture, twinSuffix, &inside)
            guard !skipsOutputFolders || !found.isOutputFolder else {
                return skips.note(output: self.folder.withoutTrailingSlashes.appending(folder))
            }
            skips = inside
            visited?.append(folder)
            levels.append(found.level)
        } catch  where error.code == ENOENT {
            // The folder was removed after its name was read.
        } catch {
            skips.note(
                unreadable: self.folder.withoutTrailingSlashes.appending(folder), error)
        }
    }

    /// Returns the sorted entries of a folder. Folders are sorted with a slash at the end, so that
    /// their contents are in the order of whole relative paths: `a.png` comes before `a/b.png`.
    ///
    /// - Returns: the entries, and whether a run wrote to the folder.
    private static func level(
        _ folder: FilePath, at path: [UInt8], in root: Int32, _ isPicture: ([UInt8]) -> Bool,
        _ twinSuffix: [UInt8]?, _ skips: inout FolderSkips
    ) throws(Errno) -> (level: Level, isOutputFolder: Bool) {
        var names: [[UInt8]] = []
        var isOutputFolder = false
        try SystemCalls.list(folder, in: root) { entry in
            guard entry.name.first != UInt8(ascii: ".") else {
                if entry.name.elementsEqual(OutputFolder.ownName.utf8) {
                    isOutputFolder = kind(of: entry, at: path, in: root) == .folder
                }
                return
            }
            switch kind(of: entry, at: path, in: root) {
            case .folder: names.append(entry.name + [slash])
            case .link: skips.note(link: path + entry.name)
            // Any entry with an image extension becomes an item. If it cannot be read, the item
            // reports the reason.
            case _ where isPicture(entry.name): names.append(entry.name)
            case .file: skips.note(otherFile: path + entry.name)
            case nil: skips.note(link: path + entry.name)
            default: skips.specials += 1
            }
        }
        names.sort { $1.lexicographicallyPrecedes($0) }
        let twins = twinSuffix.map { FolderTwins(names, suffix: $0) }
        return (Level(path: path, names: names, twins: twins), isOutputFolder)
    }

    /// Returns the kind of an entry. A link to a folder counts as a link, any other as its target;
    /// nil for a dangling link.
    private static func kind(
        of entry: FolderEntry, at path: [UInt8], in root: Int32
    ) -> FileFacts.Kind? {
        if let kind = entry.kind, kind != .link { return kind }
        let path = FilePath(bytes: path + entry.name)
        let own = try? SystemCalls.facts(of: path, in: root, followLinks: false).kind
        guard own == .link else { return own }
        let target = try? SystemCalls.facts(of: path, in: root, followLinks: true).kind
        return target == .folder ? .link : target
    }
}

/// The dark twins of the images in one folder: with the suffix `_dark`, `logo_dark.png` is the twin
/// of `logo.png` and of `logo.svg`.
private struct FolderTwins {
    private let suffix: [UInt8]
    /// The names of twins by the name of their partner without its extension, in byte order.
    private var names: [ArraySlice<UInt8>: [[UInt8]]] = [:]

    /// Finds the twins whose partner is among the entries of a folder, and stores only their names.
    init(_ entries: [[UInt8]], suffix: [UInt8]) {
        self.suffix = suffix
        // The name of a folder ends with a slash.
        let images = entries.filter { $0.last != UInt8(ascii: "/") }
        for name in images {
            guard let partner = partner(of: Self.stem(name[...])) else { continue }
            names[partner, default: []].append(name)
        }
        guard !names.isEmpty else { return }
        var found: Set<ArraySlice<UInt8>> = []
        for name in images {
            let stem = Self.stem(name[...])
            if names[stem] != nil { found.insert(stem) }
        }
        names = names.filter { found.contains($0.key) }.mapValues { twins in
            twins.sorted { $0.lexicographicallyPrecedes($1) }
        }
    }

    /// Returns the twin of an image. A twin with the same extension takes precedence over others.
    func twin(of name: ArraySlice<UInt8>) -> [UInt8]? {
        let stem = Self.stem(name)
        guard let twins = names[stem] else { return nil }
        let ending = name[stem.endIndex...]
        return twins.first { $0.dropFirst(stem.count + suffix.count) == ending } ?? twins.first
    }

    /// Returns whether an image is the twin of another image that is not a twin itself.
    func isTwin(_ name: ArraySlice<UInt8>) -> Bool { isTwin(stem: Self.stem(name)) }

    private func isTwin(stem: ArraySlice<UInt8>) -> Bool {
        guard let partner = partner(of: stem), names[partner] != nil else { return false }
        return !isTwin(stem: partner)
    }

    private func partner(of stem: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard stem.count > suffix.count, stem.suffix(suffix.count).elementsEqual(suffix) else {
            return nil
        }
        return stem.dropLast(suffix.count)
    }

    private static func stem(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        name[..<(name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)]
    }
}
