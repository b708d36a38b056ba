import Engine
import Notation
import Transport

/// The items of a manifest whose own picture is not shown, with all that their rows say, to be
/// looked at or fed again.
package struct FailureList: Sendable {
    package struct Entry: Sendable {
        package let record: ItemRecord
        let failure: ItemFailure

        package var errorClass: ErrorClass { failure.errorClass }
        /// What the manifest says, and of what could not be written why, as far as that is known.
        package var message: String {
            errorClass == .write ? reason ?? failure.message : failure.message
        }
        /// What happened, as exactly as anybody has said it.
        package var explanation: String { reason ?? failure.message }
        fileprivate var reason: String?

        /// The id under which it gets the same name again: its own, unless others had it too.
        package var id: String {
            ItemName.clean(record.id) == record.name ? record.id : record.name
        }
    }

    package private(set) var entries: [Entry] = []
    /// Why the manifest is not that of one whole run, so that entries may be missing; nil if it is.
    package let fault: String?

    /// Reads the manifest in `folder`; `errorClass` and `host` narrow the list.
    package init(folder: FilePath, errorClass: ErrorClass?, host: String?) throws(ManifestError) {
        var reader = try ManifestReader(folder: folder)
        var whole = ManifestCheck(folder: folder)
        while let json = try reader.next() {
            try whole.see(json)
            guard let record = ItemRecord(json),
                let failure = record.failure
            else { continue }
            guard errorClass == nil || failure.errorClass == errorClass else { continue }
            guard host == nil || SourceHost.of(record.source) == host?.lowercased() else {
                continue
            }
            entries.append(Entry(record: record, failure: failure))
        }
        fault = whole.fault
        let failed = entries.map { entry in
            FailureReasons.Item(
                index: entry.record.index, source: entry.record.source,
                errorClass: entry.errorClass.rawValue)
        }
        let reasons = FailureReasons(of: failed, in: folder)
        for index in entries.indices {
            entries[index].reason = reasons[entries[index].record.index]
        }
    }

    /// The list has paths that start in the folder where it is read again.
    package var hasRelativePaths: Bool {
        entries.contains { entry in
            let source = entry.record.source
            return !source.isEmpty && SourceReference.scheme(of: source) == nil
                && !FilePath(source).isAbsolute && source != "-"
        }
    }

    /// The list as CSV with the columns that `--list` reads: feed it again as it is.
    ///
    /// - Parameter isGuarded: no cell is a formula for a spreadsheet. A marker column tells `batch`
    ///   to take the guard off again.
    package func csv(isGuarded: Bool = false) -> String {
        var headers = ["source", "id", "label"]
        let own = FailureColumns(FailureColumns.csv, beside: entries)
        let rows = entries.map { own.others(of: $0) }
        for (name, _) in rows.joined() where !headers.contains(name) { headers.append(name) }
        headers += own.all
        if isGuarded, !headers.contains(SpreadsheetCell.column) {
            headers.append(SpreadsheetCell.column)
        }
        func line(_ cells: some Sequence<String>) -> String {
            cells.map { Self.cell(isGuarded ? SpreadsheetCell.guarded($0) : $0) }
                .joined(separator: ",") + "\r\n"
        }
        var text = line(headers)
        for (entry, row) in zip(entries, rows) {
            var values = Dictionary(row, uniquingKeysWith: { $1 })
            values[own["row"]] = entry.record.row.map { .number(JSONNumber($0)) }
            values[own["error_class"]] = .string(entry.errorClass.rawValue)
            if isGuarded { values[SpreadsheetCell.column] = .string("1") }
            text += line(headers.map { values[$0]?.cell(in: $0) ?? "" })
        }
        return text
    }

    /// The list as JSON, an object a line, each of which is also a row of a list.
    package var ndjson: [UInt8] {
        let own = FailureColumns(FailureColumns.json, beside: entries)
        var json = JSONWriter()
        for entry in entries {
            entry.write(own, into: &json)
            json.endLine()
        }
        return json.take()
    }

    /// One array of the same objects; `[]` where nothing failed.
    package var json: [UInt8] {
        let own = FailureColumns(FailureColumns.json, beside: entries)
        var json = JSONWriter()
        json.beginArray()
        for entry in entries { entry.write(own, into: &json) }
        json.endArray()
        json.endLine()
        return json.take()
    }

    private static func cell(_ text: String) -> String {
        let isPlain = !text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}

extension FailureList.Entry {
    /// All that its row says, in the columns of a list.
    var columns: [(String, JSON)] {
        var columns: [(String, JSON)] = [("source", .string(record.source)), ("id", .string(id))]
        func add(_ name: String, _ text: String?) {
            if let text { columns.append((name, .string(text))) }
        }
        add("label", record.accessibility.label)
        add("hint", record.accessibility.hint)
        add("value", record.accessibility.value)
        for (column, text) in zip(ListColumn.look, record.look.all) { add(column.rawValue, text) }
        if !record.alternatives.isEmpty {
            columns.append(("alternatives", .array(record.alternatives.map { .string($0) })))
        }
        for member in record.extra {
            // What a column of ours holds and cannot be used stands there.
            if let index = columns.firstIndex(where: { $0.0 == member.name }) {
                columns[index].1 = member.value
            } else {
                columns.append((member.name, member.value))
            }
        }
        return columns
    }

    fileprivate func write(_ own: FailureColumns, into json: inout JSONWriter) {
        json.object { json in
            json.member(own["index"], record.index)
            if let row = record.row { json.member(own["row"], row) }
            json.member(own["class"], errorClass.rawValue)
            json.member(own["retryable"], failure.isRetryable)
            json.member(own["message"], message)
            if explanation != message { json.member(own["detail"], explanation) }
            for (name, value) in own.others(of: self) { json.member(name, value) }
        }
    }
}

extension JSON {
    /// The value in a field of CSV. A source with spaces needs a bar behind it.
    fileprivate func cell(in column: String) -> String {
        switch self {
        case .string(let text): text
        case .array(let values)
        where column == "alternatives" && values.allSatisfy({ $0.stringValue != nil }):
            values.compactMap(\.stringValue).map { "\($0)|" }.joined()
        default: text
        }
    }
}
