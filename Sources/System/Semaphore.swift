import CShims
import Glibc

/// A counted wake-up call between threads.
@safe
package final class Semaphore: @unchecked Sendable {
    // The semaphore guards itself; its address never changes.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    package init() {
        unsafe semaphore.initialize(to: sem_t())
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    /// Lets one thread go on, now or when it comes to wait.
    package func signal() {
        unsafe sem_post(semaphore)
    }

    /// Waits for a signal of its own.
    package func wait() {
        while unsafe sem_wait(semaphore) != 0 {
            precondition(errno == EINTR, "The system refuses to wait for a semaphore.")
        }
    }

    /// The same for at most so many milliseconds.
    ///
    /// - Returns: whether the signal came.
    package func wait(milliseconds: Int) -> Bool {
        unsafe emb_semaphore_wait(semaphore, Int32(clamping: milliseconds)) != 0
    }
}
