import CShims

package enum ProcessLanguage {
    /// Sets a fixed language instead of that of the environment, so that a drawing looks the same
    /// everywhere. Call only while the process has one thread.
    package static func settle() { emb_settle_language() }
}
