import Notation

/// Which part of a list a run was over, as `run.json` tells it: what `merge` knows of the others.
package struct ShardRecord: Hashable, Sendable {
    package let shard: Shard
    /// Of the list in all, as far as the run looked; a shard that comes behind the last has none.
    package let listItems: Int
    /// Of all that its rows say, and of the names of what folders hold: two shards of one list have one.
    package let listDigest: String?

    package init(_ shard: Shard, listItems: Int, listDigest: String?) {
        self.shard = shard
        self.listItems = listItems
        self.listDigest = listDigest
    }

    init?(_ json: JSON?) {
        guard let index = json?["index"]?.intValue, let count = json?["count"]?.intValue,
            let items = json?["list_items"]?.intValue, (1...max(count, 1)).contains(index)
        else { return nil }
        self.init(
            Shard(index: index, count: count), listItems: items,
            listDigest: json?["list_digest"]?.stringValue)
    }

    /// Writes the member `shard`.
    func write(into json: inout JSONWriter) {
        json.object("shard") { json in
            json.member("index", shard.index)
            json.member("count", shard.count)
            json.member("list_items", listItems)
            if let listDigest { json.member("list_digest", listDigest) }
        }
    }

    /// Why this is a shard of another list than `other`, in words; nil where nothing says that it is.
    func difference(from other: ShardRecord) -> String? {
        guard let listDigest, let before = other.listDigest, listDigest != before else {
            return nil
        }
        let counts = "of \(listItems) and of \(other.listItems) items"
        return listItems == other.listItems ? "rows of them differ" : "they are \(counts)"
    }

    /// The shards of one list, as far as they have items, that none of `known` is.
    static func missing(beside known: [ShardRecord]) -> [Shard] {
        guard let first = known.first,
            known.allSatisfy({
                $0.shard.count == first.shard.count && $0.listItems == first.listItems
            })
        else { return [] }
        let here = Set(known.map(\.shard.index))
        // A record that was changed may name more of them than anybody can.
        let last = min(first.shard.count, first.listItems, 1_000_000)
        return (1...max(last, 1)).filter { !here.contains($0) }
            .map { Shard(index: $0, count: first.shard.count) }
    }
}
