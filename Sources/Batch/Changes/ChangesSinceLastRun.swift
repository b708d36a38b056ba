import Transport

/// Compares the manifest that a run writes with the last one, which is read in step with it.
struct ChangesSinceLastRun {
    /// The last manifest; nil where there is none that can be read to its end.
    private var last: ManifestGlances?
    private var comparison = ItemComparison()

    init(in folder: OutputFolder) throws(OutletError) {
        let name = try LastManifest.currentName(in: folder)
        do throws(ManifestError) {
            last = try ManifestGlances(folder.path.appending(FilePath("\(name)")))
        } catch {
            // The run is the first one here, or an older one left something else: nothing is compared.
            last = nil
        }
    }

    /// Takes the next item of the manifest that is written: its line, without the end.
    mutating func see(_ line: ArraySlice<UInt8>) {
        guard last != nil, let glance = ItemGlance(line: line) else { return }
        seeLast()
        _ = comparison.see(glance, isNew: true, isLast: last?.hasEnded ?? true)
    }

    /// Reads the rest of the last manifest.
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
