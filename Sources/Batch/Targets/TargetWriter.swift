import Engine
import Notation
import Targets
import Transport

/// Writes what the targets of a run say of its pictures, once all of them stand: from the journal, in
/// input order, holding one item at a time.
struct TargetWriter {
    private let outlet: Outlet
    /// Those that have more to say than their pictures.
    private let places: [TargetPlace]
    /// Some items have the files of others.
    private let hasSharing: Bool

    init(_ outlet: Outlet, hasSharing: Bool) {
        self.outlet = outlet
        self.hasSharing = hasSharing
        places = outlet.places.filter { $0.target.kind != .files }
    }

    /// - Returns: what the manifest is told of it.
    func write(
        _ journal: inout Journal
    ) throws(OutletError) -> [WrittenTarget] {
        guard !places.isEmpty else { return [] }
        var sheets: [Sheet] = []
        for place in places {
            sheets.append(try Sheet(place, try shards(of: place, &journal)))
        }
        try journal.forEachItem { _, line throws(OutletError) in
            guard let record = Self.record(line) else { return }
            for sheet in sheets { try sheet.add(record) }
        }
        var written: [WrittenTarget] = []
        for sheet in sheets { written.append(try sheet.finish(&journal, outlet.folder)) }
        // The manifest is on the disk only after what it promises.
        for sheet in sheets where sheet.hasChanged && sheet.place.files.isElsewhere {
            try sheet.place.files.folder.syncAll()
        }
        return written
    }

    private func shards(
        of place: TargetPlace, _ journal: inout Journal
    ) throws(OutletError) -> ShardPlan? {
        guard let packing = place.target.packing else { return nil }
        let filter = SampleFilter(place, hasSharing: hasSharing)
        var count = 0
        if case .count = packing {
            // How much goes into each of so many archives is known once all samples are counted.
            var counting = filter
            try journal.forEachItem { _, line throws(OutletError) in
                guard let record = Self.record(line), counting.sample(of: record) != nil else {
                    return
                }
                count += 1
            }
        }
        return ShardPlan(packing, sampleCount: count, filter)
    }

    /// The item of a journal's line, which is of our own making.
    static func record(_ line: ArraySlice<UInt8>) -> ItemRecord? {
        JournalLine.json(of: line).flatMap { ItemRecord($0, httpStatus: nil, detail: nil) }
    }
}

/// What is written for one target.
private final class Sheet {
    let place: TargetPlace
    /// Files that tell of each item, open while the items go by.
    private var growing: [(document: TargetDocument, file: SteadyFile, path: String)] = []
    private var shards: ShardPlan?
    private var number = 0
    private(set) var hasChanged = false

    init(_ place: TargetPlace, _ shards: ShardPlan?) throws(OutletError) {
        self.place = place
        self.shards = shards
        for document in place.target.documents where document.entry != nil {
            growing.append(try begin(document))
        }
    }

    private func begin(
        _ document: TargetDocument
    ) throws(OutletError) -> (document: TargetDocument, file: SteadyFile, path: String) {
        let path = try Self.path(document.path, place)
        let file = try SteadyFile(path, in: place.files.folder)
        try file.append(document.head.bytes)
        return (document, file, path.text)
    }

    func add(_ record: ItemRecord) throws(OutletError) {
        let item = TargetItem(record, in: place.target.kind, prefix: place.pictures.prefix)
        for file in place.target.files(of: item) {
            let path = try Self.path(file.path, place)
            if try SteadyFile.write(file.bytes, to: path, in: place.files.folder) {
                hasChanged = true
            }
        }
        for (document, file, _) in growing {
            if let entry = document.entry { try file.append(entry(item, number)) }
        }
        shards?.add(record)
        number += 1
    }

    func finish(
        _ journal: inout Journal, _ out: OutputFolder
    ) throws(OutletError) -> WrittenTarget {
        var written = WrittenTarget(
            kind: place.target.kind, isElsewhere: place.files.isElsewhere)
        for plain in place.target.documents {
            let open = growing.first { $0.document.path == plain.path }
            let (document, file, path) = if let open { open } else { try begin(plain) }
            try file.append(document.tail)
            let (digest, isNew) = try file.finish()
            if isNew { hasChanged = true }
            written.files.append(.init(path: path, bytes: file.size, digest: digest))
        }
        if let plan = shards {
            let (files, isNew) = try ShardWriter(plan, place, out).write(&journal)
            if isNew { hasChanged = true }
            written.files += files
        }
        return written
    }

    private static func path(
        _ path: RelativePath, _ place: TargetPlace
    ) throws(OutletError) -> RelativePath {
        guard let whole = place.files.path(path) else {
            throw .io(path: path.text, doing: "name", cause: .nameTooLong)
        }
        return whole
    }
}
