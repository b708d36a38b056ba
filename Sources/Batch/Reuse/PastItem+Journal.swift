import Engine
import Notation
import Transport

extension PastItem {
    /// Looks which outputs have the size and time they were left with. What cannot be looked at
    /// is taken for missing and made anew.
    mutating func lookAtOutputs(in outlet: Outlet) {
        standing = record.outputs.filter { output in
            guard let path = RelativePath(output.path), let folder = outlet.folder(of: output)
            else { return false }
            do throws(OutletError) {
                guard let facts = try folder.facts(of: path) else { return false }
                return facts.size == output.bytes && facts.modified == output.modified
            } catch {
                return false
            }
        }
    }

    /// Reads a journal's line that was found sound; nil if it says anything that would be lost.
    ///
    /// - Parameters:
    ///   - bytes: the line as it stands.
    ///   - line: what it says.
    init?(_ bytes: ArraySlice<UInt8>, _ line: JSON, isOfRun: Bool) {
        guard let item = line["item"], let start = JournalLine.itemStart(in: bytes),
            var record = ItemRecord(
                item, httpStatus: line["http"]?.intValue, detail: line["detail"]?.stringValue)
        else { return nil }
        var json = JSONWriter()
        record.write(into: &json)
        guard bytes[start...].dropLast() == json.bytes[...] else { return nil }
        let times = line["times"]?.elements ?? []
        guard times.count == record.outputs.count else { return nil }
        for (index, time) in times.enumerated() {
            guard let time = time.intValue else { return nil }
            record.outputs[index].modified = Int64(time)
        }
        record.gradients = line["gradients"]?.stringValue.flatMap { UInt64($0, radix: 16) }
        self.init(
            record: record, seen: SeenFile(line["seen"]), sourceIndex: line["via"]?.intValue ?? 0,
            isOfRun: isOfRun)
    }
}
