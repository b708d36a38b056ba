import Engine
import Transport

extension IntakeError {
    /// As a manifest names it.
    var className: String { ErrorClass(self).rawValue }
}
