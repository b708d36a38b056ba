import CSandbox
import Glibc
import Render

/// The isolation of the decoders from this process.
package enum Isolation: String, CaseIterable, Sendable {
    /// Decodes in workers with a seccomp filter, and with Landlock if the kernel has it.
    case process
    /// Decodes in workers with both the seccomp filter and Landlock, or not at all.
    case strict
    case none

    /// Returns the part of this isolation that the worker lacks; nil if the worker may receive
    /// images.
    package func lack(in confinement: Confinement) -> WorkerLack? {
        guard self != .none else { return nil }
        let words = confinement.words
        if !confinement.filtersCalls { return Self.noFilter(words.filterRefusal) }
        // A lack of descriptors must not weaken the isolation.
        let isLimit = [EMFILE, ENFILE].contains(words.rulesRefusal)
        if !confinement.hidesFiles, isLimit || self == .strict {
            return Self.noRules(words.rulesRefusal)
        }
        return nil
    }

    /// The reason why the kernel would refuse this isolation, as far as it is known without a
    /// worker.
    package var refusal: OrderError? {
        guard self != .none else { return nil }
        let filter = emb_seccomp_refusal()
        if filter != 0 { return .unavailable(Self.noFilter(filter)) }
        guard self == .strict, let rules = Self.rulesRefusal else { return nil }
        return .unavailable(Self.noRules(rules))
    }

    /// A warning if the isolation will be weaker than the program supports.
    package var warning: String? {
        guard self == .process, let code = Self.rulesRefusal else { return nil }
        return "Landlock is not available (\(Confinement.text(of: code))): workers are confined by "
            + "seccomp only, which '--sandbox strict' would not accept"
    }

    /// Returns a warning if a worker reports a weaker isolation that `warning` could not predict;
    /// nil otherwise.
    package func warning(about found: Confinement) -> String? {
        guard self == .process, warning == nil, found.filtersCalls, !found.hidesFiles else {
            return nil
        }
        return "Landlock is not available: pictures were decoded with the sandbox '\(found)'"
    }

    private static var rulesRefusal: Int32? {
        emb_landlock_version() > 0 ? nil : Int32(errno)
    }

    private static func noFilter(_ code: Int32) -> WorkerLack {
        if [EMFILE, ENFILE].contains(code) {
            return WorkerLack(
                "a worker cannot open the fonts (\(Confinement.text(of: code)))", code: code)
        }
        if code == ESRCH {
            return WorkerLack(
                "a thread has its own seccomp filter, so no filter can cover the process",
                code: code)
        }
        return WorkerLack(
            "this kernel or container refuses seccomp filters (\(Confinement.text(of: code)))",
            code: code)
    }

    private static func noRules(_ code: Int32) -> WorkerLack {
        if [EMFILE, ENFILE].contains(code) {
            return WorkerLack(
                "Landlock rules cannot be created (\(Confinement.text(of: code)))", code: code)
        }
        return WorkerLack(
            "this kernel or container refuses Landlock (\(Confinement.text(of: code))), which "
                + "'--sandbox strict' needs", code: code)
    }
}

package enum ProcessPrivacy {
    /// Prevents other processes of the same user, workers above all, from reading the memory and
    /// the environment of this process. Must be called after the workers are forked, since they
    /// first ask the kernel to die with their parent.
    package static func hide() {
        _ = emb_hide_memory()
    }
}
