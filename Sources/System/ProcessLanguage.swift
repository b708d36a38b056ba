import CShims

/// The language that libraries draw in.
package enum ProcessLanguage {
    /// Takes it out of the hands of the environment, so that the same drawing is the same picture
    /// everywhere. Only while the process has one thread.
    package static func settle() { emb_settle_language() }
}
