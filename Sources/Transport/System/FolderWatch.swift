import Glibc

/// Notices changes in folders, with inotify.
package struct FolderWatch: ~Copyable {
    /// Returns whether a change of the entry with this name matters.
    package typealias Filter = @Sendable (_ name: [UInt8], _ isFolder: Bool) -> Bool

    private static let events = UInt32(
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ONLYDIR)
    /// The bytes of an event before its name.
    private static let headBytes = 16

    private let descriptor: Descriptor
    private var filters: [Int32: [Filter]] = [:]
    /// The watched folders whose contents matter.
    private var countedWatches: Set<Int32> = []

    package init() throws(Errno) {
        let number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard number >= 0 else { throw Errno(errno) }
        descriptor = Descriptor(owning: number)
    }

    /// The number of watched folders whose contents matter.
    package var count: Int { countedWatches.count }

    /// Watches a folder, but not its subfolders.
    ///
    /// - Parameter isAside: Whether the folder is watched only to notice a new entry, and is not
    ///   counted.
    package mutating func add(
        _ folder: FilePath, isAside: Bool = false, _ filter: @escaping Filter
    ) throws(Errno) {
        let watch = try SystemCalls.watch(folder, by: descriptor.number, Self.events)
        filters[watch, default: []].append(filter)
        if !isAside { countedWatches.insert(watch) }
    }

    /// Returns whether a relevant change occurred since the last call.
    package func hasChanged() throws(Errno) -> Bool {
        var isChanged = false
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count: Int
            do throws(Errno) {
                count = try read(into: &bytes)
            } catch {
                guard error.code == EAGAIN else { throw error }
                return isChanged
            }
            guard count > 0 else { return isChanged }
            if isRelevant(bytes[..<count]) { isChanged = true }
        }
    }

    private func read(into bytes: inout [UInt8]) throws(Errno) -> Int {
        var room = bytes.mutableSpan
        return try unsafe room.withUnsafeMutableBytes { buffer throws(Errno) in
            try unsafe SystemCalls.read(descriptor.number, into: buffer)
        }
    }

    /// Returns whether the events in these bytes include a relevant change.
    private func isRelevant(_ bytes: ArraySlice<UInt8>) -> Bool {
        func word(_ offset: Int) -> UInt32 {
            bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        var start = bytes.startIndex
        while start + Self.headBytes <= bytes.endIndex {
            let mask = word(start + 4)
            let end = start + Self.headBytes + Int(word(start + 12))
            guard end <= bytes.endIndex else { return true }
            // The event queue overflowed, so any change may have occurred.
            if mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
            let name = Array(bytes[(start + Self.headBytes)..<end].prefix { $0 != 0 })
            let isFolder = mask & UInt32(IN_ISDIR) != 0
            let filters = filters[Int32(bitPattern: word(start))] ?? []
            if filters.contains(where: { $0(name, isFolder) }) { return true }
            start = end
        }
        return false
    }
}
