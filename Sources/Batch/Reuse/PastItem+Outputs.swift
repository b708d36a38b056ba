import Digest
import Engine
import Transport

extension PastItem {
    /// Looks which outputs stand as they were written, and under which time. What cannot be looked at
    /// is taken for missing and made anew.
    ///
    /// - Parameter trustsTimes: size and time vouch for the bytes of an output.
    mutating func lookAtOutputs(in outlet: Outlet, trustsTimes: Bool) {
        var standing: [OutputRecord] = []
        standing.reserveCapacity(record.outputs.count)
        for index in record.outputs.indices {
            var output = record.outputs[index]
            guard let path = RelativePath(output.path), let folder = outlet.folder(of: output),
                let time = output.time(of: path, in: folder, trustsTimes: trustsTimes)
            else { continue }
            if time != output.modified {
                output.modified = time
                record.outputs[index] = output
                isRetimed = true
            }
            standing.append(output)
        }
        self.standing = standing
    }
}

extension OutputRecord {
    /// Whether the file holds what was written.
    func stands(_ path: RelativePath, in folder: OutputFolder) -> Bool {
        time(of: path, in: folder, trustsTimes: true) != nil
    }

    /// The time of the file, if it holds what was written: its size and time vouch for it, and where
    /// it was copied or checked out since, its bytes do.
    fileprivate func time(
        of path: RelativePath, in folder: OutputFolder, trustsTimes: Bool
    ) -> Int64? {
        do throws(OutletError) {
            guard let facts = try folder.facts(of: path), facts.size == bytes else { return nil }
            if trustsTimes, facts.modified == modified { return modified }
            let digest = try folder.digest(of: path, fromDisk: !trustsTimes)
            guard digest?.hex == sha256 else { return nil }
            return facts.modified
        } catch {
            return nil
        }
    }
}
