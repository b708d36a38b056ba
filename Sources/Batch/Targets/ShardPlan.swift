import Digest
import Engine
import Targets

/// The assignment of items to archives, computed in one pass without reading pictures.
struct ShardPlan {
    struct Shard {
        /// The range of its samples in the run.
        var samples: Range<Int>
        var bytes: Int
        fileprivate var hash = SHA256()
        /// A digest of everything that affects its bytes.
        var identity: String { hash.finish().hex }
    }

    private let packing: TarPacking
    /// The number of samples in the run; used only for a fixed number of archives.
    private let sampleCount: Int
    /// The filter in its initial state, for another pass over the items.
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
            // Archives are as even as whole items allow: archive n ends at n × items / archives.
            return self.count * min(count, sampleCount) >= shards.count * sampleCount
        }
    }
}

/// Finds the samples of a run's items, each key once. Items that share their files are one sample,
/// which describes the first of them.
struct SampleFilter {
    private let prefix: String
    /// The hashes of the keys so far; nil if no items share files, so that no hashes are kept.
    private var seen: Set<UInt64>?

    init(_ opened: OpenTarget, hasSharing: Bool) {
        prefix = opened.pictures.prefix
        seen = hasSharing ? [] : nil
    }

    /// Returns nil for an item without pictures, and for a repeated sample.
    mutating func sample(of record: ItemRecord) -> TarSample? {
        guard let sample = TarSample(TargetItem(record, in: .tar, prefix: prefix)),
            seen?.insert(NameHash.of(sample.key)).inserted ?? true
        else { return nil }
        return sample
    }
}
