import CShims
import Glibc

/// What this program cannot do without, and some sandboxes refuse.
package enum SystemNeeds {
    /// The call that is refused and what to do about it; `nil` when all is there. Swift's own
    /// scheduler ends the process at a bad instruction without them.
    package static var refusal: String? {
        guard let name = unsafe emb_refused_call() else { return nil }
        let reason = Confinement.text(of: errno)
        let call = unsafe String(cString: name)
        return "this kernel or container refuses \(call) (\(reason)), which "
            + "no program written in Swift can do without; let the container or service allow it"
    }
}
