import Notation
import Transport

/// The items and the totals of a run for its report page. It reads the manifest line by line and
/// keeps at most what a page may hold.
struct ReportContents {
    /// The limits of a page: items, and bytes about them, counted separately for failures and for
    /// other items. All items of a longer list are counted, and the first are shown.
    static let itemsLimit = 20_000
    private static let bytesLimit = 8 << 20
    /// The number of listed failures per class, and the number of items whose pictures are shown
    /// before the script runs.
    private static let rowsLimit = 25
    private static let firstLimit = 48

    private struct Entry {
        /// The rank of the item, and its index.
        let order: (Int, Int)
        let json: [UInt8]
    }

    private(set) var tally = ReportTally()
    private(set) var options = JSON.null
    private(set) var tool = ""
    /// The first items that do not show their own picture, by class.
    private(set) var rows: [String: [ReportItem]] = [:]
    private(set) var staleRows: [ReportItem] = []
    /// The first items of each rank.
    private var firsts: [[ReportItem]] = [[], [], []]
    /// The failed items, before their detailed reasons are read.
    private var failed: [(item: ReportItem, known: FailureReasons.Item)] = []
    private var failures: [Entry] = []
    private var others: [Entry] = []
    private var sentences = ReportSentences()
    private var bytes = (failures: 0, others: 0)
    private var hasDark = false
    private var hasLight = false

    /// Reads the manifest in the folder at `path`, of a run that began at `start`.
    init(
        folder path: FilePath, sources: ReportSources?, ofRunAt start: String
    ) throws(ManifestError) {
        var reader = try ManifestReader(folder: path)
        while let record = try reader.next() {
            switch record["type"]?.stringValue {
            case "run":
                options = record["options"] ?? .null
                tool = record["tool"]?.stringValue ?? ""
            case "item":
                tally.count(record)
                var item = ReportItem(record)
                item.findAge(record, in: path, ofRunAt: start)
                add(item, record["source"]?.stringValue ?? "", sources)
            default: continue
            }
        }
        explain(by: FailureReasons(of: failed.map(\.known), in: path))
    }

    private mutating func add(_ item: ReportItem, _ source: String, _ sources: ReportSources?) {
        var item = item
        let errorClass = item.errorClass
        if errorClass != nil {
            guard failed.count < Self.itemsLimit, bytes.failures < Self.bytesLimit else { return }
        } else {
            guard others.count < Self.itemsLimit, bytes.others < Self.bytesLimit else { return }
        }
        if let sources { item.findSource(among: sources) }
        for picture in item.pictures {
            if picture.isDark { hasDark = true } else { hasLight = true }
        }
        if firsts[item.rank].count < Self.firstLimit { firsts[item.rank].append(item) }
        let entry = entry(item)
        guard let errorClass else {
            others.append(entry)
            bytes.others += entry.json.count
            return
        }
        let known = FailureReasons.Item(
            index: item.index, source: source, errorClass: errorClass)
        failed.append((item, known))
        bytes.failures += entry.json.count
    }

    private mutating func explain(by reasons: FailureReasons) {
        for index in failed.indices {
            var item = failed[index].item
            if let reason = reasons[item.index], bytes.failures < Self.bytesLimit {
                item.explain(reason)
                bytes.failures += reason.utf8.count
            }
            if item.isStale {
                if staleRows.count < Self.rowsLimit { staleRows.append(item) }
            } else if let errorClass = item.errorClass,
                rows[errorClass, default: []].count < Self.rowsLimit
            {
                rows[errorClass, default: []].append(item)
            }
            failures.append(entry(item))
        }
        failed = []
    }

    private mutating func entry(_ item: ReportItem) -> Entry {
        var json = JSONWriter()
        item.write(into: &json, &sentences)
        return Entry(order: (item.rank, item.index), json: Self.harmless(json.take()))
    }

    /// Escapes `<`, which could open markup. The JSON writer already escapes control characters and
    /// line separators.
    private static func harmless(_ json: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(json.count)
        for byte in json {
            if byte == UInt8(ascii: "<") {
                text.append(contentsOf: "\\u003C".utf8)
            } else {
                text.append(byte)
            }
        }
        return text
    }

    /// The items whose pictures are shown before the script runs.
    var first: [ReportItem] { Array(firsts.joined().prefix(Self.firstLimit)) }

    var heldCount: Int { min(failures.count + others.count, Self.itemsLimit) }

    /// The schemes that have or should have pictures.
    var schemes: [String] {
        let named = (options["scheme"]?.elements ?? []).compactMap { $0.stringValue }
        let schemes = ["light", "dark"].filter {
            named.contains($0) || ($0 == "dark" ? hasDark : hasLight)
        }
        return schemes.isEmpty ? ["light"] : schemes
    }

    /// The data for the script: all items of the page, by rank and then by index.
    var data: String {
        let failed = failures.sorted { $0.order < $1.order }.prefix(
            max(Self.itemsLimit / 2, Self.itemsLimit - others.count))
        let held = (failed + others.prefix(Self.itemsLimit - failed.count)).sorted {
            $0.order < $1.order
        }
        var json = JSONWriter()
        json.object { json in
            if let appearance = options["appearance"]?.stringValue {
                json.member("appearance", appearance)
            }
            json.array("schemes") { json in for scheme in schemes { json.write(scheme) } }
            if !sentences.all.isEmpty {
                json.array("sentences") { json in
                    for sentence in sentences.all { json.write(sentence) }
                }
            }
        }
        var text = Self.harmless(json.take())
        text.removeLast()
        text.append(contentsOf: ",\"items\":[".utf8)
        for (index, entry) in held.enumerated() {
            text.append(contentsOf: (index == 0 ? "\n" : ",\n").utf8)
            text.append(contentsOf: entry.json)
        }
        text.append(contentsOf: "\n]}".utf8)
        return String(decoding: text, as: UTF8.self)
    }
}
