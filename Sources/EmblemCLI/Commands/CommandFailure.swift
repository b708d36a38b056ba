import Batch
import Bench
import Console
import Engine
import Flags
import Gauge
import Render
import System
import Theming
import Transport

protocol ExitCoded: Error {
    var exitCode: Int32 { get }
}

/// The reason why a command failed: an exit code and a sentence for people.
struct CommandFailure: ExitCoded, CustomStringConvertible {
    let exitCode: Int32
    let message: String

    var description: String { message }

    init(_ exitCode: Int32, _ message: String) {
        self.exitCode = exitCode
        self.message = message
    }

    init(_ error: some ExitCoded) { self.init(error.exitCode, "\(error)") }

    init(_ error: BatchError) {
        switch error {
        case .outlet(let cause): self.init(cause)
        case .workers(let cause): self.init(cause)
        case .heldTarget(let words): self.init(73, words)
        case .otherSet(let words):
            self.init(
                64,
                "the output folder belongs to another set: \(words). Choose another folder with "
                    + "-o, or replace the set with --force")
        }
    }
}

// MARK: Exit codes of the errors of other modules

extension BenchError: ExitCoded {}
extension OutputError: ExitCoded {}
extension OutletError: ExitCoded {}
extension PlanError: ExitCoded {}
extension UsageError: ExitCoded {}

extension ComparisonError: ExitCoded {
    var exitCode: Int32 { cause.exitCode }
}

extension ManifestError: ExitCoded {
    var exitCode: Int32 {
        switch self {
        case .unreadable, .unfinished: 66
        case .malformed, .damaged, .otherSchema: 65
        }
    }
}

extension OrderError: ExitCoded {
    var exitCode: Int32 { isLimit ? 74 : 69 }
}

extension ThemeError: ExitCoded {
    var exitCode: Int32 { 65 }
}
