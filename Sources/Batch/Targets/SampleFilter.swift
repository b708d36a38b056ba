import Engine
import Targets

/// The samples of a run's items, each key once: items that share their files are one sample, which tells
/// of the first of them.
struct SampleFilter {
    private let prefix: String
    /// Nil where no item shares anything, so that nothing need be kept.
    private var seen: Set<UInt64>?

    init(_ opened: OpenTarget, hasSharing: Bool) {
        prefix = opened.pictures.prefix
        seen = hasSharing ? [] : nil
    }

    /// Nil for an item without pictures, and for one whose sample was there.
    mutating func sample(of record: ItemRecord) -> TarSample? {
        guard let sample = TarSample(TargetItem(record, in: .tar, prefix: prefix)),
            seen?.insert(NameHash.of(sample.key)).inserted ?? true
        else { return nil }
        return sample
    }
}
