/// A stand-in for `Synchronization.Mutex`, which Embedded Swift does not have on 64-bit ARM. The
/// test has one thread.
@usableFromInline
struct Mutex<Value>: @unchecked Sendable {
    @usableFromInline
    final class Box {
        @usableFromInline var value: Value
        @inlinable init(_ value: Value) { self.value = value }
    }

    @usableFromInline let box: Box

    @inlinable init(_ value: Value) { box = Box(value) }

    @inlinable func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        body(&box.value)
    }
}
