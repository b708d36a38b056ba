import Artwork
import Codecs
import Engine
import System
import Transport

package struct PlanDraft {
    /// Indices have 32 bits.
    private static let itemLimit = 4_000_000_000
    /// A field with more lines probably lacks its closing quote.
    private static let fieldLinesLimit = 10

    let options: PlanOptions
    package private(set) var count = 0
    private(set) var localCount = 0
    private(set) var skips = FolderSkips()
    /// The number of paths that were probably meant to be URLs, and the first of them.
    private(set) var forgottenSchemes = (count: 0, first: "")
    /// The number of sources that are named like a list, and the first of them.
    private(set) var likelyLists = (count: 0, first: "")
    private(set) var emptyLists = (count: 0, first: "")
    private(set) var longFields: (count: Int, first: LongField?) = (0, nil)
    private(set) var darkCount = 0
    private(set) var idleFocusCount = 0
    private(set) var origins: [BatchPlan.Origin] = []
    private(set) var rowsDigest: UInt64 = 0
    private(set) var atStake: SourcesAtStake
    private(set) var slots: SpillBuffer
    /// The paths found in folders, each after its length in two bytes. The path of a dark twin
    /// follows that of its picture. Rows from a program are stored here too.
    private(set) var paths: SpillBuffer
    private var entries: NameSorter
    private var hasStandardInput = false

    package init(options: PlanOptions) {
        self.options = options
        let rows = options.rowsInMemory
        slots = SpillBuffer(in: options.scratch, limit: max(1, rows) * PlanSlot.byteCount)
        paths = SpillBuffer(in: options.scratch, limit: max(1, rows) * 64)
        entries = NameSorter(in: options.scratch, runLength: rows)
        atStake = SourcesAtStake(options.places)
        for file in options.ownFiles { atStake.note(file) }
    }

    mutating func read(_ inputs: [PlanInput]) throws(PlanError) {
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
    }

    /// Adds a row from a program. Relative paths in it start in `folder`.
    package mutating func add(_ row: ListRow, in folder: FilePath) throws(PlanError) {
        if case .rows = origins.last {} else { _ = origin(.rows(folder, first: count)) }
        var item = BatchItem(index: count, row: row, in: folder)
        item.row = count + 1
        try add(
            item, offset: try paths.append(row.packed), line: row.line,
            UInt32(truncatingIfNeeded: origins.count - 1))
    }

    /// Gives items of equal names a number, and items that share their files one name. The slots
    /// record both.
    mutating func settleNames() throws(PlanError) -> NameResolver.Tally {
        var resolver = NameResolver(in: options.scratch, runLength: options.rowsInMemory)
        var changed = slots
        let (rows, origins, paths) = (slots, origins, paths)
        try resolver.resolve(&entries) { item, change throws(PlanError) in
            let offset = Self.offset(of: item)
            switch change {
            case .follow(let leader):
                try changed.patch([UInt8](word: leader), at: offset + PlanSlot.leaderOffset)
            case .number(let number):
                try changed.patch(
                    [UInt8](word: number), at: offset + PlanSlot.numberOffset)
            }
        } reading: { index throws(PlanError) in
            let slot = try Self.slot(at: Int(index), in: rows)
            let item = try Self.item(at: Int(index), slot, origins, paths)
            return (item.wantedName, item.plainSource)
        }
        slots = changed
        return resolver.tally
    }

    static func slot(at index: Int, in slots: SpillBuffer) throws(PlanError) -> PlanSlot {
        let bytes = try slots.read(
            at: offset(of: UInt32(truncatingIfNeeded: index)), count: PlanSlot.byteCount)
        guard bytes.count == PlanSlot.byteCount else { throw .scratch(.cutShort) }
        return PlanSlot(bytes)
    }

    static func item(
        at index: Int, _ slot: PlanSlot, _ origins: [BatchPlan.Origin], _ paths: SpillBuffer
    ) throws(PlanError) -> BatchItem {
        switch origins[Int(slot.origin)] {
        case .argument(let text): return BatchItem(index: index, argument: text)
        case .folder(let folder, let hasTwins):
            let found = try path(at: slot.offset, in: paths)
            guard hasTwins else { return BatchItem(index: index, folder: folder, found: found) }
            let twin = try path(at: slot.offset + 2 + Int64(found.bytes.count), in: paths)
            return BatchItem(
                index: index, folder: folder, found: found, dark: twin.bytes.isEmpty ? nil : twin)
        case .list(let list, let first):
            let row = try rethrowing(
                list.row(at: Int(slot.offset), line: Int(slot.line)), as: PlanError.list)
            var item = BatchItem(index: index, row: row, of: list)
            item.row = index - first + 1
            return item
        case .rows(let folder, let first):
            let row = ListRow(line: Int(slot.line), try packedRow(at: slot.offset, in: paths))
            var item = BatchItem(index: index, row: row, in: folder)
            item.row = index - first + 1
            return item
        }
    }

    private static func offset(of item: UInt32) -> Int64 {
        Int64(item) * Int64(PlanSlot.byteCount)
    }

    private static func packed(_ path: FilePath) -> [UInt8] {
        let length = UInt16(truncatingIfNeeded: path.bytes.count)
        return [UInt8(truncatingIfNeeded: length), UInt8(length >> 8)] + path.bytes
    }

    private static func path(at offset: Int64, in paths: SpillBuffer) throws(PlanError) -> FilePath
    {
        let bytes = try paths.read(at: offset, count: 2 + 512)
        guard bytes.count >= 2 else { throw .scratch(.cutShort) }
        let length = Int(bytes[0]) | Int(bytes[1]) << 8
        if bytes.count >= 2 + length { return FilePath(bytes: Array(bytes[2..<2 + length])) }
        let all = try paths.read(at: offset + 2, count: length)
        guard all.count == length else { throw .scratch(.cutShort) }
        return FilePath(bytes: all)
    }

    private static func packedRow(
        at offset: Int64, in rows: SpillBuffer
    ) throws(PlanError) -> [UInt8] {
        let start = try rows.read(at: offset, count: 512)
        guard let length = ListRow.packedLength(start) else { throw .scratch(.cutShort) }
        if start.count >= length { return Array(start[..<length]) }
        let all = try rows.read(at: offset, count: length)
        guard all.count == length else { throw .scratch(.cutShort) }
        return all
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
        do throws(IntakeError) {
            switch try SourceReference.argument(text).kind {
            case .standardInput: return .standardInput
            case .remote, .data, .given: return .source
            case .icon(let name):
                guard BuiltInIcon(rawValue: name) != nil else { throw .noIcon(name) }
                return .source
            case .file(let path):
                return try FileIntake.facts(of: path).kind == .folder ? .folder(path) : .source
            }
        } catch .noIcon {
            throw .missingInput(text)
        } catch .notFound {
            throw .missingInput(text)
        } catch {
            // The argument can still be invalid. Loading the item later reports the error.
            return .source
        }
    }

    private mutating func add(argument text: String) throws(PlanError) {
        let origin = origin(.argument(text))
        let item = BatchItem(index: count, argument: text)
        // The target of a link may be in a place that outputs would overwrite.
        if case .file(let path) = item.kind {
            if let target = path.linkTarget { atStake.note(target) }
            if ListFormat(fileName: path) != nil {
                if likelyLists.count == 0 { likelyLists.first = "\(path)" }
                likelyLists.count += 1
            }
        }
        try add(item, offset: 0, origin)
    }

    private mutating func walk(_ path: FilePath, as text: String) throws(PlanError) {
        let suffix = options.selection.darkSuffix
        let origin = origin(.folder(path, hasTwins: suffix != nil))
        var walk = try rethrowing(
            FolderWalk(
                path, leavingOut: Set([options.output].compactMap { $0 } + options.otherOutputs),
                skipsOutputFolders: true, twinSuffix: suffix.map { Array($0.utf8) },
                isPicture: { PictureName.hasPictureExtension($0) })
        ) { (error: IntakeError) in
            PlanError.unreadableFolder(text, error)
        }
        let before = count
        while let found = walk.next() {
            guard options.selection.takes(found.bytes) else { continue }
            guard suffix != nil else {
                let offset = try paths.append(Self.packed(found))
                try add(BatchItem(index: count, folder: path, found: found), offset: offset, origin)
                continue
            }
            let twin = walk.twin
            let offset = try paths.append(
                Self.packed(found) + Self.packed(twin ?? FilePath("")))
            try add(
                BatchItem(index: count, folder: path, found: found, dark: twin), offset: offset,
                origin)
        }
        skips.add(walk.skips)
        // An output folder is reported among the skipped folders, not as an empty one.
        if count == before, walk.skips.firstOutput != path { skips.note(emptyFolder: path) }
    }

    private mutating func readList(_ path: String) throws(PlanError) {
        let list = try open(path)
        let origin = origin(.list(list, first: count))
        var reader = list.reader()
        let before = count
        while let row = try next(of: &reader) {
            let item = BatchItem(index: count, row: row, of: list)
            if item.problem == nil, SourceReference.forgottenScheme(in: item.source) != nil {
                if forgottenSchemes.count == 0 { forgottenSchemes.first = item.source }
                forgottenSchemes.count += 1
            }
            if row.fieldLines > Self.fieldLinesLimit {
                if longFields.count == 0 {
                    longFields.first = LongField(
                        list: list.name, row: count - before + 1, line: row.line,
                        lines: row.fieldLines)
                }
                longFields.count += 1
            }
            try add(item, offset: Int64(row.offset), line: row.line, origin)
        }
        if count == before {
            if emptyLists.count == 0 { emptyLists.first = list.name }
            emptyLists.count += 1
        }
    }

    private func next(of reader: inout ListReader) throws(PlanError) -> ListRow? {
        try rethrowing(reader.next(), as: PlanError.list)
    }

    private mutating func open(_ path: String) throws(PlanError) -> ListFile {
        let isStandardInput = path == "-"
        if isStandardInput {
            guard !hasStandardInput else { throw .standardInputTwice }
            hasStandardInput = true
        }
        let file = FilePath(path)
        let dialect = options.dialect
        return try rethrowing(as: PlanError.list) { () throws(ListError) in
            if isStandardInput { return try ListFile(standardInput: dialect) }
            return try ListFile(file, format: ListFormat(fileName: file), dialect)
        }
    }

    private mutating func origin(_ origin: BatchPlan.Origin) -> UInt32 {
        origins.append(origin)
        return UInt32(truncatingIfNeeded: origins.count - 1)
    }

    private mutating func add(
        _ item: BatchItem, offset: Int64, line: Int = 0, _ origin: UInt32
    ) throws(PlanError) {
        guard count < Self.itemLimit else { throw .tooManyItems(limit: Self.itemLimit) }
        let kind = item.kind
        let entry = item.entry(kind, drawsLabels: options.drawsLabels)
        try entries.append(entry)
        atStake.note(item, kind, remoteOnly: options.remoteOnly)
        let slot = PlanSlot(
            offset: offset, line: UInt32(clamping: line), origin: origin,
            leader: UInt32(truncatingIfNeeded: count), digest: item.rowDigest)
        rowsDigest = NameHash.joined(rowsDigest, slot.digest)
        _ = try slots.append(slot.bytes)
        count += 1
        if case .file = kind { localCount += 1 }
        if item.dark?.isEmpty == false { darkCount += 1 }
        if item.look[.focus] != nil, item.look[.mode] == nil { idleFocusCount += 1 }
    }
}

extension ListRow {
    /// The texts of the row that a program can set.
    private static let texts: [any WritableKeyPath<ListRow, String?> & Sendable] = [
        \.source, \.id, \.label, \.hint, \.value, \.look[.appearance], \.look[.badge],
    ]

    /// The row as bytes: their number, a mark for a verbatim source, and the texts, each after its
    /// own length. Lengths have 32 bits.
    fileprivate var packed: [UInt8] {
        var bytes: [UInt8] = [isVerbatim ? 1 : 0]
        for text in Self.texts {
            let text = self[keyPath: text] ?? ""
            bytes.append(word: UInt32(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
        }
        var whole: [UInt8] = []
        whole.append(word: UInt32(bytes.count))
        return whole + bytes
    }

    /// Returns the size of a packed row that begins with `bytes`.
    fileprivate static func packedLength(_ bytes: [UInt8]) -> Int? {
        var rest = bytes[...]
        return word(&rest).map { 4 + $0 }
    }

    private static func word(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= 4 else { return nil }
        defer { bytes = bytes.dropFirst(4) }
        return bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    fileprivate init(line: Int, _ packed: [UInt8]) {
        self.init(line: line, offset: 0)
        var rest = packed.dropFirst(4)
        isVerbatim = rest.popFirst() == 1
        for text in Self.texts {
            guard let length = Self.word(&rest), length > 0 else { continue }
            self[keyPath: text] = String(decoding: rest.prefix(length), as: UTF8.self)
            rest = rest.dropFirst(length)
        }
    }
}
