import CShims

/// Settings of malloc for the memory that pictures leave behind.
package enum ProcessMemory {
    /// Keeps freed memory for the next picture, for the whole process.
    ///
    /// Left alone, the C library hands it back after each, and much of the time in the kernel goes
    /// into fetching the same pages again.
    package static func keepForReuse() {
        emb_keep_memory()
    }
}
