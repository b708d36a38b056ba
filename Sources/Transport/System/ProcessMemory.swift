import CShims

/// How the process keeps the memory that pictures leave behind.
package enum ProcessMemory {
    /// Blocks up to this size come from the heap. The few pictures above it get pages of the
    /// system's own, which go back at once.
    private static let heapBlockBytes: Int32 = 32 << 20

    /// What may lie free at the end of a heap before it goes back to the system.
    private static let trimBytes: Int32 = 64 << 20

    /// Keeps freed memory for the next picture, for the whole process.
    ///
    /// Left alone, the C library hands it back after each, and much of the time in the kernel goes
    /// into fetching the same pages again.
    package static func keepForReuse() {
        emb_keep_memory(heapBlockBytes, trimBytes)
    }
}
