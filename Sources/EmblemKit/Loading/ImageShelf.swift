import FoundationEssentials
import Raster
import Synchronization

/// Pictures by URL, up to a number of bytes; those unused for longest go first.
final class ImageShelf: Sendable {
    fileprivate struct Entry {
        let image: Image
        var usedAt: UInt64
    }

    fileprivate struct State {
        var entries: [URL: Entry] = [:]
        /// Every use in its order; a use that was followed by another counts for nothing.
        var uses: [(url: URL, at: UInt64)] = []
        /// The uses before this one have been dealt with.
        var firstUse = 0
        var clock: UInt64 = 0
        var bytes = 0
    }

    private let bytesLimit: Int
    private let state = Mutex(State())

    init(bytesLimit: Int) {
        self.bytesLimit = max(0, bytesLimit)
    }

    var bytes: Int { state.withLock { $0.bytes } }

    func image(for url: URL) -> Image? {
        state.withLock { state -> Image? in
            guard let image = state.entries[url]?.image else { return nil }
            state.use(url)
            return image
        }
    }

    /// A picture larger than the whole shelf is not kept.
    func keep(_ image: Image, for url: URL) {
        guard image.byteCount <= bytesLimit else { return }
        state.withLock { state in
            state.remove(url)
            state.bytes += image.byteCount
            state.entries[url] = Entry(image: image, usedAt: 0)
            state.use(url)
            state.makeRoom(within: bytesLimit)
        }
    }

    func removeAll() {
        state.withLock { $0 = State() }
    }
}

extension ImageShelf.State {
    fileprivate mutating func use(_ url: URL) {
        clock += 1
        entries[url]?.usedAt = clock
        uses.append((url, clock))
        // The list holds at most twice as many uses as there are entries, and a few.
        guard uses.count > entries.count * 2 + 16 else { return }
        uses = uses[firstUse...].filter { entries[$0.url]?.usedAt == $0.at }
        firstUse = 0
    }

    fileprivate mutating func remove(_ url: URL) {
        if let old = entries.removeValue(forKey: url) { bytes -= old.image.byteCount }
    }

    fileprivate mutating func makeRoom(within limit: Int) {
        while bytes > limit, firstUse < uses.count {
            let use = uses[firstUse]
            firstUse += 1
            if entries[use.url]?.usedAt == use.at { remove(use.url) }
        }
    }
}

extension Image {
    /// The bytes that it holds in memory.
    var byteCount: Int {
        switch content {
        case .encoded(let bytes): bytes.count
        case .pixels(let shared): shared.buffer.size.byteCount
        case .icon: 0
        }
    }
}
