import Engine
import Notation
import Transport

/// Why items could not be written, in the words that the manifest, whose messages are fixed, leaves to
/// `run.json`. Bounded, however many there are.
struct UnwrittenItems: Sendable {
    private static let name = "unwritten"
    private static let kept = 100

    private struct Entry: Sendable {
        let index: Int
        let source: String
        let reason: String
    }

    private var entries: [Entry] = []

    mutating func record(_ record: ItemRecord) {
        guard let failure = record.failure, failure.errorClass == .write,
            !failure.detail.isEmpty, entries.count < Self.kept
        else { return }
        entries.append(Entry(index: record.index, source: record.source, reason: failure.detail))
    }

    /// Writes an array in the order of the list; nothing where all could be written.
    func write(into json: inout JSONWriter) {
        guard !entries.isEmpty else { return }
        json.array(Self.name) { json in
            for entry in entries.sorted(by: { $0.index < $1.index }) {
                json.object { json in
                    json.member("index", entry.index)
                    json.member("source", entry.source)
                    json.member("message", entry.reason)
                }
            }
        }
    }

    /// What the run record in `folder` says of its last run; nothing where there is none.
    init(in folder: FilePath) {
        let told = RunRecorder.record(in: folder)?[Self.name]?.elements ?? []
        entries = told.compactMap { entry in
            guard let index = entry["index"]?.intValue,
                let source = entry["source"]?.stringValue,
                let reason = entry["message"]?.stringValue
            else { return nil }
            return Entry(index: index, source: source, reason: reason)
        }
    }

    init() {}

    /// Why the item of this record could not be written.
    func reason(of record: ItemRecord) -> String? {
        entries.first { $0.index == record.index && $0.source == record.source }?.reason
    }
}
