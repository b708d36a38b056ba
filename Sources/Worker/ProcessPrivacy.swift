import CSandbox

/// The protection of this process from other processes.
package enum ProcessPrivacy {
    /// Prevents other processes of the same user, workers above all, from reading the memory and
    /// the environment of this process. Must be called after the workers are forked, since they
    /// first ask the kernel to die with their parent.
    package static func hide() {
        _ = emb_hide_memory()
    }
}
