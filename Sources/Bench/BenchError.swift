/// Why a measurement could not be made.
package enum BenchError: Error, Hashable, Sendable {
    /// Somebody asked for an end.
    case stopped
    /// There is no room for pictures and outputs; the text names the folder and the reason.
    case noScratch(String)
    /// The tool could not be started again; the text says why.
    case notStarted(String)
    /// A measured run ended with an error: the exit code, the end of its messages, and the classes
    /// of its failures.
    case runFailed(Int32, String, String)
    /// A run left no record that can be read.
    case noRecord(String)
    /// Two runs of one workload wrote different bytes.
    case outputsDiffer(String)
    /// A case has another number of items than the base.
    case otherItems(Int, base: Int)

    /// The exit code that it leads to; that of a signal is the caller's to say.
    package var exitCode: Int32 {
        switch self {
        case .stopped: 130
        case .noScratch: 73
        case .notStarted, .outputsDiffer: 1
        case .runFailed(let code, _, _): code
        case .otherItems: 65
        case .noRecord: 74
        }
    }
}

extension BenchError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .stopped: "stopped"
        case .noScratch(let what):
            "cannot create the temporary folder: \(what); use --scratch DIR"
        case .notStarted(let why): "cannot start a measured run: \(why)"
        case .runFailed(let code, let text, let classes):
            (text.isEmpty ? "a measured run ended with exit code \(code)" : text)
                + (classes.isEmpty ? "" : "; its failures: \(classes)")
        case .noRecord(let why): "a measured run wrote no record: \(why)"
        case .outputsDiffer(let which):
            "the outputs of \(which) differ from the earlier runs; check whether a source changed"
        case .otherItems(let items, let base):
            "the base has \(base) items and this run \(items); measure a new base, or add "
                + "--compare-any"
        }
    }
}
