import Digest
import Engine
import Targets

/// Which items stand in which archive, found in one pass that reads no picture.
struct ShardPlan {
    struct Shard {
        /// Samples, from the first of the run on.
        var samples: Range<Int>
        var bytes: Int
        fileprivate var hash = SHA256()
        /// Of all that decides its bytes.
        var identity: String { hash.finish().hex }
    }

    private let packing: TarPacking
    /// Of the whole run; only where archives are counted.
    private let sampleCount: Int
    /// Before the first item.
    let filter: SampleFilter
    private var samples: SampleFilter
    private(set) var shards: [Shard] = []
    private var count = 0

    init(_ packing: TarPacking, sampleCount: Int, _ filter: SampleFilter) {
        self.packing = packing
        self.sampleCount = sampleCount
        self.filter = filter
        samples = filter
    }

    mutating func add(_ record: ItemRecord) {
        guard let sample = samples.sample(of: record) else { return }
        let bytes = sample.archivedBytes
        if opensNext(bytes) {
            shards.append(Shard(samples: count..<count, bytes: TarHeader.end.count))
        }
        let last = shards.count - 1
        shards[last].samples = shards[last].samples.lowerBound..<(count + 1)
        shards[last].bytes += bytes
        shards[last].hash.update(Array(sample.identity.utf8).span)
        count += 1
    }

    private func opensNext(_ bytes: Int) -> Bool {
        guard let last = shards.last else { return true }
        switch packing {
        case .bytes(let limit): return last.bytes + bytes > limit
        case .count(let count):
            // As even as whole items allow: the n-th ends at n times the items by the archives.
            return self.count * min(count, sampleCount) >= shards.count * sampleCount
        }
    }
}

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
