import Engine
import Notation

/// Why items could not be written, in the words that the manifest, whose messages are fixed, leaves to
/// `run.json`. Bounded, however many there are.
struct UnwrittenItems: Sendable {
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
        json.array("unwritten") { json in
            for entry in entries.sorted(by: { $0.index < $1.index }) {
                json.object { json in
                    json.member("index", entry.index)
                    json.member("source", entry.source)
                    json.member("message", entry.reason)
                }
            }
        }
    }
}
