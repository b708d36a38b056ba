import Artwork
import Batch
import Cell
import Engine
import Flags
import Gauge
import Render
import Theming
import Transport

/// Why a command ends without having done its work: an exit code and a sentence for people.
struct CommandFailure: ExitCoded, CustomStringConvertible {
    let exitCode: Int32
    let message: String

    var description: String { message }

    init(_ exitCode: Int32, _ message: String) {
        self.exitCode = exitCode
        self.message = message
    }

    init(_ error: UsageError) { self.init(UsageError.exitCode, error.description) }

    /// The confinement that was asked for cannot be had.
    init(_ error: OrderError) { self.init(error.isLimit ? 74 : 69, "\(error)") }

    init(_ error: OutletError) { self.init(error.exitCode, "\(error)") }

    init(_ error: ManifestError) {
        switch error {
        case .unreadable, .unfinished: self.init(66, "\(error)")
        case .malformed, .otherSchema: self.init(65, "\(error)")
        }
    }

    /// A file that a person named and that cannot be read.
    init(input path: String, _ error: IntakeError) {
        self.init(66, "\(SourceMask().shown(path)): \(error)")
    }
}

extension TraceError: ExitCoded {
    var exitCode: Int32 { 74 }
}
