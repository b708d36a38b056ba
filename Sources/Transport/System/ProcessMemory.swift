import CShims

package enum ProcessMemory {
    /// Keeps freed memory for the next image, in the whole process.
    ///
    /// By default the C library returns memory to the kernel after each image, and mapping the same
    /// pages again takes much of the run time.
    package static func keepForReuse() {
        emb_keep_memory()
    }
}
