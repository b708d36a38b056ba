import CCurlShims

/// The sum of bytes of bodies that are still coming in, over all lanes of a loader.
@safe
final class IncomingBytes: Sendable {
    // Written by the transfers; whoever holds a lane holds this.
    nonisolated(unsafe) let pointer: UnsafeMutablePointer<Int64>

    init() {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: 0)
    }

    deinit {
        unsafe pointer.deallocate()
    }

    var value: Int { Int(unsafe emb_bytes_held(pointer)) }
}
