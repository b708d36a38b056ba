import Transport

/// Sorts entries that can exceed the memory: sorted runs on disk, merged as they are read.
///
/// Memory is bounded for all inputs, even if all entries have the same name.
struct NameSorter {
    private let runLength: Int
    private var entries: [NameEntry] = []
    private var runs: [Range<Int64>] = []
    private var buffer: SpillBuffer

    init(in folder: FilePath, runLength: Int) {
        self.runLength = max(1, runLength)
        buffer = SpillBuffer(in: folder, limit: 0)
    }

    mutating func append(_ entry: NameEntry) throws(PlanError) {
        entries.append(entry)
        if entries.count > runLength { try spill() }
    }

    /// Passes all entries to `body` in order, and removes them.
    mutating func drain(
        _ body: (NameEntry) throws(PlanError) -> Void
    ) throws(PlanError) {
        if runs.isEmpty {
            entries.sort()
            for entry in entries { try body(entry) }
        } else {
            if !entries.isEmpty { try spill() }
            try merge(body)
        }
        entries = []
        runs = []
    }

    private mutating func spill() throws(PlanError) {
        entries.sort()
        let start = buffer.count
        var block: [UInt8] = []
        block.reserveCapacity(65_536)
        for entry in entries {
            entry.append(to: &block)
            if block.count + NameEntry.byteCount > 65_536 {
                _ = try buffer.append(block)
                block.removeAll(keepingCapacity: true)
            }
        }
        _ = try buffer.append(block)
        try buffer.flush()
        runs.append(start..<buffer.count)
        entries.removeAll(keepingCapacity: true)
    }

    private func merge(_ body: (NameEntry) throws(PlanError) -> Void) throws(PlanError) {
        var heap: [Cursor] = []
        for run in runs {
            var cursor = Cursor(rest: run)
            if try cursor.advance(in: buffer) { heap.append(cursor) }
        }
        heap.sort { $0.head < $1.head }
        while !heap.isEmpty {
            try body(heap[0].head)
            if try !heap[0].advance(in: buffer) {
                let last = heap.removeLast()
                if heap.isEmpty { return }
                heap[0] = last
            }
            sink(&heap)
        }
    }

    /// Restores the order of a heap whose first cursor changed.
    private func sink(_ heap: inout [Cursor]) {
        var node = 0
        while true {
            var least = node
            for child in [node * 2 + 1, node * 2 + 2]
            where child < heap.count && heap[child].head < heap[least].head {
                least = child
            }
            if least == node { return }
            heap.swapAt(node, least)
            node = least
        }
    }

    private struct Cursor {
        private static let blockEntries = 400

        var rest: Range<Int64>
        var head = NameEntry(name: 0, index: 0, marks: [])
        private var block: [UInt8] = []
        private var used = 0

        init(rest: Range<Int64>) {
            self.rest = rest
        }

        mutating func advance(in buffer: SpillBuffer) throws(PlanError) -> Bool {
            if used == block.count {
                guard !rest.isEmpty else { return false }
                let most = Int64(Self.blockEntries * NameEntry.byteCount)
                block = try buffer.read(
                    at: rest.lowerBound, count: Int(min(most, Int64(rest.count))))
                guard block.count >= NameEntry.byteCount else { throw .scratch(.cutShort) }
                rest = (rest.lowerBound + Int64(block.count))..<rest.upperBound
                used = 0
            }
            head = NameEntry(block[used..<used + NameEntry.byteCount])
            used += NameEntry.byteCount
            return true
        }
    }
}
