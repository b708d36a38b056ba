import Artwork
import Codecs
import Engine
import Notation
import Render
import System
import Targets
import Transport

/// All items of a run in input order, with the final names of their files.
///
/// The inputs are read once, before anything is fetched. A plan keeps the text of lists, 24 bytes
/// and the name of each item. A row is parsed again when its item is requested.
package struct BatchPlan: Sendable {
    package static let itemsLimit = 10_000_000
    private enum Origin: Sendable {
        case argument(String)
        /// A folder. If `hasTwins`, an image can have a twin next to it: its variant for dark mode.
        case folder(FilePath, hasTwins: Bool)
        /// A list, with the index of its first row.
        case list(ListFile, first: Int)
        /// Rows that a program gave, with the folder for relative paths.
        case rows([ListRow], FilePath)
    }

    private struct Row: Sendable {
        /// The offset of the row in its list, or the index of its path or of the row of a program.
        let offset: Int
        /// The line of the row; 0 if there is none.
        let line: UInt32
        /// The index of the input that the item comes from.
        let origin: UInt32
        /// The first item with the same files, which owns the name; usually the item itself.
        let owner: UInt32
    }

    private let options: PlanOptions
    private var rows: [Row] = []
    private var origins: [Origin] = []
    /// The paths found in folders, and the dark twins of some of them.
    private var paths: [FilePath] = []
    private var twins: [Int: FilePath] = [:]
    private var names = NameChoice()
    private var otherNames: [(kind: TargetKind, names: [String])] = []
    private var hasStandardInput = false

    package var count: Int { rows.count }
    /// The number of items whose source is a path.
    private(set) var localCount = 0
    /// The files and folders that were skipped.
    package private(set) var skips = FolderSkips()
    /// The number of names that got a suffix because items with different files wanted the same
    /// name.
    package var renamedCount: Int { names.renamedCount }
    package var renamedExamples: [Int] { names.renamedExamples }

    /// The number of paths that were probably meant to be URLs, and the first of them.
    package private(set) var forgottenSchemes = (count: 0, first: "")
    /// The number of sources that are named like a list, and the first of them.
    package private(set) var likelyLists = (count: 0, first: "")
    /// The number of lists without rows, and the first of them.
    package private(set) var emptyLists = (count: 0, first: "")

    package var hasEmptyInput: Bool { emptyLists.count > 0 || skips.emptyFolders > 0 }

    /// The sources in folders that the run writes to.
    private(set) var sourcesAtStake: SourcesAtStake

    /// A hash of all rows; equal only for equal lists.
    private(set) var rowsDigest: UInt64 = 0

    private init(options: PlanOptions) {
        self.options = options
        sourcesAtStake = SourcesAtStake(options.places)
        for file in options.ownFiles { sourcesAtStake.note(file) }
    }

    /// Reads all inputs and decides all names.
    ///
    /// - Throws: If an input is missing, a list is malformed, standard input is requested twice, there
    ///   are too many items, or names have non-ASCII letters and GLib is missing.
    package init(_ inputs: [PlanInput], options: PlanOptions) throws(PlanError) {
        self.init(options: options)
        var fault: PlanError?
        for input in inputs {
            do throws(PlanError) {
                switch input {
                case .source(let text): try readArgument(text)
                case .list(let path): try readList(path)
                }
            } catch {
                // If several inputs fail, the error with the lowest exit code is reported.
                guard (65...66).contains(error.exitCode) else { throw error }
                if fault.map({ error.exitCode < $0.exitCode }) ?? true { fault = error }
            }
        }
        if let fault { throw fault }
        try settleNames()
    }

    /// Plans rows of a program. Relative paths in them start in `folder`.
    package init(
        rows: [ListRow], in folder: FilePath, options: PlanOptions
    ) throws(PlanError) {
        self.init(options: options)
        origins.append(.rows(rows, folder))
        for (index, row) in rows.enumerated() {
            try add(BatchItem(index: index, row: row, in: folder), offset: index, line: row.line)
        }
        try settleNames()
    }

    private mutating func settleNames() throws(PlanError) {
        var names = names
        self.names = NameChoice()
        names.settle { unnamedItem(at: $0).plainSource }
        if TextForm.isLacking { throw .noTextForms }
        for kind in options.targets {
            let other = names.names(in: kind) { unnamedItem(at: $0).plainSource }
            if let other { otherNames.append((kind, other)) }
        }
        self.names = names
    }

    /// Returns the item at an index from 0 up to `count`.
    package func item(at index: Int) -> BatchItem {
        precondition(rows.indices.contains(index), "There is no item at this index of the plan.")
        var item = unnamedItem(at: index)
        let owner = Int(rows[index].owner)
        item.name = names.names[owner]
        for other in otherNames { item.otherNames[other.kind.rawValue] = other.names[owner] }
        if owner != index { item.sharesFilesWith = owner }
        return item
    }

    /// Returns the source of the item at an index; nil if it cannot be used. Cheaper than reading
    /// the item with its name.
    func reference(at index: Int, remoteOnly: Bool) -> SourceReference? {
        unnamedItem(at: index).knownReference(remoteOnly: remoteOnly)
    }

    private func unnamedItem(at index: Int) -> BatchItem {
        let row = rows[index]
        switch origins[Int(row.origin)] {
        case .argument(let text): return BatchItem(index: index, argument: text)
        case .folder(let folder, let hasTwins):
            let found = paths[row.offset]
            guard hasTwins else { return BatchItem(index: index, folder: folder, found: found) }
            return BatchItem(index: index, folder: folder, found: found, dark: twins[row.offset])
        case .list(let list, let first):
            guard let found = try? list.row(at: row.offset, line: Int(row.line)) else {
                preconditionFailure("A row of a list in memory can be parsed again.")
            }
            var item = BatchItem(index: index, row: found, of: list)
            item.row = index - first + 1
            return item
        case .rows(let rows, let folder):
            var item = BatchItem(index: index, row: rows[row.offset], in: folder)
            item.row = index + 1
            return item
        }
    }

    private mutating func readArgument(_ text: String) throws(PlanError) {
        switch try argumentKind(text) {
        case .folder(let path): try walk(path, as: text)
        case .standardInput where hasStandardInput: throw .standardInputTwice
        case .standardInput:
            hasStandardInput = true
            try add(argument: text)
        case .source: try add(argument: text)
        }
    }

    private enum ArgumentKind {
        case folder(FilePath)
        case standardInput
        case source
    }

    private func argumentKind(_ text: String) throws(PlanError) -> ArgumentKind {
        do throws(ItemFailure) {
            switch try SourceReference.argument(text).kind {
            case .standardInput: return .standardInput
            case .remote, .data, .given: return .source
            case .icon(let name):
                guard BuiltInIcon(rawValue: name) != nil else { throw ItemFailure(noIcon: name) }
                return .source
            case .file(let path):
                return try FileIntake.facts(of: path).kind == .folder ? .folder(path) : .source
            }
        } catch  where error.errorClass == .notFound {
            throw .missingInput(text)
        } catch {
            // The argument can still be invalid. Loading the item later reports the error.
            return .source
        }
    }

    private mutating func add(argument text: String) throws(PlanError) {
        origins.append(.argument(text))
        let item = BatchItem(index: count, argument: text)
        // The target of a link may be in a place that outputs would overwrite.
        if case .file(let path) = item.kind {
            if let target = path.linkTarget { sourcesAtStake.note(target) }
            if ListFormat(fileName: path) != nil {
                if likelyLists.count == 0 { likelyLists.first = "\(path)" }
                likelyLists.count += 1
            }
        }
        try add(item)
    }

    private mutating func walk(_ path: FilePath, as text: String) throws(PlanError) {
        let suffix = options.selection.darkSuffix
        var walk = try rethrowing(
            FolderWalk(
                path, leavingOut: Set([options.output].compactMap { $0 } + options.otherOutputs),
                skipsOutputFolders: true, twinSuffix: suffix.map { Array($0.utf8) },
                isPicture: { PictureName.hasPictureExtension($0) })
        ) { (error: ItemFailure) in
            PlanError.unreadableFolder(text, error)
        }
        let before = count
        origins.append(.folder(path, hasTwins: suffix != nil))
        while let found = walk.next() {
            guard options.selection.takes(found.bytes) else { continue }
            paths.append(found)
            let twin = suffix == nil ? nil : walk.twin
            if let twin { twins[paths.count - 1] = twin }
            try add(
                suffix == nil
                    ? BatchItem(index: count, folder: path, found: found)
                    : BatchItem(index: count, folder: path, found: found, dark: twin),
                offset: paths.count - 1)
        }
        skips.add(walk.skips)
        // An output folder is reported among the skipped folders, not as an empty one.
        if count == before, walk.skips.firstOutput != path { skips.note(emptyFolder: path) }
    }

    private mutating func readList(_ path: String) throws(PlanError) {
        let list = try open(path)
        origins.append(.list(list, first: count))
        var reader = list.reader()
        let before = count
        while let row = try rethrowing(reader.next(), as: PlanError.list) {
            let item = BatchItem(index: count, row: row, of: list)
            if item.problem == nil, SourceReference.forgottenScheme(in: item.source) != nil {
                if forgottenSchemes.count == 0 { forgottenSchemes.first = item.source }
                forgottenSchemes.count += 1
            }
            try add(item, offset: row.offset, line: row.line)
        }
        if count == before {
            if emptyLists.count == 0 { emptyLists.first = list.name }
            emptyLists.count += 1
        }
    }

    private mutating func open(_ path: String) throws(PlanError) -> ListFile {
        let isStandardInput = path == "-"
        if isStandardInput {
            guard !hasStandardInput else { throw .standardInputTwice }
            hasStandardInput = true
        }
        let file = FilePath(path)
        return try rethrowing(as: PlanError.list) { () throws(ListError) in
            if isStandardInput { return try ListFile(standardInput: options.dialect) }
            return try ListFile(file, format: ListFormat(fileName: file), options.dialect)
        }
    }

    /// Adds an item of the last origin.
    private mutating func add(_ item: BatchItem, offset: Int = 0, line: Int = 0) throws(PlanError) {
        guard count < Self.itemsLimit else { throw .tooManyItems(limit: Self.itemsLimit) }
        let kind = item.kind
        let owner = names.add(item, kind, drawsLabels: options.drawsLabels)
        sourcesAtStake.note(item, kind, remoteOnly: options.remoteOnly)
        rowsDigest = NameHash.joined(rowsDigest, item.rowDigest)
        rows.append(
            Row(
                offset: offset, line: UInt32(clamping: line), origin: UInt32(origins.count - 1),
                owner: owner))
        if case .file = kind { localCount += 1 }
    }
}

extension BatchItem {
    /// A hash of the whole row, including columns that cannot change an output.
    fileprivate var rowDigest: UInt64 {
        var hash = NameHash.of(source)
        if isRow || label != nil {
            let texts = [givenID, label, hint, value] + look.all + [problem?.description]
            for (index, text) in texts.enumerated() {
                guard let text else { continue }
                hash = NameHash.joined(hash, NameHash.of(text) &+ UInt64(index))
            }
        }
        for text in alternatives { hash = NameHash.joined(hash, NameHash.of(text)) }
        if dark != nil { hash = NameHash.joined(hash, 1) }
        for text in darkSources { hash = NameHash.joined(hash, NameHash.of(text)) }
        for member in extra {
            hash = NameHash.joined(hash, NameHash.of(member.name))
            hash = NameHash.joined(hash, NameHash.of(member.value.text))
        }
        return hash
    }
}

/// An input of a run, in command-line order.
package enum PlanInput: Hashable, Sendable {
    /// A file, a folder, a URL, a `data:` URI, or `-` for standard input.
    case source(String)
    /// A list, or `-` for standard input. Its format follows from its name, else from its
    /// first bytes.
    case list(String)
}

package struct PlanOptions: Sendable {
    package var remoteOnly: Bool
    /// Whether labels are drawn (as initials), so that rows with different labels do not share
    /// files.
    package var drawsLabels: Bool
    package var dialect: ListDialect
    package var selection = FolderSelection()
    /// The output folder, skipped when folders are walked.
    package var output: FileIdentity?
    /// The output folders outside OUT, which are skipped too.
    package var otherOutputs: [FileIdentity]
    /// The folders that outputs are written to.
    package var places: [OutputPlace]
    package var ownFiles: [FilePath]
    /// The targets that items need extra names for.
    package var targets: [TargetKind]

    package init(
        remoteOnly: Bool = false, drawsLabels: Bool = false,
        dialect: ListDialect = ListDialect(),
        output: FileIdentity? = nil, otherOutputs: [FileIdentity] = [],
        places: [OutputPlace] = [], ownFiles: [FilePath] = [], targets: [TargetKind] = []
    ) {
        self.remoteOnly = remoteOnly
        self.drawsLabels = drawsLabels
        self.dialect = dialect
        self.output = output
        self.otherOutputs = otherOutputs
        self.places = places
        self.ownFiles = ownFiles
        self.targets = targets
    }
}

/// Selects files of a folder by their relative paths.
package struct FolderSelection: Sendable {
    /// Files that match one of these patterns are skipped.
    package var excluded: [PathPattern] = []
    /// The suffix of the names of dark twins; nil if twins are not in use.
    package var darkSuffix: String?

    package init() {}

    func takes(_ path: [UInt8]) -> Bool {
        !excluded.contains { $0.matches(path) }
    }
}

package enum PlanError: Error, Hashable, Sendable {
    case missingInput(String)
    case unreadableFolder(String, ItemFailure)
    case list(ListError)
    case standardInputTwice
    /// The template of `--name` is invalid, for the given reason.
    case name(String)
    case tooManyItems(limit: Int)
    /// GLib is missing, so non-ASCII names would differ from names on other machines.
    case noTextForms

    package var exitCode: Int32 {
        switch self {
        case .unreadableFolder(_, let cause) where cause.isRetryable: 74
        case .missingInput, .unreadableFolder: 66
        case .list(let error): error.exitCode
        case .standardInputTwice, .name: 64
        case .tooManyItems: 65
        case .noTextForms: 69
        }
    }
}

extension PlanError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missingInput(let name):
            "\(SourceMask().shown(name)) does not exist; "
                + (SourceReference.forgottenScheme(in: name).map {
                    "if it is a URL, write \(SourceMask().shown($0))"
                }
                    ?? (name.hasPrefix("icon:")
                        ? "the icons are "
                            + BuiltInIcon.allCases.map(\.rawValue).joined(separator: ", ")
                        : name.contains { "*?[".contains($0) }
                            ? "remove the quotes around the pattern" : "check the path"))
        case .unreadableFolder(let name, let cause):
            "the folder \(SourceMask().shown(name)) cannot be read: \(cause)"
        case .list(let error): "\(error)"
        case .standardInputTwice:
            "standard input is given twice; use it for one picture or one list"
        case .name(let reason): "--name: \(reason)"
        case .tooManyItems(let limit):
            "a run can have at most \(limit) items; split the list, or use Spark"
        case .noTextForms:
            "non-ASCII names need GLib. Install the Debian package libglib2.0-0"
        }
    }
}

package enum BatchError: Error {
    case outlet(OutletError)
    /// No worker can be started; finished items are in the journal.
    case workers(OrderError)
    /// The folder has the manifest of another set, which this run would replace; the text says so.
    case otherSet(String)
    /// A target folder belongs to another set, or cannot be shared with it; the text says so.
    case heldTarget(String)
}
