import Engine

/// An item that ended, with its pictures in one target.
package struct TargetItem: Sendable {
    package let record: ItemRecord
    /// Their paths start in the target's folder.
    package let pictures: [OutputRecord]

    /// - Parameter prefix: what stands before those paths in the manifest, with a slash.
    package init(_ record: ItemRecord, in kind: TargetKind, prefix: String = "") {
        self.record = record
        pictures = record.outputs.compactMap { output in
            guard (output.target ?? TargetKind.files.rawValue) == kind.rawValue,
                output.path.hasPrefix(prefix)
            else { return nil }
            var output = output
            output.path.removeFirst(prefix.count)
            return output
        }
    }

    /// The layouts in their order, each with its pictures.
    var layouts: [(name: String, pictures: [OutputRecord])] {
        var groups: [(name: String, pictures: [OutputRecord])] = []
        for picture in pictures {
            if groups.last?.name != picture.layout { groups.append((picture.layout, [])) }
            groups[groups.count - 1].pictures.append(picture)
        }
        return groups
    }

    /// What stands for the picture where it cannot be seen.
    var alternativeText: String {
        let label = record.accessibility.label ?? record.id
        return record.accessibility.value.map { "\(label), \($0)" } ?? label
    }
}

extension OutputRecord {
    /// What stands behind the last dot of its path.
    var fileExtension: String {
        String(path.split(separator: ".", omittingEmptySubsequences: false).last ?? "")
    }

    /// `1x`, `1.5x`.
    var scaleWord: String { "\(Int(exactly: scale).map(String.init) ?? "\(scale)")x" }

    /// Its size in points, whole ones.
    var points: (width: Int, height: Int) {
        (Int((Double(width) / scale).rounded()), Int((Double(height) / scale).rounded()))
    }
}
