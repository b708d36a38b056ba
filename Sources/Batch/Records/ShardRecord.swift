import Notation

/// Which part of a list a run was over, as `run.json` tells it: what `merge` knows of the others.
package struct ShardRecord: Hashable, Sendable {
    package let shard: Shard
    /// Of the list in all, as far as the run looked; a shard that comes behind the last has none.
    package let listItems: Int

    package init(_ shard: Shard, listItems: Int) {
        self.shard = shard
        self.listItems = listItems
    }

    init?(_ json: JSON?) {
        guard let index = json?["index"]?.intValue, let count = json?["count"]?.intValue,
            let items = json?["list_items"]?.intValue, (1...max(count, 1)).contains(index)
        else { return nil }
        self.init(Shard(index: index, count: count), listItems: items)
    }

    /// Writes the member `shard`.
    func write(into json: inout JSONWriter) {
        json.object("shard") { json in
            json.member("index", shard.index)
            json.member("count", shard.count)
            json.member("list_items", listItems)
        }
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
