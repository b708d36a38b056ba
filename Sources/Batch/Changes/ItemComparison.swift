import System

/// Compares the items of two manifests by their ids. The caller reads both manifests in parallel,
/// one item of each at a time.
///
/// An item waits only until the item with its id comes from the other manifest. The memory
/// therefore depends on how far items moved between the two lists, not on the length of the lists.
/// Items with the same id are compared in their order.
struct ItemComparison {
    /// An item that differs, with the offsets of its lines; nil in a manifest without the item.
    struct Difference {
        let kind: SetChanges.Kind
        let old: Int?
        let new: Int?
    }

    private struct Waiting {
        var item: ItemDigest
        let isNew: Bool
    }

    private(set) var changes = SetChanges()
    private var waiting: [UInt64: Waiting] = [:]
    /// Further waiting items with an id that `waiting` has already, in the order of their manifest.
    private var repeated: [UInt64: Deque<ItemDigest>] = [:]

    /// Takes the next item of one of the manifests.
    ///
    /// - Parameters:
    ///   - isNew: The item is from the newer manifest.
    ///   - otherHasEnded: The other manifest has no more items.
    /// - Returns: The difference that the item decides; nil if the item waits, or if both items are
    ///   equal.
    mutating func see(_ item: ItemDigest, isNew: Bool, otherHasEnded: Bool) -> Difference? {
        if let other = counterpart(of: item, isNew: isNew) {
            return isNew ? pair(other, item) : pair(item, other)
        }
        if otherHasEnded { return alone(item, isNew: isNew) }
        guard waiting[item.id] != nil else {
            waiting[item.id] = Waiting(item: item, isNew: isNew)
            return nil
        }
        repeated[item.id, default: Deque()].append(item)
        return nil
    }

    /// Returns the items that still wait; only one of the manifests has them.
    mutating func finish() -> [Difference] {
        var differences: [Difference] = []
        for (id, first) in waiting {
            differences.append(alone(first.item, isNew: first.isNew))
            while let next = repeated[id]?.popFirst() {
                differences.append(alone(next, isNew: first.isNew))
            }
        }
        waiting = [:]
        repeated = [:]
        return differences
    }

    /// Takes back a difference between lines that differ only in the spelling of their JSON.
    mutating func withdraw(_ kind: SetChanges.Kind) {
        changes[kind] -= 1
        changes.unchanged += 1
    }

    /// Returns the waiting item with the same id from the other manifest, and removes it.
    private mutating func counterpart(of item: ItemDigest, isNew: Bool) -> ItemDigest? {
        guard let first = waiting[item.id], first.isNew != isNew else { return nil }
        if let next = repeated[item.id]?.popFirst() {
            waiting[item.id]?.item = next
        } else {
            waiting[item.id] = nil
        }
        if repeated[item.id]?.isEmpty == true { repeated[item.id] = nil }
        return first.item
    }

    /// Counts two items with the same id, and returns their difference.
    private mutating func pair(_ old: ItemDigest, _ new: ItemDigest) -> Difference? {
        guard !old.hasContents(of: new) else {
            changes.unchanged += 1
            return nil
        }
        let kind = SetChanges.kind(from: old.state, to: new.state)
        changes[kind] += 1
        return Difference(kind: kind, old: old.offset, new: new.offset)
    }

    /// Counts an item that only one manifest has, and returns the difference.
    private mutating func alone(_ item: ItemDigest, isNew: Bool) -> Difference {
        changes[isNew ? .added : .gone] += 1
        return isNew
            ? Difference(kind: .added, old: nil, new: item.offset)
            : Difference(kind: .gone, old: item.offset, new: nil)
    }
}
