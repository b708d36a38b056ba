import CSandbox
import Glibc
import Render

/// How pictures of strangers are to be held.
package enum Isolation: String, CaseIterable, Sendable {
    /// In processes of their own, with the filter of system calls and, where the kernel has it,
    /// Landlock.
    case process
    /// The same with both, or not at all.
    case strict
    /// In this process.
    case none

    /// What a worker lacks of what is asked for; `nil` when it may be given pictures.
    package func lack(in confinement: Confinement) -> WorkerLack? {
        guard self != .none else { return nil }
        let words = confinement.words
        if !confinement.filtersCalls { return Self.noFilter(words.filterRefusal) }
        // Want of descriptors is no reason to hold pictures by less.
        let isLimit = [EMFILE, ENFILE].contains(words.rulesRefusal)
        if !confinement.hidesFiles, isLimit || self == .strict {
            return Self.noRules(words.rulesRefusal)
        }
        return nil
    }

    /// What the kernel would refuse, as far as it can be known without starting a process.
    package var refusal: OrderError? {
        guard self != .none else { return nil }
        let filter = emb_seccomp_refusal()
        if filter != 0 { return .unavailable(Self.noFilter(filter)) }
        guard self == .strict, let rules = Self.rulesRefusal else { return nil }
        return .unavailable(Self.noRules(rules))
    }

    /// A line for people where the pictures will be held by less than this tool has.
    package var warning: String? {
        guard self == .process, let code = Self.rulesRefusal else { return nil }
        return "Landlock is not available (\(Confinement.text(of: code))): workers are confined by "
            + "seccomp only, which '--sandbox strict' would not accept"
    }

    /// The same once workers have said what they are held by, where that was not to be known before.
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
