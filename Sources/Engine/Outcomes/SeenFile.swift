import Gauge
import Notation
import System
import Transport

/// The metadata of a source file at the time when its bytes were read.
package struct SeenFile: Hashable, Sendable {
    /// The time after a change during which the metadata is not trusted: file system clocks are
    /// coarse, so the file may change again with the same timestamps.
    private static let doubtNanoseconds: Int64 = 2_000_000_000

    let size: Int
    let modified: Int64
    let changed: Int64
    let inode: UInt64
    /// Whether the file had just been written, so that equal metadata proves nothing.
    private(set) var isDoubtful: Bool

    /// - Parameter now: The current time in nanoseconds since 1970.
    package init(
        _ facts: FileFacts, now: Int64 = WallClock.nowMilliseconds &* 1_000_000
    ) {
        size = facts.size
        modified = facts.modified
        changed = facts.changed
        inode = facts.identity.inode
        isDoubtful = now &- max(modified, changed) < Self.doubtNanoseconds
    }

    /// Returns whether the metadata shows reliably that a file with these facts has the same bytes.
    package func vouches(for facts: FileFacts) -> Bool { !isDoubtful && fits(facts) }

    /// Returns whether size, timestamps and inode are the same.
    package func fits(_ facts: FileFacts) -> Bool {
        facts.kind == .file && facts.size == size && facts.modified == modified
            && facts.changed == changed && facts.identity.inode == inode
    }

    package func write(_ name: String, into json: inout JSONWriter) {
        json.array(name) { json in
            json.write(size)
            json.write(Int(modified))
            json.write(Int(changed))
            json.write(Int(bitPattern: UInt(inode)))
            if isDoubtful { json.write(true) }
        }
    }

    package init(_ json: inout WrittenJSON) throws(WrittenJSON.Otherwise) {
        var parts: [Int] = []
        try json.beginArray()
        while parts.count < 4, try json.nextElement() { parts.append(try json.int()) }
        guard parts.count == 4 else { throw WrittenJSON.Otherwise() }
        size = parts[0]
        modified = Int64(parts[1])
        changed = Int64(parts[2])
        inode = UInt64(UInt(bitPattern: parts[3]))
        isDoubtful = try json.nextElement()
        guard isDoubtful else { return }
        let isSaid = try json.bool()
        guard isSaid, try !json.nextElement() else { throw WrittenJSON.Otherwise() }
    }
}
