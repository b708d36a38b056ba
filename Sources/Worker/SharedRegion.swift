import CSandbox
import Glibc
import Render
import Synchronization

/// Memory that a keeper shares with its worker.
///
/// In the parent only the holder of the worker uses it. The worker may write at any time, so bytes
/// are copied before they are checked. A worker can neither shrink nor remove the memory.
final class SharedRegion: Sendable {
    /// The offset of the orders of a request, and of the outcome of a single order.
    static let start = 64

    /// The size of a new region.
    static let firstBytes = 1 << 20
    /// The size from which pages are returned to the system after use. Most photographs fit; fresh
    /// pages cost as much as decoding a photograph at a small size.
    static let keptBytes = 4 << 20

    let descriptor: Int32
    private let view: Mutex<View>

    @safe
    private struct View: ~Copyable {
        var base: UnsafeMutableRawPointer
        var count: Int
        /// The end of the bytes that were written since the last `clear()`.
        var used = 0

        init?(_ descriptor: Int32, count: Int) {
            let protection = PROT_READ | PROT_WRITE
            guard
                let base = unsafe mmap(nil, count, protection, MAP_SHARED, descriptor, 0),
                unsafe base != MAP_FAILED
            else { return nil }
            unsafe self.base = unsafe base
            self.count = count
        }

        deinit { unsafe munmap(base, count) }

        func holds(_ offset: Int, _ length: Int) -> Bool {
            offset >= 0 && length >= 0 && offset <= count && length <= count - offset
        }
    }

    /// Takes ownership of a descriptor of `count` bytes.
    init(owning descriptor: Int32, count: Int) throws(WireDamage) {
        guard let view = View(descriptor, count: count) else {
            close(descriptor)
            throw WireDamage()
        }
        self.descriptor = descriptor
        self.view = Mutex(view)
    }

    deinit { close(descriptor) }

    var count: Int { view.withLock { $0.count } }

    /// Maps the first `count` bytes of the descriptor. Only the worker calls it.
    func map(_ count: Int) throws(WireDamage) {
        guard remap(to: count) else { throw WireDamage() }
    }

    /// Maps the region again if the mapping is shorter than `count`; returns false with `errno` set
    /// if the system refuses.
    private func remap(to count: Int) -> Bool {
        view.withLock { view in
            if count <= view.count { return true }
            guard let greater = View(descriptor, count: count) else { return false }
            view = greater
            return true
        }
    }

    /// Grows the memory if it is smaller than `count`. Only the keeper calls it, so a refusal means
    /// that this process lacks a resource.
    func reserve(_ count: Int) throws(WorkerFault) {
        guard count > self.count else { return }
        // Grows by a quarter, so that images of increasing size do not remap it each time.
        let (room, overflow) = count.addingReportingOverflow(count / 4 + 65_536)
        if !overflow, grow(to: room) { return }
        guard !grow(to: count) else { return }
        let code = errno
        throw WorkerFault(
            "the shared memory of the worker cannot grow to \(count) bytes", code: code)
    }

    private func grow(to count: Int) -> Bool {
        emb_worker_memfd_grow(descriptor, count) == 0 && remap(to: count)
    }

    func write(_ bytes: Span<UInt8>, at offset: Int) throws(WireDamage) {
        let done = view.withLock { view in
            guard view.holds(offset, bytes.count) else { return false }
            view.used = max(view.used, offset + bytes.count)
            unsafe bytes.withUnsafeBytes { source in
                guard let start = source.baseAddress else { return }
                unsafe view.base.advanced(by: offset).copyMemory(
                    from: start, byteCount: source.count)
            }
            return true
        }
        guard done else { throw WireDamage() }
    }

    func read(_ count: Int, at offset: Int) throws(WireDamage) -> [UInt8] {
        let bytes = view.withLock { view -> [UInt8]? in
            guard view.holds(offset, count) else { return nil }
            view.used = max(view.used, offset + count)
            return unsafe [UInt8](
                UnsafeRawBufferPointer(start: view.base.advanced(by: offset), count: count))
        }
        guard let bytes else { throw WireDamage() }
        return bytes
    }

    /// Passes the bytes to `body` without a copy. Only the worker calls it: the keeper does not
    /// write meanwhile.
    func withBytes<Result: ~Copyable>(
        _ count: Int, at offset: Int, _ body: (Span<UInt8>) -> Result
    ) throws(WireDamage) -> Result {
        let start = unsafe view.withLock { view -> UnsafePointer<UInt8>? in
            guard view.holds(offset, count) else { return nil }
            return unsafe UnsafePointer(
                view.base.advanced(by: offset).assumingMemoryBound(to: UInt8.self))
        }
        guard let start = unsafe start else { throw WireDamage() }
        let buffer = unsafe UnsafeBufferPointer(start: start, count: count)
        return body(unsafe buffer.span)
    }

    /// Returns the pages of a large image to the system.
    func clear() {
        let used = view.withLock { view in
            defer { view.used = 0 }
            return view.used
        }
        guard used > Self.keptBytes else { return }
        _ = emb_worker_memfd_punch(descriptor, Self.keptBytes, used)
    }
}
