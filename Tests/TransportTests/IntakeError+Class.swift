import Engine
import Transport

extension IntakeError {
    /// The name in a manifest.
    var className: String { ErrorClass(self).rawValue }
}
