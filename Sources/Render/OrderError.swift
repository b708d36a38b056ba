package enum OrderError: Error, Hashable, Sendable {
    /// The image is at fault, as its decoder reports.
    case render(RenderError)
    /// Decoding needs this many bytes, more than the order was allowed. Backends handle this case
    /// themselves and never return it.
    case needsMemory(Int)
    /// Decoding needs more memory than all orders together may have; both numbers are in bytes.
    case tooLarge(Int, allowed: Int)
    /// The process that worked on the image crashed; the text gives the cause.
    case crashed(String)
    case outOfMemory
    case timeout
    /// The work used more CPU time than its order allows.
    case drawnTooLong
    case unavailable(WorkerLack)
}

extension OrderError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .render(let error): error.description
        case .needsMemory, .tooLarge: "Decoding needs more memory than is allowed."
        case .crashed(let how): "The decoder crashed: \(how)."
        case .outOfMemory: "Decoding would exceed a limit: the granted memory."
        case .timeout: "The deadline passed while the picture was rendered."
        case .drawnTooLong:
            "Decoding and drawing took more CPU time than --render-timeout."
        case .unavailable(let lack):
            "cannot start a sandboxed worker: \(lack.text)"
                + (lack.roomier.map { "; \($0)" }
                    ?? ". Allow it in the container or service (see the page Safety), or use "
                    + "'--sandbox none' for trusted images only")
        }
    }
}

extension OrderError {
    /// The cause is a resource limit of the system, not a missing permission.
    package var isLimit: Bool {
        if case .unavailable(let lack) = self { lack.isLimit } else { false }
    }
}
