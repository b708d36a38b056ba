import Notation
import Render
import Transport

/// Why a run cannot be planned.
package enum PlanError: Error, Hashable, Sendable {
    case missingInput(String)
    /// A folder given as an argument that cannot be listed.
    case unreadableFolder(String, IntakeError)
    case list(ListError)
    /// Standard input was asked for twice.
    case standardInputTwice
    /// The end of a list's name tells no format.
    case unknownExtension(String, String)
    /// An option says nothing about a list of this format.
    case idleOption(String, String, ListFormat)
    /// The template of `--name` cannot be used, for the reason given.
    case name(String)
    /// The files that keep a large plan out of memory failed.
    case scratch(Errno)
    case tooManyItems(limit: Int)
    /// Names beyond ASCII would be written and compared otherwise than on other machines.
    case noTextForms

    /// The exit code of a run that ends with this error.
    package var exitCode: Int32 {
        switch self {
        case .unreadableFolder(_, .noDescriptors): 74
        case .missingInput, .unreadableFolder: 66
        case .list(let error): error.exitCode
        case .standardInputTwice, .unknownExtension, .idleOption, .name, .tooManyItems:
            64
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
                        ? "remove the quotes of the pattern, or use its folder and --only"
                        : "check the path"))
        case .unreadableFolder(let name, let cause):
            "the folder \(SourceMask().shown(name)) cannot be read: \(cause)"
        case .list(let error): "\(error)"
        case .standardInputTwice:
            "standard input is given twice; use it for one picture or one list"
        case .unknownExtension(let name, let word):
            "\(SourceMask().shown(name)): unknown list format "
                + ".\(PrintableText.escaped(word, limit: 20)); add --list-format txt, csv, tsv, "
                + "json or ndjson"
        case .idleOption(let option, let name, let format):
            "\(option): has no effect on \(SourceMask().shown(name)), a \(format.rawValue) list; "
                + "remove it, or add --list-format \(option == "--null" ? "txt" : "csv")"
        case .name(let reason): "--name: \(reason)"
        case .scratch(let cause): "the plan cannot be stored on disk: \(cause)"
        case .tooManyItems(let limit): "a run can have at most \(limit) items; split the list"
        case .noTextForms:
            "non-ASCII names need GLib. Install the Debian package libglib2.0-0"
        }
    }
}

/// Why a run could not be brought to its end.
package enum BatchError: Error {
    case outlet(OutletError)
    /// A list changed or vanished between planning and running.
    case plan(PlanError)
    /// No picture can be decoded in a process of its own; what was done is in the journal.
    case workers(OrderError)
    /// The run that is to be resumed differs from this one, in words.
    case otherRun(String)
    /// The folder holds another set, whose manifest this run would take the place of; in words.
    case otherSet(String)
    /// A target folder belongs to another set, or cannot be shared with it; in words.
    case heldTarget(String)
}
