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
                let time = folder.time(
                    of: path, bytes: output.bytes, sha256: output.sha256,
                    modified: output.modified, trustsTimes: trustsTimes)
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
