import System

/// Compares the items of two manifests by their ids. Items with the same id are compared in their
/// order.
struct ItemComparison {
    /// An item that differs, with the offsets of its lines; nil in a manifest without the item.
    struct Difference {
        let kind: SetChanges.Kind
        let old: Int?
        let new: Int?
    }

    private(set) var changes = SetChanges()
    /// The items of the older manifest that have no counterpart yet: the first of each id, and
    /// further ones in their order.
    private var firsts: [UInt64: ItemDigest] = [:]
    private var others: [UInt64: Deque<ItemDigest>] = [:]

    /// Adds an item of the older manifest, before all items of the newer one.
    mutating func add(_ old: ItemDigest) {
        if firsts[old.id] == nil {
            firsts[old.id] = old
        } else {
            others[old.id, default: Deque()].append(old)
        }
    }

    /// Compares the next item of the newer manifest with its counterpart; nil if both are equal.
    mutating func see(_ new: ItemDigest) -> Difference? {
        guard let old = firsts.removeValue(forKey: new.id) else {
            changes[.added] += 1
            return Difference(kind: .added, old: nil, new: new.offset)
        }
        firsts[new.id] = others[new.id]?.popFirst()
        guard !old.hasContents(of: new) else {
            changes.unchanged += 1
            return nil
        }
        let kind = SetChanges.kind(from: old.state, to: new.state)
        changes[kind] += 1
        return Difference(kind: kind, old: old.offset, new: new.offset)
    }

    /// Returns the items that only the older manifest has.
    mutating func finish() -> [Difference] {
        var gone = Array(firsts.values)
        for id in firsts.keys {
            while let next = others[id]?.popFirst() { gone.append(next) }
        }
        firsts = [:]
        changes[.gone] += gone.count
        return gone.map { Difference(kind: .gone, old: $0.offset, new: nil) }
    }

    /// Takes back a difference between lines that differ only in the spelling of their JSON.
    mutating func withdraw(_ kind: SetChanges.Kind) {
        changes[kind] -= 1
        changes.unchanged += 1
    }
}
