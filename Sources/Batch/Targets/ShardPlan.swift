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
