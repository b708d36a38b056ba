import Notation
import Render
import Transport

package enum PlanError: Error, Hashable, Sendable {
    case missingInput(String)
    case unreadableFolder(String, IntakeError)
    case list(ListError)
    case standardInputTwice
    /// The template of `--name` is invalid, for the given reason.
    case name(String)
    /// The scratch files of a large plan failed.
    case scratch(Errno)
    case tooManyItems(limit: Int)
    /// GLib is missing, so non-ASCII names would differ from names on other machines.
    case noTextForms

    package var exitCode: Int32 {
        switch self {
        case .unreadableFolder(_, .noDescriptors): 74
        case .missingInput, .unreadableFolder: 66
        case .list(let error): error.exitCode
        case .standardInputTwice, .name, .tooManyItems: 64
        case .scratch: 74
        case .noTextForms: 69
        }
    }
}

extension PlanError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missingInput(let name):
            "\(SourceMask().shown(name)) does not exist; "
                + (SourceReference.forgottenScheme(in: name).map {
                    "if it is a URL, write \(SourceMask().shown($0))"
                }
                    ?? (name.contains { "*?[".contains($0) }
                        ? "remove the quotes around the pattern"
                        : "check the path"))
        case .unreadableFolder(let name, let cause):
            "the folder \(SourceMask().shown(name)) cannot be read: \(cause)"
        case .list(let error): "\(error)"
        case .standardInputTwice:
            "standard input is given twice; use it for one picture or one list"
        case .name(let reason): "--name: \(reason)"
        case .scratch(let cause): "the plan cannot be stored on disk: \(cause)"
        case .tooManyItems(let limit): "a run can have at most \(limit) items; split the list"
        case .noTextForms:
            "non-ASCII names need GLib. Install the Debian package libglib2.0-0"
        }
    }
}

package enum BatchError: Error {
    case outlet(OutletError)
    /// A list changed or vanished between planning and running.
    case plan(PlanError)
    /// No worker can be started; finished items are in the journal.
    case workers(OrderError)
    /// The folder has the manifest of another set, which this run would replace; the text says so.
    case otherSet(String)
    /// A target folder belongs to another set, or cannot be shared with it; the text says so.
    case heldTarget(String)
}
