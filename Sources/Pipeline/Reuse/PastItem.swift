import Digest
import Notation
import Transport

/// What an earlier run found out about an item, as far as it still holds.
struct PastItem: Sendable {
    let record: ItemRecord
    /// The source file that the outputs come from, or the item's own where nothing could be shown.
    let seen: SeenFile?
    /// Which source was shown: 0 is the item's own, 1 its first alternative.
    let via: Int
    /// The run that is to be resumed wrote it.
    let isOfRun: Bool
    /// The outputs that stand as they were written.
    private(set) var standing: [OutputRecord] = []

    /// Every output stands.
    var isWhole: Bool { standing.count == record.outputs.count }

    /// The output at a path, if it stands.
    func output(at path: String) -> OutputRecord? { standing.first { $0.path == path } }

    /// Looks which outputs have the size and time they were left with. What cannot be looked at
    /// is taken for missing and made anew.
    mutating func lookAtOutputs(in folder: OutputFolder) {
        standing = record.outputs.filter { output in
            guard let path = RelativePath(output.path) else { return false }
            do throws(OutletError) {
                guard let facts = try folder.facts(of: path) else { return false }
                return facts.size == output.bytes && facts.modified == output.modified
            } catch {
                return false
            }
        }
    }

    /// The bytes alone decided how the item ended.
    var isSettledByBytes: Bool {
        switch record.failure?.errorClass {
        case nil: record.status == .ok
        case .notImage, .unsupported, .truncated, .corrupt, .limitPixels: true
        default: false
        }
    }

    /// Nobody needs to be asked again when the run is resumed: the item has its picture, or lacks
    /// it for a reason that does not pass.
    var isDone: Bool {
        guard let failure = record.failure else { return record.status == .ok }
        guard !failure.isRetryable else { return false }
        switch failure.errorClass {
        // A drawing that took too long is a timeout that does not pass, and done.
        case .dns, .connect, .tls, .http5xx, .rateLimited, .hostOpen, .offline,
            .limitDecode, .unreadable, .encode, .write, .canceled:
            return false
        default: return true
        }
    }

    /// Reads a journal's line that was found sound; nil if it says anything that would be lost.
    init?(_ line: JSON, isOfRun: Bool) {
        guard let item = line["item"],
            var record = ItemRecord(
                item, httpStatus: line["http"]?.intValue, detail: line["detail"]?.stringValue)
        else { return nil }
        var json = JSONWriter()
        record.write(into: &json)
        guard item.text.utf8.elementsEqual(json.bytes) else { return nil }
        let times = line["times"]?.elements ?? []
        guard times.count == record.outputs.count else { return nil }
        for (index, time) in times.enumerated() {
            guard let time = time.intValue else { return nil }
            record.outputs[index].modified = Int64(time)
        }
        self.record = record
        seen = SeenFile(line["seen"])
        via = line["via"]?.intValue ?? 0
        self.isOfRun = isOfRun
    }
}
