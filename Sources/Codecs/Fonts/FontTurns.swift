import Glibc

/// Turns at the fonts, which cairo shares among all threads of a process: many draw at a time, or
/// one alone.
///
/// A text that breaks a font breaks it for whoever draws beside it. So what failed is done again
/// alone, with fonts that nobody can break meanwhile: what fails then fails by itself.
@safe
final class FontTurns: @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_rwlock_t>
    /// Not nil on the threads that have a turn.
    private let mine: pthread_key_t

    init() {
        var key = pthread_key_t()
        let made = unsafe pthread_key_create(&key, nil)
        precondition(made == 0, "A process has room for three keys of threads.")
        mine = key
        var attributes = pthread_rwlockattr_t()
        unsafe pthread_rwlockattr_init(&attributes)
        // Or those who draw with others, of whom there is always one, would never let it in.
        unsafe pthread_rwlockattr_setkind_np(
            &attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
        unsafe lock = .allocate(capacity: 1)
        let outcome = unsafe pthread_rwlock_init(lock, &attributes)
        precondition(outcome == 0, "A lock of Glibc's needs nothing but its own memory.")
        unsafe pthread_rwlockattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_rwlock_destroy(lock)
        unsafe lock.deallocate()
        pthread_key_delete(mine)
    }

    /// Whether this thread has a turn.
    var isMine: Bool { unsafe pthread_getspecific(mine) != nil }

    /// Draws beside others. What is done inside takes no turn of its own.
    func together<Result: ~Copyable, Failure: Error>(
        _ draw: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_rwlock_rdlock(lock)
        begin()
        defer { end() }
        return try draw()
    }

    /// Draws while nobody else does.
    func alone<Result: ~Copyable, Failure: Error>(
        _ draw: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_rwlock_wrlock(lock)
        begin()
        defer { end() }
        return try draw()
    }

    private func begin() { unsafe pthread_setspecific(mine, UnsafeRawPointer(lock)) }

    private func end() {
        pthread_setspecific(mine, nil)
        unsafe pthread_rwlock_unlock(lock)
    }
}
