import CSandbox

/// What others may see of this process.
package enum ProcessPrivacy {
    /// Keeps other processes of the same user from reading its memory and its environment, a worker
    /// above all. To be called once the workers are divided, which tell the system to end them first.
    package static func hide() {
        _ = emb_hide_memory()
    }
}
