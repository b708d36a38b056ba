import Synchronization

/// The transforms of the profiles last met, so that a run over the pictures of one camera makes
/// its transform once.
///
/// A transform depends on its profile alone, so nothing shows of this but the time it saves.
final class TransformStock: Sendable {
    static let shared = TransformStock()

    private struct Entry {
        let profile: [UInt8]
        let transform: ColorTransform?
    }

    /// The one used last comes last.
    private let entries = Mutex<[Entry]>([])

    /// A transform holds up to a few hundred kilobytes.
    private static let entriesLimit = 8
    /// Larger profiles, mostly those of printing presses, are seldom met twice.
    private static let profileBytesLimit = 64 << 10

    func transform(for profile: [UInt8], model: ColorModel) -> ColorTransform? {
        if let known = entry(for: profile) { return known.transform }
        // Made without the lock: two threads may make the same one, and one of them is dropped.
        let made = ColorTransform(profile, model: model)
        keep(Entry(profile: profile, transform: made))
        return made
    }

    private func entry(for profile: [UInt8]) -> Entry? {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.profile == profile }) else {
                return nil
            }
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry
        }
    }

    private func keep(_ entry: Entry) {
        guard entry.profile.count <= Self.profileBytesLimit else { return }
        entries.withLock { entries in
            guard !entries.contains(where: { $0.profile == entry.profile }) else { return }
            if entries.count == Self.entriesLimit { entries.removeFirst() }
            entries.append(entry)
        }
    }
}
