/// Why an order brought no emblems.
package enum OrderError: Error, Hashable, Sendable {
    /// The picture is at fault, in a way that its decoder could tell.
    case render(RenderError)
    /// Whoever was asked for memory refused it.
    case refused
    /// The process that worked on the picture died of it; the text says how.
    case crashed(String)
    /// The work came to the end of the memory that it had been granted.
    case outOfMemory
    /// The work took longer than its order allows.
    case timeout
    /// The processors worked on it for longer than its order allows.
    case drawnTooLong
    /// No process can be started to work in.
    case unavailable(CellLack)
}

extension OrderError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .render(let error): error.description
        case .refused: "The memory for decoding was refused."
        case .crashed(let how): "The decoder crashed: \(how)."
        case .outOfMemory: "Decoding would pass a limit: it took more memory than was granted."
        case .timeout: "The deadline passed while the picture was rendered."
        case .drawnTooLong:
            "Drawing took more of the processors' time than --render-timeout allows."
        case .unavailable(let lack):
            "no confined process can be had to decode pictures in: \(lack.text)"
                + (lack.roomier.map { "; \($0)" }
                    ?? ". Let the container or service allow it (the page Safety says how), or type "
                    + "'--sandbox none' for pictures that you trust")
        }
    }
}

extension OrderError {
    /// What is missing is room within the limits of the system, not its permission.
    package var isLimit: Bool {
        if case .unavailable(let lack) = self { lack.isLimit } else { false }
    }
}
