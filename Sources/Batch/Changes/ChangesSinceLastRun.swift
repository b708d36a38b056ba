import Transport

/// Compares the manifest that a run writes with the last manifest, which is read in step with it.
struct ChangesSinceLastRun {
    /// The last manifest; nil if it is missing or cannot be read to its end.
    private var last: ManifestGlances?
    private var comparison = ItemComparison()

    init(in folder: OutputFolder) throws(OutletError) {
        let name = try LastManifest.currentName(in: folder)
        do throws(ManifestError) {
            last = try ManifestGlances(folder.path.appending(FilePath("\(name)")))
        } catch {
            // Nothing is compared on the first run into a folder, or after an unreadable manifest.
            last = nil
        }
    }

    /// Takes the next line of the manifest that is written, without its line end.
    mutating func see(_ line: ArraySlice<UInt8>) {
        guard last != nil, let glance = ItemGlance(line: line) else { return }
        seeLast()
        _ = comparison.see(glance, isNew: true, isLast: last?.hasEnded ?? true)
    }

    /// Reads the rest of the last manifest and returns the changes; nil if it could not be read.
    mutating func finish() -> SetChanges? {
        while last?.hasEnded == false { seeLast(isLast: true) }
        _ = comparison.finish()
        return last == nil ? nil : comparison.changes
    }

    private mutating func seeLast(isLast: Bool = false) {
        do throws(ManifestError) {
            guard let glance = try last?.next() else { return }
            _ = comparison.see(glance, isNew: false, isLast: isLast)
        } catch {
            last = nil
        }
    }
}
