import Engine
import Transport

/// A file that a run writes beside its outputs, as planned outputs could be called that stand in its
/// place.
package struct FileAtStake: Sendable {
    private let names: [String]

    /// - Parameter file: from the root on and without links.
    package init(_ file: FilePath, among places: [OutputPlace]) {
        names = places.compactMap { place in
            guard let rest = file.below(place.folder.place) else { return nil }
            let below = String(decoding: rest.bytes, as: UTF8.self)
            let first = below.split(separator: "/").first.map(String.init)
            guard let first, place.tops?.contains(first) ?? true else { return nil }
            return place.prefix + below
        }
    }

    /// Whether an output of this name needs the place, for itself or for a folder that it stands in.
    fileprivate func isTaken(by output: String) -> Bool {
        names.contains { output == $0 || output.hasPrefix($0 + "/") }
    }

    fileprivate var isSafe: Bool { names.isEmpty }
}

extension BatchPlan {
    /// Whether an output of a run over `indices` would stand in the place of a file, or have it for a
    /// folder. Reads no item where none can.
    package func needsPlace(
        of file: FileAtStake, _ indices: StrideTo<Int>, in settings: RunSettings,
        _ spots: [TargetSpot]
    ) throws(PlanError) -> Bool {
        guard !file.isSafe else { return false }
        for index in indices {
            let names = try item(at: index).possibleNames(in: settings, spots)
            if names.contains(where: file.isTaken) { return true }
        }
        return false
    }
}
