import Engine
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
}
