import Engine
import Flags
import Notation

/// `emblem help errors`: the class, cause and remedy of every failure.
enum ErrorClassTable {
    static func text(_ help: HelpText) -> String {
        let rows = ErrorClass.ofRecords.map { errorClass in
            (
                errorClass.rawValue + (errorClass.isRetryable ? " *" : ""),
                "\(errorClass.message) \(errorClass.remedy)"
            )
        }
        return help.topic(rows) + "\n* A later run may succeed.\n"
    }
}
