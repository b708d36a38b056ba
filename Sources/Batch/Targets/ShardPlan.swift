import Digest
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
    private let itemCount: Int
    private(set) var shards: [Shard] = []
    private var count = 0

    init(_ packing: TarPacking, itemCount: Int) {
        self.packing = packing
        self.itemCount = itemCount
    }

    mutating func add(_ sample: TarSample) {
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
            return self.count * min(count, itemCount) >= shards.count * itemCount
        }
    }
}
