import Notation

/// The part of a list that a run covered, as `run.json` has it; `merge` uses it to find missing
/// shards.
package struct ShardRecord: Hashable, Sendable {
    package let shard: Shard
    /// The number of items in the whole list, as far as the run read it. A shard with a higher
    /// number has no items.
    package let listItems: Int
    /// A digest of all rows and of the names of files in folders; equal for the shards of one list.
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

    func write(into json: inout JSONWriter) {
        json.object("shard") { json in
            json.member("index", shard.index)
            json.member("count", shard.count)
            json.member("list_items", listItems)
            if let listDigest { json.member("list_digest", listDigest) }
        }
    }

    /// Returns why this is a shard of another list than `other`; nil if no difference is known.
    func difference(from other: ShardRecord) -> String? {
        guard let listDigest, let before = other.listDigest, listDigest != before else {
            return nil
        }
        let counts = "of \(listItems) and of \(other.listItems) items"
        return listItems == other.listItems ? "rows of them differ" : "they are \(counts)"
    }

    /// Returns the shards of the list that have items and are not in `known`.
    static func missing(beside known: [ShardRecord]) -> [Shard] {
        guard let first = known.first,
            known.allSatisfy({
                $0.shard.count == first.shard.count && $0.listItems == first.listItems
            })
        else { return [] }
        let here = Set(known.map(\.shard.index))
        // A changed record may have a huge count, so the result is limited.
        let last = min(first.shard.count, first.listItems, 1_000_000)
        return (1...max(last, 1)).filter { !here.contains($0) }
            .map { Shard(index: $0, count: first.shard.count) }
    }
}
