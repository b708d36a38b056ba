import Engine
import Transport

extension PastItem {
    /// Looks which outputs have the size and time they were left with. What cannot be looked at
    /// is taken for missing and made anew.
    mutating func lookAtOutputs(in outlet: Outlet) {
        standing = record.outputs.filter { output in
            guard let path = RelativePath(output.path), let folder = outlet.folder(of: output)
            else { return false }
            return output.stands(path, in: folder)
        }
    }
}

extension OutputRecord {
    /// Whether the file has the size and time it was left with.
    func stands(_ path: RelativePath, in folder: OutputFolder) -> Bool {
        do throws(OutletError) {
            guard let facts = try folder.facts(of: path) else { return false }
            return facts.size == bytes && facts.modified == modified
        } catch {
            return false
        }
    }
}
